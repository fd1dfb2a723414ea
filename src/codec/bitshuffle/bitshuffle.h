// Bitshuffle as HDF5 filter 32008 writes it: blocks of bit planes, bare or compressed.
// Source: the filter's own description in kiyo-masui/bitshuffle and DECTRIS' compression library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/bytes.h"
#include "codec/lz4planes/lz4planes.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

enum class Compression : std::uint8_t { none, lz4, zstd };

/// Elements per block when a file names no number: 8192 bytes, at least 128 elements.
index default_block_elements(int element_bytes);

/// One block of a chunk, not yet decompressed.
struct ShuffledBlock {
    Bytes bytes = {};  ///< compressed (or, without compression, the planes themselves)
    index first = 0;   ///< its first element
    index count = 0;   ///< its elements, a multiple of 8
};

/// The blocks of one chunk, in order. Their lengths are known only by walking.
class BlockWalk {
  public:
    /// Reads the header. `elements` of `element_bytes` bytes are what the chunk must hold;
    /// `block_elements` matters without compression only (0: the default).
    static Result<BlockWalk> begin(Bytes chunk, Compression compression, index elements,
                                   int element_bytes, index block_elements = 0);

    index block_elements() const { return block_elements_; }
    bool done() const { return next_ == whole_; }
    /// The next block. Error::at is the offset in the chunk.
    Result<ShuffledBlock> next() {
        ShuffledBlock block;
        block.first = next_;
        block.count = whole_ - next_ < block_elements_ ? whole_ - next_ : block_elements_;
        auto size = static_cast<std::size_t>(block.count * element_bytes_);
        if (compression_ != Compression::none) {
            if (chunk_.size() - offset_ < 4) return too_short(0);
            size = load_be<std::uint32_t>(chunk_.data() + offset_);
            offset_ += 4;
        }
        if (size > chunk_.size() - offset_) return too_short(size);
        block.bytes = chunk_.subspan(offset_, size);
        offset_ += size;
        next_ += block.count;
        return block;
    }
    /// Where the chunk ends, and with it what may be read.
    std::byte const* end() const { return chunk_.data() + chunk_.size(); }
    /// After the last block: the up to 7 elements that stand verbatim at the end.
    Result<Bytes> tail() const;

  private:
    Error too_short(std::size_t size) const;

    Bytes chunk_ = {};
    Compression compression_ = Compression::none;
    int element_bytes_ = 1;
    index elements_ = 0, block_elements_ = 0;
    index whole_ = 0;         // elements in blocks, the tail left out
    index next_ = 0;          // first element not yet walked over
    std::size_t offset_ = 0;  // of the next block in the chunk
};

/// Decompresses one block into its planes; `out` has exactly the block's size.
Status decode_block(ShuffledBlock const& block, Compression compression, std::span<std::byte> out);

/// The same, but planes that repeat or are empty are not written: they hold old bytes, and only the
/// result says what they are. `out` has planes_slack bytes more than the block, which may be
/// written too. `readable_end` as for Lz4Planes.
Result<PlanesFound> decode_planes(ShuffledBlock const& block, Compression compression, Isa isa,
                                  std::byte const* readable_end, int planes, std::byte* out);

/// Writes the planes up to `count` that repeat the last one found.
void write_repeats(PlanesFound const& found, index plane_bytes, int count, std::byte* planes);

/// Elements larger than this are refused; no numbers are as large.
constexpr int most_element_bytes = 1024;

/// A whole chunk to little-endian elements of any size up to most_element_bytes.
Status decode_bitshuffle(Bytes chunk, Compression compression, int element_bytes,
                         std::span<std::byte> values, index block_elements = 0);

/// The bytes of a whole chunk, header included. `block_elements` 0: the default.
std::vector<std::byte> encode_bitshuffle(Bytes values, int element_bytes, index block_elements = 0);
std::vector<std::byte> encode_bitshuffle_lz4(Bytes values, int element_bytes,
                                             index block_elements = 0);
std::vector<std::byte> encode_bitshuffle_zstd(Bytes values, int element_bytes,
                                              index block_elements = 0);

/// HDF5 filter 32004: the same header, LZ4 blocks of plain bytes, incompressible ones verbatim.
Status decode_lz4(Bytes chunk, std::span<std::byte> values);
std::vector<std::byte> encode_lz4(Bytes values, index block_bytes = 0);

}  // namespace sluice::codec
