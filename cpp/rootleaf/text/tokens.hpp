#pragma once

#include <cstdint>
#include <string_view>

namespace rootleaf::text {

/// How many tokens a language model's tokenizer makes of a text: an estimate on the high side of
/// byte-pair vocabularies (o200k, cl100k) and of WordPiece's, whichever makes more.
///
/// One pass of an automaton over the bytes: every byte adds sixteenths of a token by its kind and
/// by what stands before it in the same run, and the sum is rounded up.
///
/// - A word is one token, and more as it grows past five letters. Capitals in a row cost half a
///   token each, and so do the first letters after a digit or a change of case, because hex and
///   base64 have many of them.
/// - A number is a token for its first digit, half a one for each other, and most of one for a
///   space before it.
/// - Every punctuation mark is a token and a little; line ends after a word are most of one, and so
///   is each run of spaces but a single one.
/// - Other characters cost by script: about 1 for Cyrillic, Greek, Arabic; 1.2 Thai; 1.3 kana; 1.9
///   Han; 2.1 Hangul; 1.8 an accented Latin letter; 2 to 3.3 symbols and emoji. A byte that is no
///   UTF-8 costs one or more.
///
/// Any bytes are legal. Appending never lowers the estimate, and only the empty text and a single
/// space count 0. Cut anywhere but inside a character, the parts of a text count together what the
/// whole does, to within `kTokenSeam` for each cut.
[[nodiscard]] std::uint64_t count_tokens(std::string_view text) noexcept;

/// The most tokens by which joining two texts changes the sum of their estimates.
inline constexpr std::uint64_t kTokenSeam = 4;

}  // namespace rootleaf::text
