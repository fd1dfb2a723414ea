// FrameSource: where the encoded bytes of a frame are; the one interface a format implements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "codec/medipix/medipix.h"
#include "format/stored_type.h"
#include "sluice/dataset.h"

namespace sluice {

/// How the bytes of a frame are stored. What the store does not decode itself arrives as `values`.
enum class Encoding : std::uint8_t {
    missing,          ///< never written: all pixels are the one value in `bytes`, or zero
    values,           ///< little-endian elements, row by row
    bitshuffle,       ///< HDF5 filter 32008 without compression
    bitshuffle_lz4,   ///< 32008 with LZ4, the 12-byte header first
    bitshuffle_zstd,  ///< 32008 with zstd, the 12-byte header first
    lz4,              ///< HDF5 filter 32004, the 12-byte header first
    lz4_block,        ///< one plain block of LZ4, without a header
    big_endian,       ///< as `values`, each element's most significant byte first
    medipix,          ///< counters as Medipix3 chips send them
    hits,             ///< the pixel of each electron (16 bits, little-endian), of any order
    wide_hits,        ///< the same with 32 bits, of detectors with more pixels
    row_planes,       ///< bit planes of eight rows each (codec/rowplanes)
};

struct EncodedFrame {
    Encoding encoding = Encoding::missing;
    Bytes bytes = {};
    index block_elements = 0;  ///< `bitshuffle` only: elements per block, 0: the default
    std::uint64_t at = 0;      ///< offset in `file`, for error messages
    std::string const* file = nullptr;
    Conversion changed = {};  ///< `values` only: what the reader could not keep as it was
    bool partial = false;     ///< `values` only: a part was never written and is the fill value
    index number = 0;         ///< of a feed: the frame of the scan
    /// `bitshuffle*`: bytes of the elements that were shuffled, where these are not the pixels.
    int shuffled_bytes = 0;
    codec::MedipixRaw medipix = {};  ///< `medipix` only
};

/// Memory a worker lends to fetch(); the frames point into it (or into the source).
struct FetchScratch {
    std::vector<std::byte> bytes;
    std::vector<std::shared_ptr<void const>> held = {};  ///< what a live source gave away
};

/// What a file decodes at once where that is not one frame.
struct FrameBlock {
    std::array<index, 2> scan{1, 1};  ///< points; {1, n} of frames that are only numbered
    std::array<index, 2> detector{};  ///< pixels
    std::uint64_t kept_bytes = 0;     ///< of decoded blocks that stay for the next frames
};

class FrameSource {
  public:
    virtual ~FrameSource() = default;

    /// Fetches the encoded frames first .. first + out.size() - 1. Threads may call it at once,
    /// each with its own scratch; the frames are valid until the scratch is used again.
    virtual Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const = 0;

    /// Encoded bytes of all frames together, as far as known: what reading everything costs.
    virtual std::uint64_t stored_bytes() const = 0;

    /// Empty: frames are read one by one.
    virtual std::optional<FrameBlock> block() const { return {}; }
};

}  // namespace sluice
