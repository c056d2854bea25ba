#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rootleaf::bench {

/// A markdown file in memory, and the byte where its markdown starts.
struct MarkdownFile {
    std::string text;
    std::uint32_t first_byte;  ///< after the front matter
};

/// All .md files below a directory, sorted by path.
[[nodiscard]] std::vector<MarkdownFile> load_markdown_files(const std::string& directory);

}  // namespace rootleaf::bench
