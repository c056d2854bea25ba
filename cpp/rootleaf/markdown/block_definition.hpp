#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rootleaf::markdown {

/// The content of one line of a paragraph: bytes of the document without container markers,
/// leading blanks and line end. Never empty.
struct ParagraphLine {
    std::uint32_t start;
    std::uint32_t end;
};

/// The number of lines that the link reference definition at the start of these paragraph lines
/// takes, or 0 if there is none.
/// Source: CommonMark 0.31.2, section 4.7.
[[nodiscard]] std::uint32_t link_definition_lines(std::string_view text,
                                                  std::span<const ParagraphLine> lines) noexcept;

}  // namespace rootleaf::markdown
