#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "rootleaf/markdown/chunk.hpp"

namespace rootleaf::render {

/// A text and its chunks, ready to be shown any number of times; owns both.
///
/// The text is cut when its chunks are first asked for, so that making one costs a copy. Nothing
/// else ever changes, and any number of threads may share one.
class PreparedDocument {
public:
    PreparedDocument(std::string text, const markdown::ChunkOptions& options);

    /// A text whose chunks are known. Throws Error(invalid_input) unless spans lie in the text, in
    /// order and between characters, and chunksets and parents name chunks that are there.
    PreparedDocument(std::string text, markdown::Document document);

    [[nodiscard]] std::string_view text() const noexcept { return text_; }

    /// Throws as markdown::chunk does.
    [[nodiscard]] const markdown::Document& document() const;

    /// The first heading of level 1, else the first heading, with its marks; nothing without one.
    [[nodiscard]] std::optional<std::string_view> title_heading() const;

private:
    std::string text_;
    markdown::ChunkOptions options_;
    mutable std::mutex mutex_;  // of document_
    mutable std::optional<markdown::Document> document_;
};

}  // namespace rootleaf::render
