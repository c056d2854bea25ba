#include "rootleaf/text/analyzer.hpp"

#include <utf8proc.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "rootleaf/text/characters.hpp"
#include "rootleaf/text/folding.hpp"
#include "rootleaf/text/parts.hpp"

namespace rootleaf::text {

namespace {

constexpr std::string_view kRules = "words-1/english";

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

/// Long words are mostly encoded bytes; a hash keeps them findable whole and the dictionary
/// bounded.
std::string bounded(std::string term) {
    if (term.size() <= kMaxTermCharacters || count_characters(term) <= kMaxTermCharacters) {
        return term;
    }
    XXH64_hash_t hash = XXH3_64bits(term.data(), term.size());
    std::string short_form(17, '~');
    for (std::size_t i = 16; i > 0; --i) {
        short_form[i] = "0123456789abcdef"[hash & 0xFU];
        hash >>= 4U;
    }
    return short_form;
}

bool is_plain_english(std::string_view folded) {
    return !folded.empty() && folded.size() <= kMaxTermCharacters &&
           std::all_of(folded.begin(), folded.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Whether a word is one leaf at a glance: ASCII letters in which no capital follows a small
/// letter, nor a small letter a row of capitals. Most words are, and splitting costs more than
/// stemming them.
bool is_one_leaf(std::string_view word) noexcept {
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const std::string_view rest = word.substr(1);
    return (is_lower(word[0]) || is_upper(word[0])) &&
           (std::all_of(rest.begin(), rest.end(), is_lower) ||
            (is_upper(word[0]) && std::all_of(rest.begin(), rest.end(), is_upper)));
}

/// Whether a character of an unspaced run folds together with the one before it.
bool joins_previous(const Character& character) {
    const std::uint32_t c = character.code_point;
    const bool conjoining_jamo = (c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FB);
    return character.char_class == CharClass::extender || conjoining_jamo || c == 0x3099 ||
           c == 0x309A || c == 0xFF9E || c == 0xFF9F || (c >= 0xFFA0 && c <= 0xFFDC);
}

/// Whether folding leaves the character alone: the great mass of Han, kana and Hangul.
bool folds_to_itself(std::uint32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) ||
           (c >= 0x3041 && c <= 0x3096) || (c >= 0x30A1 && c <= 0x30FA) || c == 0x30FC;
}

struct FoldedCharacter {
    std::uint32_t code_point;
    std::uint32_t start_byte;
    std::uint32_t end_byte;
};

std::vector<FoldedCharacter> fold_run(std::string_view run) {
    std::vector<FoldedCharacter> folded;
    for (std::size_t byte = 0; byte < run.size();) {
        const Character first = read_character(run, byte);
        std::size_t end = byte + first.byte_count;
        while (end < run.size()) {
            const Character next = read_character(run, end);
            if (!joins_previous(next)) {
                break;
            }
            end += next.byte_count;
        }
        const auto start_byte = static_cast<std::uint32_t>(byte);
        const auto end_byte = static_cast<std::uint32_t>(end);
        if (end == byte + first.byte_count && folds_to_itself(first.code_point)) {
            folded.push_back({first.code_point, start_byte, end_byte});
        } else {
            const std::string unit = fold(run.substr(byte, end - byte));
            for (std::size_t i = 0; i < unit.size();) {
                const Character part = read_character(unit, i);
                folded.push_back({part.code_point, start_byte, end_byte});
                i += part.byte_count;
            }
        }
        byte = end;
    }
    return folded;
}

}  // namespace

std::string analyzer_id() { return std::string(kRules) + "/unicode-" + utf8proc_unicode_version(); }

std::string Analyzer::normal_form(std::string folded) {
    return is_plain_english(folded) ? std::string(stemmer_.stem(folded))
                                    : bounded(std::move(folded));
}

std::uint32_t Analyzer::add_term(std::string text,
                                 std::uint32_t enclosing,
                                 bool compound,
                                 std::vector<Term>& terms) {
    if (text.empty()) {
        return enclosing;
    }
    const auto same =
        std::find_if(terms.begin(), terms.end(), [&](const Term& t) { return t.text == text; });
    if (same != terms.end()) {
        same->compound = same->compound && compound;
        return static_cast<std::uint32_t>(same - terms.begin());
    }
    terms.push_back({std::move(text), enclosing, compound});
    return static_cast<std::uint32_t>(terms.size() - 1);
}

std::uint32_t Analyzer::add_compound(std::string_view prefix,
                                     std::string_view word,
                                     std::string_view suffix,
                                     std::uint32_t enclosing,
                                     std::vector<Term>& terms) {
    std::string folded = fold(join_word(word));
    if (prefix.empty() && suffix.empty()) {
        return add_term(normal_form(std::move(folded)), enclosing, true, terms);
    }
    folded.insert(0, prefix);
    folded.append(suffix);
    return add_term(bounded(std::move(folded)), enclosing, true, terms);
}

void Analyzer::add_leaf(std::string_view leaf, std::uint32_t enclosing, std::vector<Term>& terms) {
    add_term(normal_form(fold(leaf)), enclosing, false, terms);
}

void Analyzer::analyze_word(std::string_view word, std::vector<Term>& terms) {
    if (is_one_leaf(word)) {
        terms.push_back({normal_form(fold(word)), kNoTerm, false});
        return;
    }
    const std::size_t first = terms.size();
    std::vector<Term> own;
    const WordParts parts = split_word(word);
    const std::string_view core = word.substr(parts.core.start, parts.core.end - parts.core.start);
    std::uint32_t enclosing = kNoTerm;
    if (core.size() != word.size()) {
        enclosing = add_compound(word.substr(0, parts.core.start), core,
                                 word.substr(parts.core.end), kNoTerm, own);
    }
    if (parts.leaves.size() != 1 || parts.leaves[0].end - parts.leaves[0].start != core.size()) {
        enclosing = add_compound({}, core, {}, enclosing, own);
    }
    for (const Segment& segment : parts.segments) {
        std::uint32_t around = enclosing;
        if (parts.segments.size() > 1 && segment.leaf_count > 1) {
            around = add_compound(
                {}, word.substr(segment.span.start, segment.span.end - segment.span.start), {},
                enclosing, own);
        }
        for (std::uint32_t i = 0; i < segment.leaf_count; ++i) {
            const PartSpan leaf = parts.leaves[segment.first_leaf + i];
            add_leaf(word.substr(leaf.start, leaf.end - leaf.start), around, own);
        }
    }
    for (Term& term : own) {
        if (term.enclosing != kNoTerm) {
            term.enclosing += static_cast<std::uint32_t>(first);
        }
        terms.push_back(std::move(term));
    }
}

void Analyzer::analyze_run(std::string_view run, std::vector<Occurrence>& pairs) {
    const std::vector<FoldedCharacter> folded = fold_run(run);
    if (folded.size() == 1) {
        std::string text;
        append_code_point(text, folded[0].code_point);
        pairs.push_back({std::move(text), 0, folded[0].start_byte, folded[0].end_byte});
        return;
    }
    for (std::size_t i = 0; i + 1 < folded.size(); ++i) {
        std::string text;
        append_code_point(text, folded[i].code_point);
        append_code_point(text, folded[i + 1].code_point);
        pairs.push_back({std::move(text), static_cast<std::uint32_t>(i), folded[i].start_byte,
                         folded[i + 1].end_byte});
    }
}

std::vector<Occurrence> Analyzer::analyze(std::string_view text) {
    std::vector<Occurrence> occurrences;
    std::vector<Term> terms;
    std::vector<Occurrence> pairs;
    std::uint32_t position = 0;
    WordScanner scanner(text);
    Word word{};
    while (scanner.next(word)) {
        const std::string_view raw = text.substr(word.start, word.end - word.start);
        const auto start = static_cast<std::uint32_t>(word.start);
        if (word.unspaced) {
            pairs.clear();
            analyze_run(raw, pairs);
            for (Occurrence& pair : pairs) {
                occurrences.push_back({std::move(pair.text), position++, start + pair.start_byte,
                                       start + pair.end_byte});
            }
            continue;
        }
        terms.clear();
        analyze_word(raw, terms);
        for (Term& term : terms) {
            occurrences.push_back(
                {std::move(term.text), position, start, static_cast<std::uint32_t>(word.end)});
        }
        position += terms.empty() ? 0U : 1U;
    }
    return occurrences;
}

}  // namespace rootleaf::text
