#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rootleaf::text {

/// A range of bytes of a word.
struct PartSpan {
    std::uint32_t start;
    std::uint32_t end;
};

/// What stands between two hard joints of a word, and the leaves in it.
struct Segment {
    PartSpan span;
    std::uint32_t first_leaf;
    std::uint32_t leaf_count;
};

/// How a word divides. `src/net/retryPolicy.py` has the segments src, net, retryPolicy, py, and the
/// leaves src, net, retry, Policy, py.
struct WordParts {
    PartSpan core{};  ///< the word without its leading `#` or `--` and its trailing `++` or `#`
    std::vector<Segment> segments;
    std::vector<PartSpan> leaves;
};

/// Divides a word that WordScanner found. Letter case decides before it is folded:
///
/// - at joints and underscores; an ending after an apostrophe (s t d m ll re ve) is left out;
/// - between a lower-case letter or digit and an upper-case letter: fetch|User, v2|Beta;
/// - before the last capital of a row of capitals that lower-case letters follow: HTTP|Server. One
///   lower-case letter alone stays with the row: IPv6|Address, URLs.
///
/// A piece divides by case into at most four leaves, or into any number that are four characters
/// long on average: so base64 stays whole.
[[nodiscard]] WordParts split_word(std::string_view word);

/// The spelling that all forms of a word share before folding: underscores, hyphens and apostrophes
/// dropped, but `-` kept between two digits; hard joints kept.
[[nodiscard]] std::string join_word(std::string_view word);

}  // namespace rootleaf::text
