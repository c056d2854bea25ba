#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rootleaf::markdown {

/// Where a text may be cut within a window: not inside a UTF-8 character, a grapheme cluster or a
/// line end. Works forward from a position that is such a border itself, so its cost is the window.
///
/// A byte that is no valid UTF-8 is a character of its own, but no border stands before one that
/// looks like a continuation byte. Source: UAX 29, extended grapheme clusters, as utf8proc has
/// them.
class Borders {
public:
    /// Reads text[start, limit] for later questions about positions in (start, limit].
    /// `start` must be a border, and limit < text.size().
    void read(std::string_view text, std::uint32_t start, std::uint32_t limit);

    /// Whether a grapheme cluster ends before `position`.
    [[nodiscard]] bool at(std::uint32_t position) const noexcept;

    /// Where to cut a window without any border: before the last byte that is no text, else before
    /// the last character of a cluster longer than the window; `limit` where there is but one
    /// character.
    [[nodiscard]] std::uint32_t last_resort() const noexcept { return last_resort_; }

private:
    std::string_view text_;
    std::uint32_t start_ = 0;
    std::uint32_t last_resort_ = 0;
    bool is_ascii_ = true;
    std::vector<bool> is_border_;
};

/// Whether the character at `position`, such as an accent, would make one grapheme with a blank
/// before it.
[[nodiscard]] bool joins_blank(std::string_view text, std::uint32_t position) noexcept;

}  // namespace rootleaf::markdown
