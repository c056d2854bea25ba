#pragma once

#include <cstdint>
#include <string_view>

namespace rootleaf::markdown {

/// The start condition of HTML blocks (1..7) that a line meets, or 0. The line starts with "<" and
/// holds no line end. Condition 7 cannot interrupt a paragraph: the caller knows.
/// Source: CommonMark 0.31.2, section 4.6.
[[nodiscard]] std::uint8_t html_start_condition(std::string_view line) noexcept;

/// Whether a line meets the end condition of an HTML block that started with condition 1..5.
[[nodiscard]] bool meets_html_end_condition(std::string_view line, std::uint8_t condition) noexcept;

}  // namespace rootleaf::markdown
