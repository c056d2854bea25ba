#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/base/mapped_file.hpp"
#include "rootleaf/text/static_table.hpp"
#include "rootleaf/text/static_table_format.hpp"

namespace rootleaf::text {

namespace {

using format::Kind;
using Bytes = std::span<const std::byte>;

/// Sums of rows stay far below what a float can hold, in texts of any length.
constexpr float kMaxScale = 1e6F;

void require(bool holds, std::string_view otherwise) {
    if (!holds) {
        throw Error(ErrorCode::table_invalid,
                    "the table of vectors cannot be used: " + std::string(otherwise));
    }
}

format::Header read_header(Bytes file) {
    require(reinterpret_cast<std::uintptr_t>(file.data()) % alignof(std::uint64_t) == 0,
            "its bytes lie at an odd address");
    constexpr std::size_t kFrontBytes =
        sizeof(format::Header) + format::kSectionCount * sizeof(format::SectionEntry);
    require(file.size() >= kFrontBytes, "it is cut short");
    format::Header header{};
    std::memcpy(&header, file.data(), sizeof header);
    require(header.magic == format::kMagic, "it is no such table");
    require(header.byte_order == format::kByteOrder, "its byte order is another");
    require(header.version == format::kFormatVersion, "its version is another");
    require(header.file_bytes == file.size(), "its size is another than it says");
    require(checksum(file.subspan(format::kCheckedFrom, kFrontBytes - format::kCheckedFrom)) ==
                header.checksum,
            "its header is damaged");
    require(header.section_count == format::kSectionCount, "its sections are others");
    require(header.dimension != 0 && header.dimension % format::kBlock == 0 &&
                header.dimension <= format::kMaxDimension,
            "its vectors have no such dimension");
    return header;
}

/// The arrays of a file whose header is sound.
class SectionReader {
public:
    explicit SectionReader(Bytes file) noexcept : file_(file) {}

    template <typename Element>
    [[nodiscard]] std::span<const Element> elements(Kind kind, bool verified = true) const {
        const format::SectionEntry row = entry(kind);
        require(row.offset % format::kAlignment == 0 && row.offset <= file_.size() &&
                    row.bytes <= file_.size() - row.offset && row.bytes % sizeof(Element) == 0,
                "a section is out of bounds");
        const Bytes bytes = file_.subspan(static_cast<std::size_t>(row.offset),
                                          static_cast<std::size_t>(row.bytes));
        require(!verified || checksum(bytes) == row.checksum, "a section is damaged");
        return {reinterpret_cast<const Element*>(bytes.data()), bytes.size() / sizeof(Element)};
    }

    [[nodiscard]] format::SectionEntry entry(Kind kind) const noexcept {
        format::SectionEntry row{};
        std::memcpy(
            &row,
            file_.data() + sizeof(format::Header) + static_cast<std::size_t>(kind) * sizeof row,
            sizeof row);
        return row;
    }

private:
    Bytes file_;
};

bool is_usable(float scale) noexcept { return scale >= 0 && scale <= kMaxScale; }

}  // namespace

/// What a table is made of, once every bound of it holds.
struct StaticTable::Sections {
    WordPieceParts wordpiece;
    std::uint32_t dimension;
    Checksum identity{};
    Checksum rows_checksum{};
    std::span<const float> scales;
    std::span<const std::int8_t> rows;

    explicit Sections(Bytes file) {
        if constexpr (std::endian::native != std::endian::little) {
            require(false, "it is read by little-endian CPUs only");
        }
        const format::Header header = read_header(file);
        const SectionReader reader(file);
        dimension = header.dimension;
        identity = header.checksum;
        wordpiece.tokens = {reader.elements<char>(Kind::token_bytes),
                            reader.elements<std::uint32_t>(Kind::token_ends)};
        wordpiece.slots = reader.elements<std::uint16_t>(Kind::token_slots);
        wordpiece.unknown_id = header.unknown_id;
        wordpiece.characters.block_of = reader.elements<std::uint16_t>(Kind::block_of);
        wordpiece.characters.entries = reader.elements<std::uint16_t>(Kind::entries);
        wordpiece.characters.mapping_ends = reader.elements<std::uint32_t>(Kind::mapping_ends);
        wordpiece.characters.units = reader.elements<std::uint32_t>(Kind::units);
        if (const auto fault = wordpiece.find_fault()) {
            require(false, *fault);
        }
        scales = reader.elements<float>(Kind::scales);
        rows = reader.elements<std::int8_t>(Kind::rows, false);
        rows_checksum = reader.entry(Kind::rows).checksum;
        const std::size_t token_count = wordpiece.tokens.size();
        require(header.token_count == token_count && scales.size() == token_count &&
                    rows.size() == token_count * dimension,
                "its tokens and its vectors are not of one number");
        require(std::ranges::all_of(scales, is_usable), "a scale of its vectors is out of range");
        const auto unknown = rows.subspan(header.unknown_id * std::size_t{dimension}, dimension);
        require(scales[header.unknown_id] >= 1e-12F &&
                    std::ranges::any_of(unknown, [](std::int8_t number) { return number != 0; }),
                "the vector of its unknown token is zero");
    }
};

StaticTable::StaticTable(const Sections& sections, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)),
      wordpiece_(sections.wordpiece),
      dimension_(sections.dimension),
      identity_(sections.identity),
      rows_checksum_(sections.rows_checksum),
      scales_(sections.scales),
      rows_(sections.rows) {}

StaticTable::StaticTable(Bytes file, std::shared_ptr<const void> owner)
    : StaticTable(Sections(file), std::move(owner)) {}

std::shared_ptr<const StaticTable> StaticTable::open(const std::string& path) {
    const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
    return std::make_shared<const StaticTable>(file->bytes(), file);
}

}  // namespace rootleaf::text
