// The headers of Quantum Detectors' Merlin: of a frame (MQ1) and of an acquisition (HDR).
// Source: LiberTEM and LiberTEM-rs (MIT).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "format/frame_source.h"

namespace sluice::mib {

/// What stands before a frame's pixels, as it is said.
struct FrameHeader {
    std::uint64_t sequence = 0;    ///< the first frame of an acquisition has 1
    std::size_t header_bytes = 0;  ///< of this header, with what fills it up
    int chips = 1;
    index width = 0, height = 0;   ///< of raw frames: of what is stored
    std::string_view type = {};    ///< U08, U16, U32, or R64: raw
    std::string_view layout = {};  ///< 1x1, 2x2; with G: with gaps between the chips
    int depth = 0;                 ///< bits of a counter; 0: not said
    double exposure_s = 0;
};
/// Headers are no longer than that.
constexpr std::size_t most_header_bytes = 4096;
/// So many bytes tell how long the header is.
constexpr std::size_t header_start_bytes = 16;

/// How long the header is that begins these bytes; nothing: none begins there.
std::optional<std::size_t> header_bytes_of(Bytes bytes);
/// `bytes` has all of the header; the texts point into it.
Result<FrameHeader> read_frame_header(Bytes bytes);

/// What the pixels of a frame are.
struct FrameLayout {
    index rows = 0, cols = 0;
    DType dtype = DType::u16;
    Encoding encoding = Encoding::values;
    codec::MedipixRaw medipix = {};
    std::size_t bytes = 0;  ///< of the stored pixels

    bool operator==(FrameLayout const&) const = default;
};
/// `stored` is how many bytes come after the header. `depth` is for headers that do not say it.
Result<FrameLayout> layout_of(FrameHeader const& header, std::size_t stored, int depth = 0);

/// What an acquisition says of itself; 0 or empty: it does not.
struct AcquisitionHeader {
    index frames = 0;
    std::optional<std::array<index, 2>> scan = {};
    std::string scan_from = {};  ///< which lines say so
    int depth = 0;
    std::vector<MetaField> fields = {};  ///< some of the others
};
constexpr std::size_t most_hdr_bytes = 1 << 20;
AcquisitionHeader read_hdr(Bytes text);

/// Without the blanks, line ends and NULs around it.
std::string_view trimmed(std::string_view text);

}  // namespace sluice::mib
