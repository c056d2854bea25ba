#include "rootleaf/index/segment_check.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace rootleaf::index {

namespace {

using Fault = std::optional<std::string_view>;
using Numbers = std::span<const std::uint32_t>;

constexpr std::size_t kMaxCount = 0xFFFFFFFEU;

bool ascends(Numbers numbers) noexcept {
    std::size_t descents = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        descents += static_cast<std::size_t>(numbers[i] < numbers[i - 1]);
    }
    return descents == 0;
}

bool all_below(Numbers numbers, std::size_t limit) noexcept {
    std::uint32_t greatest = 0;
    for (const std::uint32_t number : numbers) {
        greatest = std::max(greatest, number);
    }
    return numbers.empty() || greatest < limit;
}

bool are_strings(const StringList& strings) noexcept {
    const Numbers ends = strings.ends();
    return ends.size() <= kMaxCount && ascends(ends) &&
           strings.bytes().size() == (ends.empty() ? 0 : ends.back());
}

/// `starts` of `count` runs, one after the other, over `total` elements.
bool are_starts(Numbers starts, std::size_t count, std::size_t total) noexcept {
    return total <= kMaxCount && starts.size() == count + 1 && starts.front() == 0 &&
           starts.back() == total && ascends(starts);
}

/// Whether each run ascends strictly. Descents are counted in one plain loop over all, then those
/// between two runs: they must be the same ones. Requires are_starts.
bool runs_ascend(Numbers starts, Numbers numbers) noexcept {
    std::size_t descents = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        descents += static_cast<std::size_t>(numbers[i] <= numbers[i - 1]);
    }
    std::size_t between_runs = 0;
    for (std::size_t run = 1; run + 1 < starts.size(); ++run) {
        const std::size_t start = starts[run];
        if (start != starts[run - 1] && start < numbers.size()) {
            between_runs += static_cast<std::size_t>(numbers[start] <= numbers[start - 1]);
        }
    }
    return descents == between_runs;
}

/// Strings in the order they come, compared each with the one before: by their first eight bytes,
/// and whole only where these are equal.
class InOrder {
public:
    explicit InOrder(const StringList& strings) noexcept : strings_(strings) {}

    /// Less than 0, 0 or more: how the string before stands to `number`, which is not 0.
    int compare_with_previous(std::uint32_t number) noexcept {
        const std::uint64_t before =
            number == next_ ? leading_ : leading_bytes(strings_[number - 1]);
        leading_ = leading_bytes(strings_[number]);
        next_ = number + 1;
        if (before != leading_) {
            return before < leading_ ? -1 : 1;
        }
        return strings_[number - 1].compare(strings_[number]);
    }

private:
    [[nodiscard]] std::uint64_t leading_bytes(std::string_view text) const noexcept {
        std::uint64_t leading = 0;
        const char* const end = strings_.bytes().data() + strings_.bytes().size();
        if (end - text.data() >= 8) {
            std::memcpy(&leading, text.data(), 8);
            if constexpr (std::endian::native == std::endian::little) {
                leading = swap_bytes(leading);
            }
            if (text.size() < 8) {
                leading =
                    text.empty() ? 0 : leading & (~std::uint64_t{0} << (64 - 8 * text.size()));
            }
            return leading;
        }
        for (std::size_t i = 0; i < 8; ++i) {
            leading =
                (leading << 8U) | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
        }
        return leading;
    }

    static std::uint64_t swap_bytes(std::uint64_t x) noexcept {
        x = ((x & 0x00FF00FF00FF00FFU) << 8U) | ((x >> 8U) & 0x00FF00FF00FF00FFU);
        x = ((x & 0x0000FFFF0000FFFFU) << 16U) | ((x >> 16U) & 0x0000FFFF0000FFFFU);
        return std::rotl(x, 32);
    }

    const StringList& strings_;
    std::uint64_t leading_ = 0;
    std::uint32_t next_ = 0;
};

bool strictly_ascends(const StringList& strings) noexcept {
    InOrder order(strings);
    for (std::uint32_t i = 1; i < strings.size(); ++i) {
        if (order.compare_with_previous(i) >= 0) {
            return false;
        }
    }
    return true;
}

Fault find_document_fault(const SegmentSections& sections) noexcept {
    const lexical::Layout& layout = sections.layout;
    const std::size_t documents = layout.document_lengths.size();
    const std::size_t chunksets = layout.chunkset_lengths.size();
    if (documents > kMaxCount || sections.document_ids.size() != documents ||
        sections.paths.ends().size() != documents) {
        return "the documents are not counted alike";
    }
    if (!are_starts(layout.first_chunkset, documents, chunksets)) {
        return "the chunksets of documents are out of order";
    }
    if (!are_strings(sections.paths)) {
        return "the paths are out of bounds";
    }
    InOrder order(sections.paths);
    for (std::uint32_t i = 1; i < documents; ++i) {
        const int comparison = order.compare_with_previous(i);
        if (comparison > 0 ||
            (comparison == 0 && sections.document_ids[i - 1] >= sections.document_ids[i])) {
            return "the documents are out of order";
        }
    }
    return std::nullopt;
}

Fault find_posting_fault(const lexical::PostingLists& lists,
                         std::size_t terms,
                         std::size_t ordinals) noexcept {
    const std::size_t total = lists.ordinals.size();
    if (lists.first.size() != total || lists.second.size() != total ||
        !are_starts(lists.starts, terms, total)) {
        return "the postings are out of bounds";
    }
    if (!all_below(lists.ordinals, ordinals)) {
        return "a posting names what is not there";
    }
    if (!runs_ascend(lists.starts, lists.ordinals)) {
        return "postings are out of order";
    }
    std::size_t empty = 0;
    for (std::size_t i = 0; i < total; ++i) {
        empty += static_cast<std::size_t>((lists.first[i] | lists.second[i]) == 0);
    }
    if (empty > 0) {
        return "a posting has no frequency";
    }
    return std::nullopt;
}

Fault find_value_fault(const filter::ValueIndex& values, std::size_t documents) noexcept {
    const Numbers key_of_value = values.key_of_value();
    if (!are_strings(values.keys()) || !are_strings(values.values())) {
        return "the metadata strings are out of bounds";
    }
    if (!strictly_ascends(values.keys())) {
        return "the metadata keys are out of order";
    }
    if (key_of_value.size() != values.values().size() || !ascends(key_of_value) ||
        !all_below(key_of_value, values.keys().size())) {
        return "a metadata value has no key";
    }
    InOrder order(values.values());
    for (std::uint32_t i = 1; i < key_of_value.size(); ++i) {
        if (key_of_value[i] == key_of_value[i - 1] && order.compare_with_previous(i) >= 0) {
            return "the metadata values are out of order";
        }
    }
    if (!are_starts(values.starts(), key_of_value.size(), values.documents().size())) {
        return "the documents of metadata values are out of bounds";
    }
    if (!all_below(values.documents(), documents)) {
        return "a metadata value names a document that is not there";
    }
    if (!runs_ascend(values.starts(), values.documents())) {
        return "the documents of a metadata value are out of order";
    }
    return std::nullopt;
}

}  // namespace

Fault find_fault(const SegmentSections& sections) noexcept {
    if (const Fault fault = find_document_fault(sections)) {
        return fault;
    }
    if (!are_strings(sections.dictionary)) {
        return "the terms are out of bounds";
    }
    if (!strictly_ascends(sections.dictionary)) {
        return "the terms are out of order";
    }
    const std::size_t terms = sections.dictionary.ends().size();
    const lexical::Layout& layout = sections.layout;
    if (const Fault fault =
            find_posting_fault(sections.by_document, terms, layout.document_lengths.size())) {
        return fault;
    }
    if (const Fault fault =
            find_posting_fault(sections.by_chunkset, terms, layout.chunkset_lengths.size())) {
        return fault;
    }
    if (sections.vectors) {
        if (sections.vectors->present().size() != layout.chunkset_lengths.size()) {
            return "the vectors are not one for each chunkset";
        }
        if (const Fault fault = vector::find_fault(*sections.vectors)) {
            return fault;
        }
    }
    return find_value_fault(sections.values, layout.document_lengths.size());
}

}  // namespace rootleaf::index
