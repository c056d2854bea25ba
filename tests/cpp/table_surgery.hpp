#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rootleaf/base/checksum.hpp"
#include "rootleaf/base/mapped_file.hpp"
#include "rootleaf/text/static_table.hpp"
#include "rootleaf/text/static_table_format.hpp"

/// A copy of the built-in table that can be damaged, and made to look sound again.
class TableCopy {
public:
    TableCopy() {
        const auto file = rootleaf::MappedFile::open(ROOTLEAF_STATIC_TABLE);
        byte_count_ = file->bytes().size();
        words_.resize(byte_count_ / sizeof(std::uint64_t) + 1);
        std::memcpy(words_.data(), file->bytes().data(), byte_count_);
    }

    [[nodiscard]] std::span<std::byte> bytes() {
        return std::as_writable_bytes(std::span(words_)).first(byte_count_);
    }

    [[nodiscard]] rootleaf::text::format::Header header() {
        rootleaf::text::format::Header header{};
        std::memcpy(&header, bytes().data(), sizeof header);
        return header;
    }

    void set_header(const rootleaf::text::format::Header& header) {
        std::memcpy(bytes().data(), &header, sizeof header);
    }

    [[nodiscard]] rootleaf::text::format::SectionEntry entry(std::size_t kind) {
        rootleaf::text::format::SectionEntry entry{};
        std::memcpy(&entry, entry_bytes(kind).data(), sizeof entry);
        return entry;
    }

    void set_entry(std::size_t kind, const rootleaf::text::format::SectionEntry& entry) {
        std::memcpy(entry_bytes(kind).data(), &entry, sizeof entry);
    }

    [[nodiscard]] std::span<std::byte> section(std::size_t kind) {
        const auto place = entry(kind);
        return bytes().subspan(static_cast<std::size_t>(place.offset),
                               static_cast<std::size_t>(place.bytes));
    }

    /// Writes the checksums that the bytes now have.
    void reseal(std::size_t kind) {
        auto place = entry(kind);
        place.checksum = rootleaf::checksum(section(kind));
        set_entry(kind, place);
        reseal_front();
    }

    void reseal_front() {
        auto front = header();
        const std::size_t end = sizeof front + rootleaf::text::format::kSectionCount *
                                                   sizeof(rootleaf::text::format::SectionEntry);
        front.checksum = rootleaf::checksum(bytes().subspan(
            rootleaf::text::format::kCheckedFrom, end - rootleaf::text::format::kCheckedFrom));
        set_header(front);
    }

    [[nodiscard]] rootleaf::text::StaticTable open() { return {bytes(), nullptr}; }

private:
    std::span<std::byte> entry_bytes(std::size_t kind) {
        using rootleaf::text::format::SectionEntry;
        return bytes().subspan(sizeof(rootleaf::text::format::Header) + kind * sizeof(SectionEntry),
                               sizeof(SectionEntry));
    }

    std::vector<std::uint64_t> words_;
    std::size_t byte_count_ = 0;
};
