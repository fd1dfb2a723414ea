// The bit planes of Blosc chunks whose bits are shuffled: the streams hold them already.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <vector>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/blosc/blosc.h"
#include "codec/blosc/parts.h"

namespace sluice::codec {
namespace {

using blosc::Header;

/// The planes that a stream holds, from `first` on: those of a block, or of one byte of its
/// elements.
struct Stream {
    int first = 0, planes = 0;
    std::size_t plane_bytes = 0;
};

// Planes that repeat are written. Returns how many there are before those that are empty.
Result<int> decode_planes_of(Bytes chunk, Header const& h, Bytes in, Stream const& s, Isa isa,
                             std::byte* to) {
    std::size_t const bytes = static_cast<std::size_t>(s.planes) * s.plane_bytes;
    if (h.codec != blosc::of_lz4 || in.size() == bytes) {
        SLUICE_CHECK(blosc::decode_stream(chunk, h, in, {to, bytes}));
        return s.planes;
    }
    auto const plane_bytes = static_cast<index>(s.plane_bytes);
    SLUICE_TRY(PlanesFound const found,
               decode_planes({in, 0, 8 * plane_bytes}, Compression::lz4, isa,
                             chunk.data() + chunk.size(), s.planes, to));
    write_repeats(found, plane_bytes, s.planes, to);
    return found.repeats ? s.planes : found.filled;
}

}  // namespace

Result<std::optional<int>> blosc_planes(Bytes chunk, int element, index elements, Isa isa,
                                        PlanesRoom const& room) {
    std::size_t const whole = static_cast<std::size_t>(elements) * static_cast<unsigned>(element);
    SLUICE_TRY(Header const h, blosc::read_header(chunk, whole));
    constexpr unsigned kinds = blosc::byte_shuffled | blosc::stored | blosc::bit_shuffled;
    // Blosc leaves blocks alone whose elements are no whole groups of eight.
    std::size_t const group = 8 * h.element;
    if ((h.flags & kinds) != blosc::bit_shuffled || h.bytes != whole ||
        h.element != static_cast<std::size_t>(element) || h.block % group != 0 ||
        whole % group != 0)
        return std::optional<int>();
    auto const stream_of = [&](std::size_t b, std::size_t n) {
        int const planes = 8 * element / static_cast<int>(h.streams_of(b));
        return Stream{static_cast<int>(n) * planes, planes, h.bytes_of(b) / group};
    };
    auto const place = [&](std::size_t b, int p) {
        return room.planes + p * room.stride + b * h.block / group;
    };
    std::vector<std::uint8_t> filled;  // planes of each stream
    int top = 0;
    for (std::size_t b = 0; b < h.blocks(); ++b)
        SLUICE_CHECK(blosc::for_each_stream(chunk, h, b, [&](Bytes in, std::size_t n) -> Status {
            Stream const s = stream_of(b, n);
            SLUICE_TRY(int const some, decode_planes_of(chunk, h, in, s, isa, room.memory));
            for (int p = 0; p < some; ++p)
                std::memcpy(place(b, s.first + p),
                            room.memory + static_cast<std::size_t>(p) * s.plane_bytes,
                            s.plane_bytes);
            filled.push_back(static_cast<std::uint8_t>(some));
            if (some > 0) top = std::max(top, s.first + some);
            return {};
        }));
    auto next = filled.begin();
    for (std::size_t b = 0; b < h.blocks(); ++b)
        for (std::size_t n = 0; n < h.streams_of(b); ++n, ++next) {
            Stream const s = stream_of(b, n);
            for (int p = s.first + *next; p < std::min(top, s.first + s.planes); ++p)
                std::memset(place(b, p), 0, s.plane_bytes);
        }
    return std::optional(top);
}

}  // namespace sluice::codec
