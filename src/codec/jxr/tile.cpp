// The tiles of a JPEG XR image: their packets, quantisers and what their decoders have learned.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/tile.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::codec::jxr {
namespace {

// The factor that an index stands for. Scaled planes have `shift` more bits.
std::int32_t factor(int index, bool scaled, int shift) {
    if (index == 0) return 1;
    int const row = index >> 4, column = 16 + (index & 15);
    if (scaled) return index < 16 ? index << shift : column << (row - 1 + shift);
    if (index < 32) return (index + 3) >> 2;
    if (index < 48) return (column + 1) / 2 << (row - 2);
    return column << (row - 3);
}

// Chroma of the DC and low-pass bands has a bit less.
void set_factors(std::uint8_t const* index, PlaneHeader const& plane, bool high,
                 std::int32_t* factors) {
    for (int c = 0; c < plane.channels(); ++c)
        factors[c] = factor(index[c], plane.scaled, c > 0 && !high ? 0 : 1);
}

void read_factors(Bits& bits, PlaneHeader const& plane, bool high, std::int32_t* factors) {
    std::uint8_t index[3];
    auto const mode = plane.channels() > 1 ? bits.read(2) : 0;
    for (int c = 0; c < plane.channels(); ++c)
        index[c] = c == 0 || mode > 1 || (mode == 1 && c == 1)
                       ? static_cast<std::uint8_t>(bits.read(8))
                       : index[c - 1];
    set_factors(index, plane, high, factors);
}

Error corrupt_packet(std::size_t row, std::size_t column, int band) {
    return {Code::corrupt, fmt::format("JPEG XR packet {} of tile ({}, {}) without its mark (it "
                                       "begins with 0, 0, 1) fetch or export the file again",
                                       band, row, column)};
}

}  // namespace

Status open_packets(Bytes codestream, Header const& header, std::vector<index> const& starts,
                    std::size_t row, std::size_t column, int bands, Packets& packets,
                    int& trimmed) {
    std::size_t const tile = row * (header.tiles_x.size() - 1) + column;
    int const stored = header.frequency ? header.plane.bands : 1;
    for (int band = 0; band < 4; ++band) packets.of_band[band] = header.frequency ? band : 0;
    trimmed = 0;
    for (int i = 0; i < std::min(stored, header.frequency ? bands : 1); ++i) {
        index const start =
            starts[tile * static_cast<std::size_t>(stored) + static_cast<std::size_t>(i)];
        Bits& bits = packets.bits[i];
        bits = Bits(codestream.subspan(static_cast<std::size_t>(start)));
        // The packet of the lowest bits may be missing: they are zeros then.
        bool const marked = bits.read(24) == 1;
        if (!marked && i < 3) return corrupt_packet(row, column, i);
        bits.read(8);
        if (header.trims_flexbits && i == (header.frequency ? 3 : 0))
            trimmed = static_cast<int>(bits.read(4));
    }
    return {};
}

TileQuantisers plane_quantisers(PlaneHeader const& plane) {
    TileQuantisers q;
    set_factors(plane.dc.index, plane, false, q.dc);
    set_factors(plane.low.index, plane, false, q.low[0]);
    // As libjxr has it, factors taken over from the low-pass band are not scaled anew.
    set_factors(plane.high.index, plane, !plane.high_as_low, q.high[0]);
    return q;
}

void read_tile_quantisers(PlaneHeader const& plane, Band band, Bits& bits, TileQuantisers& q) {
    if (band == Band::dc) {
        if (plane.dc.per_tile) read_factors(bits, plane, false, q.dc);
        return;
    }
    bool const high = band == Band::high;
    if (!(high ? plane.high : plane.low).per_tile) return;
    auto& factors = high ? q.high : q.low;
    int& count = high ? q.high_count : q.low_count;
    int& width = high ? q.high_bits : q.low_bits;
    width = 0;
    count = 1;
    if (bits.read(1) != 0) {  // as the band before
        if (high) count = q.low_count;
        for (int i = 0; i < count; ++i) std::copy_n(high ? q.low[i] : q.dc, 3, factors[i]);
        return;
    }
    count = static_cast<int>(bits.read(4)) + 1;
    width = index_bits(count);
    for (int i = 0; i < count; ++i) read_factors(bits, plane, high, factors[i]);
}

}  // namespace sluice::codec::jxr
