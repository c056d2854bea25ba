#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rootleaf/lexical/term_table.hpp"
#include "rootleaf/text/analyzer.hpp"

namespace rootleaf::lexical {

/// Turns texts into term numbers, analysing each distinct word once. Serves one thread at a time.
class TermReader {
public:
    /// Appends the terms of a text, in no order that is promised; a word's terms each once.
    /// @return the number of positions, which is the text's length in words
    std::uint32_t read(std::string_view text, std::vector<std::uint32_t>& ids);

    [[nodiscard]] const TermTable& terms() const noexcept { return terms_; }

private:
    /// Words up to this many bytes are remembered; longer ones seldom come back.
    static constexpr std::size_t kMaxRememberedBytes = 64;

    struct Pending {
        std::string_view word;
        std::uint64_t key;
    };

    struct Range {
        std::uint32_t first;
        std::uint32_t count;
    };

    std::uint32_t read_pending(std::vector<std::uint32_t>& ids);
    std::uint32_t read_long_word(std::string_view word, std::vector<std::uint32_t>& ids);
    Range range_of(const Pending& pending);
    std::uint32_t read_run(std::string_view run, std::vector<std::uint32_t>& ids);

    text::Analyzer analyzer_;
    TermTable terms_;
    TermTable words_;                   // raw spellings
    std::vector<Range> terms_of_word_;  // by number of the spelling, into word_terms_
    std::vector<std::uint32_t> word_terms_;
    std::array<Pending, 16> pending_{};  // words whose places in the table are being fetched
    std::size_t pending_count_ = 0;
    std::vector<text::Term> analysed_;
    std::vector<text::Occurrence> pairs_;
};

}  // namespace rootleaf::lexical
