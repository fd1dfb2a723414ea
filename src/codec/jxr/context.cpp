// What the decoder of a tile has learned: codes, scan orders, models of bits and of patterns.
// SPDX-License-Identifier: Apache-2.0
//
// The scan orders and weights are those of jxrlib (image/sys/image.c), BSD-2-Clause, copyright
// Microsoft Corp.; see NOTICE.
#include "codec/jxr/context.h"

#include <algorithm>

#include "codec/jxr/places.h"

namespace sluice::codec::jxr {
namespace {

constexpr int across_order[16] = {0, 1, 4, 5, 2, 8, 6, 9, 3, 12, 10, 7, 13, 11, 14, 15};
constexpr int down_order[16] = {0, 4, 8, 5, 1, 12, 9, 6, 2, 13, 3, 15, 7, 10, 14, 11};

Scan make_scan(int const (&order)[16], bool as_stored) {
    Scan scan{};
    for (int i = 0; i < 16; ++i)
        scan.at[i] = static_cast<std::uint32_t>(as_stored ? place_of[order[i]] : order[i]);
    return scan;
}

}  // namespace

void restart(Scan& scan) {
    for (std::uint32_t i = 0; i < 16; ++i)
        scan.at[i] = (i == 0 ? 32767U : 34 - 2 * i) << 4 | (scan.at[i] & 15);
}

void Context::begin(Color color) {
    constexpr int sizes[21] = {5, 4, 8, 7, 7, 12, 6, 6, 12, 6, 6, 7, 7, 12, 6, 6, 12, 6, 6, 7, 7};
    for (int i = 0; i < 21; ++i) {
        codes[i].of = &alphabet(sizes[i]);
        reset(codes[i]);
    }
    blocks.of = &alphabet(color == Color::gray ? 5 : 9);
    quarters.of = &alphabet(5);
    reset(blocks);
    reset(quarters);
    scan_low = make_scan(across_order, false);
    scan_across = make_scan(across_order, true);
    scan_down = make_scan(down_order, true);
    dc = {{8, 8}, {}};
    low_bits = {{4, 4}, {}};
    high_bits = {};
    low_empty = low_full = 1;
    pattern = {};
}

void Context::adapt_dc() {
    for (int i = 2; i < 5; ++i) adapt(codes[i]);
}

void Context::adapt_low() {
    for (int i = 0; i < high; ++i) adapt(codes[i]);
}

void Context::adapt_high() {
    adapt(blocks);
    adapt(quarters);
    for (int i = high; i < 21; ++i) adapt(codes[i]);
}

namespace {

void update(BitModel& model, int i, int coefficients) {
    constexpr int expected = 70;
    int step = (coefficients - expected) >> 2;
    int& state = model.state[i];
    if (step <= -8) {
        state += std::max(step + 4, -16);
        if (state < -8) {
            state = model.bits[i] == 0 ? -8 : 0;
            model.bits[i] = std::max(model.bits[i] - 1, 0);
        }
    } else if (step >= 8) {
        state += std::min(step - 4, 15);
        if (state > 8) {
            state = model.bits[i] >= 15 ? 8 : 0;
            model.bits[i] = std::min(model.bits[i] + 1, 15);
        }
    }
}

}  // namespace

void update(BitModel& model, Band band, Color color, int luma, int chroma) {
    constexpr int luma_weight[3] = {240, 12, 1};
    constexpr int chroma_weight[4][3] = {{}, {120, 37, 2}, {120, 18, 1}, {120, 6, 8}};
    auto const b = static_cast<int>(band);
    update(model, 0, luma * luma_weight[b]);
    if (color == Color::gray) return;
    int weighted = chroma * chroma_weight[static_cast<int>(color)][b];
    if (color == Color::yuv444 && band == Band::high) weighted >>= 4;
    update(model, 1, weighted);
}

}  // namespace sluice::codec::jxr
