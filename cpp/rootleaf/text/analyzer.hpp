#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/text/stemmer.hpp"
#include "rootleaf/text/words.hpp"

namespace rootleaf::text {

/// Names the rules below and the Unicode version under them. An index of another identity does not
/// answer queries of this one; raise the number with every change of a term.
[[nodiscard]] std::string analyzer_id();

/// A longer term is stored as `~` and the 16 hexadecimal digits of its XXH3 hash.
inline constexpr std::size_t kMaxTermCharacters = 64;

/// No term encloses this one.
inline constexpr std::uint32_t kNoTerm = 0xFFFFFFFFU;

/// One term of a word.
struct Term {
    std::string text;
    std::uint32_t enclosing;  ///< index, among the terms of the word, of the compound it is part of
    bool compound;            ///< other terms of the word are its parts
};

/// One term where it stands.
struct Occurrence {
    std::string text;
    std::uint32_t position;    ///< number of the word in the text; all terms of a word share it
    std::uint32_t start_byte;  ///< of the word, or of the pair of an unspaced run
    std::uint32_t end_byte;
};

/// Turns text into terms, the same for documents and queries.
///
/// A word is one leaf, or a compound with its leaves at the same position: `fetchUserTokens`,
/// `v2.0-rc.1`, `src/net/retry_policy.py`, `a@b.example`, `don't`. The compound is the word folded,
/// without hyphens, underscores and apostrophes (`-` stays between digits); with `#` or `--` before
/// it, that form is one more compound. Segments between `. / : @` that have several leaves are
/// compounds too. Leaves, and compounds that are letters a to z only, are stemmed, since
/// `fetchusertokens` is a leaf when it is written so and has to meet the compound; no others are. A
/// word has each of its terms once. A run of an unspaced script gives its overlapping pairs of
/// folded code points, each at a position of its own; a run of one gives that.
///
/// Keeps a stemmer: one object serves one thread at a time.
class Analyzer {
public:
    /// Appends the terms of a word that WordScanner found, and is not unspaced; compounds before
    /// their parts. Nothing is appended for a word that folds to nothing.
    void analyze_word(std::string_view word, std::vector<Term>& terms);

    /// Appends the pairs of an unspaced run with byte offsets relative to it; positions count from
    /// 0.
    static void analyze_run(std::string_view run, std::vector<Occurrence>& pairs);

    /// All terms of a text in order; positions count from 0.
    [[nodiscard]] std::vector<Occurrence> analyze(std::string_view text);

private:
    std::uint32_t add_compound(std::string_view prefix,
                               std::string_view word,
                               std::string_view suffix,
                               std::uint32_t enclosing,
                               std::vector<Term>& terms);
    void add_leaf(std::string_view leaf, std::uint32_t enclosing, std::vector<Term>& terms);
    [[nodiscard]] std::string normal_form(std::string folded);
    static std::uint32_t add_term(std::string text,
                                  std::uint32_t enclosing,
                                  bool compound,
                                  std::vector<Term>& terms);

    Stemmer stemmer_;
};

}  // namespace rootleaf::text
