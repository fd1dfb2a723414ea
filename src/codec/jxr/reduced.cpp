// Images at a fraction of their size, out of low-pass or DC coefficients.
// SPDX-License-Identifier: Apache-2.0
//
// The factors are those of jxrlib (image/decode/strdec.c), BSD-2-Clause, copyright Microsoft Corp.;
// see NOTICE.
#include "codec/jxr/image.h"

namespace sluice::codec::jxr {
namespace {

using std::int32_t;
using std::uint32_t;

int32_t mean(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b) + 1) >> 1;
}

// Chroma coefficient x of row r (0 .. 3) of a row of macroblocks, as if there were as many as of
// luma rows.
int32_t chroma_at(Channel const& channel, Blocks low, index r, index x) {
    auto const at = [&](index row) { return low.at[(2 * row + x % 2) * low.stride + x / 2]; };
    if (channel.down == 4) return at(r);
    return r == 1 ? mean(at(0), at(1)) : at(r / 2);
}

}  // namespace

ReducedScale reduced_scale(int reduction, int overlap, bool scaled, Color color) {
    constexpr int32_t by_overlap[3] = {16, 23, 34};
    int32_t const factor = reduction == 16 ? by_overlap[overlap] : overlap == 0 ? 64 : 93;
    int const luma = scaled ? 11 : 8;
    bool const half = color == Color::yuv420 || color == Color::yuv422;
    int const less = scaled && reduction == 16 ? (half ? 2 : 1) : 0;
    return {factor, luma, luma - less};
}

void reduced_row(Header const& header, Plane const& plane, int c, int reduction, index row,
                 int32_t* out) {
    Channel const& channel = plane.channel(c);
    index const n = header.blocks_across;
    if (reduction == 16) {
        Blocks const low = channel.low_row(row);
        for (index x = 0; x < n; ++x) out[x] = low.at[x];
        return;
    }
    Blocks const low = channel.low_row(row / 4);
    index const r = row % 4;
    if (channel.across == 4) {
        for (index x = 0; x < 4 * n; ++x) out[x] = low.at[(4 * (x % 4) + r) * low.stride + x / 4];
        return;
    }
    for (index x = 0; x < 2 * n; ++x) {
        out[2 * x] = chroma_at(channel, low, r, x);
        // Beyond the image's width there is nothing to take the mean with.
        out[2 * x + 1] = 8 * (x + 1) < header.left + header.width && x + 1 < 2 * n
                             ? mean(out[2 * x], chroma_at(channel, low, r, x + 1))
                             : out[2 * x];
    }
}

}  // namespace sluice::codec::jxr
