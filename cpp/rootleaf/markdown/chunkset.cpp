#include "rootleaf/markdown/chunkset.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>

#include "rootleaf/markdown/chunk_outline.hpp"

namespace rootleaf::markdown {

namespace {

using Hash = ChunksetKey;

constexpr std::uint64_t kEachByte = 0x0101010101010101U;
constexpr std::uint64_t kHighOfPrintable = 0xE0;
constexpr std::uint32_t kByteBits = 8;

/// The highest bit of each byte that is zero.
constexpr std::uint64_t zero_bytes(std::uint64_t word) noexcept {
    constexpr std::uint64_t kLow = kEachByte * 0x7F;
    return ~(((word & kLow) + kLow) | word | kLow);
}

Hash hash_bytes(const void* bytes, std::size_t count) noexcept {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, count));
    Hash hash;
    std::copy(std::begin(canonical.digest), std::end(canonical.digest), hash.begin());
    return hash;
}

/// Bytes that are hashed together; each part has a tag, so that no two sequences of parts are
/// alike.
class HashInput {
public:
    void clear() noexcept { bytes_.clear(); }
    void add(std::uint32_t number) {
        for (std::uint32_t shift = 4 * kByteBits; shift > 0; shift -= kByteBits) {
            bytes_.push_back(static_cast<std::uint8_t>(number >> (shift - kByteBits)));
        }
    }
    void add(char tag, const Hash& hash) {
        bytes_.push_back(static_cast<std::uint8_t>(tag));
        bytes_.insert(bytes_.end(), hash.begin(), hash.end());
    }
    [[nodiscard]] Hash hash() const noexcept { return hash_bytes(bytes_.data(), bytes_.size()); }

private:
    std::vector<std::uint8_t> bytes_;
};

bool is_weightless(ChunkKind kind) noexcept {
    return kind == ChunkKind::thematic_break || kind == ChunkKind::link_definition;
}

class Packer {
public:
    Packer(std::string_view text, const std::vector<Chunk>& chunks, std::uint32_t max_tokens)
        : text_(text),
          chunks_(chunks),
          max_tokens_(max_tokens),
          max_bytes_(std::uint64_t{max_tokens} * kBytesPerToken),
          has_children_(chunks.size(), false),
          text_hashes_(chunks.size()),
          path_hashes_(chunks.size()) {
        for (const Chunk& chunk : chunks) {
            if (chunk.parent != kNone) {
                has_children_[chunk.parent] = true;
            }
        }
    }

    std::vector<Chunkset> run() {
        const auto count = static_cast<std::uint32_t>(chunks_.size());
        for (std::uint32_t index = 0; index < count;) {
            text_hashes_[index] = hash_of(chunks_[index].span);
            if (has_children_[index]) {
                set_path(index);
                ++index;
                continue;
            }
            const std::uint32_t end = group_end(index);
            for (std::uint32_t leaf = index + 1; leaf < end; ++leaf) {
                text_hashes_[leaf] = hash_of(chunks_[leaf].span);
            }
            add(index, end);
            index = end;
        }
        close();
        return std::move(chunksets_);
    }

private:
    [[nodiscard]] std::uint64_t size_bytes(std::uint32_t leaf) const noexcept {
        return chunks_[leaf].span.end - chunks_[leaf].span.start;
    }

    /// A heading without content stands alone, so that its section never shares a chunkset.
    [[nodiscard]] bool stands_alone(std::uint32_t leaf) const noexcept {
        return chunks_[leaf].level != 0;
    }

    /// One past the leaves that must not be parted: a leaf and the weightless ones behind it.
    [[nodiscard]] std::uint32_t group_end(std::uint32_t first) const noexcept {
        std::uint64_t bytes = size_bytes(first);
        std::uint32_t end = first + 1;
        if (stands_alone(first)) {
            return end;
        }
        while (end < chunks_.size() && is_weightless(chunks_[end].kind) && !has_children_[end] &&
               chunks_[end].parent == chunks_[first].parent) {
            bytes += 1 + size_bytes(end);
            if (bytes > max_bytes_) {
                break;
            }
            ++end;
        }
        return end;
    }

    void add(std::uint32_t first, std::uint32_t end) {
        std::uint64_t bytes = end - first - 1;
        for (std::uint32_t leaf = first; leaf < end; ++leaf) {
            bytes += size_bytes(leaf);
        }
        const bool continues = open_count_ > 0 && open_first_ + open_count_ == first &&
                               chunks_[open_first_].parent == chunks_[first].parent &&
                               !stands_alone(open_first_) && !stands_alone(first) &&
                               open_bytes_ + 1 + bytes <= max_bytes_ &&
                               !is_cut_before(first, bytes);
        if (continues) {
            open_count_ += end - first;
            open_bytes_ += 1 + bytes;
            return;
        }
        close();
        open_first_ = first;
        open_count_ = end - first;
        open_bytes_ = bytes;
    }

    [[nodiscard]] bool is_cut_before(std::uint32_t leaf, std::uint64_t bytes) const noexcept {
        constexpr std::uint8_t kOneInFour = 3;
        // Of leaves longer than a third only two fit: without the second case each boundary would
        // follow from the one before, and never from the text.
        const bool is_full_enough =
            open_bytes_ >= max_bytes_ / 2 ||
            (open_bytes_ >= max_bytes_ / 3 && open_bytes_ + 1 + bytes > 2 * max_bytes_ / 3);
        return is_full_enough && !is_weightless(chunks_[leaf].kind) &&
               (text_hashes_[leaf].back() & kOneInFour) == 0;
    }

    void close() {
        if (open_count_ == 0) {
            return;
        }
        const Chunk& first = chunks_[open_first_];
        input_.clear();
        input_.add(kChunkerVersion);
        input_.add(max_tokens_);
        if (first.parent != kNone) {
            input_.add('a', path_hashes_[first.parent]);
        }
        ByteSpan shown_head{0, 0};
        for (std::uint32_t leaf = open_first_; leaf < open_first_ + open_count_; ++leaf) {
            const ByteSpan head = chunks_[leaf].head;
            if (head.start != head.end && head.start < first.span.start &&
                head.end != shown_head.end) {
                input_.add('h', head_hash(head));
                shown_head = head;
            }
            input_.add('l', text_hashes_[leaf]);
        }
        chunksets_.push_back({open_first_, open_count_, input_.hash()});
        open_count_ = 0;
    }

    /// All pieces of a block have one head: its hash is kept, or long tables would cost its size
    /// for each piece.
    const Hash& head_hash(ByteSpan head) {
        if (head.start != last_head_.start || head.end != last_head_.end) {
            last_head_ = head;
            last_head_hash_ = hash_of(head);
        }
        return last_head_hash_;
    }

    void set_path(std::uint32_t index) {
        input_.clear();
        if (chunks_[index].parent != kNone) {
            input_.add('a', path_hashes_[chunks_[index].parent]);
        }
        input_.add('t', text_hashes_[index]);
        path_hashes_[index] = input_.hash();
    }

    Hash hash_of(ByteSpan span) {
        const std::string_view text = text_.substr(span.start, span.end - span.start);
        if (folded_.size() < text.size()) {
            folded_.resize(text.size());
        }
        return hash_bytes(folded_.data(), fold_blanks(text, folded_.data()));
    }

    std::string_view text_;
    const std::vector<Chunk>& chunks_;
    std::uint32_t max_tokens_;
    std::uint64_t max_bytes_;
    std::vector<bool> has_children_;
    std::vector<Hash> text_hashes_;
    std::vector<Hash> path_hashes_;
    std::vector<char> folded_;
    HashInput input_;
    ByteSpan last_head_{0, 0};
    Hash last_head_hash_{};
    std::uint32_t open_first_ = 0;
    std::uint32_t open_count_ = 0;
    std::uint64_t open_bytes_ = 0;
    std::vector<Chunkset> chunksets_;
};

}  // namespace

std::size_t fold_blanks(std::string_view text, char* out) noexcept {
    constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
    const char* const begin = out;
    bool after_blank = true;
    std::size_t index = 0;
    while (index < text.size()) {
        std::size_t end = text.size();
        if (end - index >= kWordBytes) {
            // Most words of eight bytes hold no white space but single blanks, and stay as they
            // are.
            std::uint64_t word = 0;
            std::memcpy(&word, text.data() + index, kWordBytes);
            const std::uint64_t blanks = zero_bytes(word ^ kEachByte * ' ');
            const std::uint64_t controls = zero_bytes(word & kEachByte * kHighOfPrintable);
            const bool has_runs = controls != 0 || (blanks & (blanks << kByteBits)) != 0 ||
                                  (after_blank && text[index] == ' ');
            if (!has_runs) {
                std::memcpy(out, &word, kWordBytes);
                out += kWordBytes;
                index += kWordBytes;
                after_blank = text[index - 1] == ' ';
                continue;
            }
            end = index + kWordBytes;
        }
        for (; index < end; ++index) {
            const bool blank = is_blank(text[index]);
            *out = blank ? ' ' : text[index];
            out += blank && after_blank ? 0 : 1;
            after_blank = blank;
        }
    }
    if (out != begin && out[-1] == ' ') {
        --out;
    }
    return static_cast<std::size_t>(out - begin);
}

std::vector<Chunkset> pack_chunksets(std::string_view text,
                                     const std::vector<Chunk>& chunks,
                                     std::uint32_t max_tokens) {
    return Packer(text, chunks, max_tokens).run();
}

}  // namespace rootleaf::markdown
