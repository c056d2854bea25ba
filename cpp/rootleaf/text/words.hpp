#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rootleaf::text {

/// A piece of text that the analyzer turns into terms as one.
struct Word {
    std::size_t start;  ///< byte offset of its first character
    std::size_t end;    ///< one past its last byte
    bool unspaced;      ///< a run of a script without spaces, to be cut into pairs
};

/// A longer word is cut here (at a character), so that a text without spaces makes bounded words.
inline constexpr std::size_t kMaxWordBytes = 1024;

/// Finds the words of a text from left to right, in time linear in its size. Any bytes are legal.
///
/// A word is letters and digits, with joints between them: one of `_ - ' . / : @`, or `::`, or
/// `://`. A leading `#` or `--` and a trailing `++` or `#` of a single letter belong to it;
/// punctuation at its ends does not.
class WordScanner {
public:
    explicit WordScanner(std::string_view text) noexcept : text_(text) {}

    /// The next word, or false at the end of the text.
    [[nodiscard]] bool next(Word& word) noexcept;

private:
    [[nodiscard]] std::size_t end_of_word(std::size_t byte) const noexcept;
    [[nodiscard]] std::size_t end_of_run(std::size_t byte) const noexcept;
    [[nodiscard]] std::size_t start_with_sigil(std::size_t byte) const noexcept;
    [[nodiscard]] std::size_t end_with_suffix(std::size_t start, std::size_t end) const noexcept;
    [[nodiscard]] std::size_t joint_length(std::size_t byte,
                                           std::uint32_t code_point,
                                           std::size_t byte_count) const noexcept;

    std::string_view text_;
    std::size_t byte_ = 0;
};

}  // namespace rootleaf::text
