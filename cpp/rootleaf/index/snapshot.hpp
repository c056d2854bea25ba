#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/index/segment.hpp"
#include "rootleaf/index/view.hpp"

namespace rootleaf::index {

/// What a snapshot was made of. It stands for a database only where all of this is equal.
struct SnapshotIdentity {
    std::array<std::byte, 16> database_id{};  ///< drawn at random for this generation
    std::uint64_t generation = 0;             ///< of the database when the snapshot was made
    std::string analyzer_id;                  ///< of the analyzer that made the terms
    std::string chunker_id;                   ///< of the chunker that made the chunksets
    std::uint32_t max_tokens = 0;             ///< that a chunkset may have

    friend bool operator==(const SnapshotIdentity&, const SnapshotIdentity&) = default;
};

/// A segment and which of its documents are still there: one byte each, 1 or 0; or empty: all are.
struct SnapshotSegment {
    std::shared_ptr<const Segment> segment;
    std::span<const std::uint8_t> live;  ///< what `open` gives holds as long as the segment does
};

/// What is wrong with how these segments go together, or nothing: the marks are one 0 or 1 for each
/// document, the document ids of a segment are distinct, none is live in two, and the vectors of
/// live documents have one width.
[[nodiscard]] std::optional<std::string_view> find_live_fault(
    std::span<const SnapshotSegment> segments);

struct Snapshot {
    SnapshotIdentity identity;
    std::vector<SnapshotSegment> segments;

    /// The segments as a view, which reads their arrays where they lie.
    [[nodiscard]] View view() const;
};

/// Puts the segments into a file, as docs/format.md describes it, in one step: see
/// ReplacementFile. Equal segments and identities give equal bytes.
///
/// @param permissions  as for ReplacementFile
///
/// Throws Error(file_unwritable) where the file cannot be written, Error(invalid_input) where the
/// segments have a fault, so that `open_snapshot` would refuse them.
void write_snapshot(const std::string& path,
                    std::span<const SnapshotSegment> segments,
                    const SnapshotIdentity& identity,
                    std::optional<std::uint32_t> permissions = std::nullopt);

void write_snapshot(const std::string& path,
                    const View& view,
                    const SnapshotIdentity& identity,
                    std::optional<std::uint32_t> permissions = std::nullopt);

/// The bytes that `write_snapshot` would write.
[[nodiscard]] std::vector<std::byte> encode_snapshot(std::span<const SnapshotSegment> segments,
                                                     const SnapshotIdentity& identity);

/// Maps a file and gives its segments, which read their arrays where they lie. Everything that
/// safety and order rest on is verified first, so that no file, however made, makes a search or a
/// merge read what is not there; see docs/format.md.
///
/// Throws Error(snapshot_invalid) where the file is no snapshot of this version, or is damaged;
/// Error(file_unreadable) where it is absent or cannot be mapped. Callers ignore the file then.
[[nodiscard]] Snapshot open_snapshot(const std::string& path);

/// The same for bytes in memory, at an address that is a multiple of 8.
/// @param owner  keeps the bytes alive
[[nodiscard]] Snapshot read_snapshot(std::span<const std::byte> bytes,
                                     const std::shared_ptr<const void>& owner);

}  // namespace rootleaf::index
