// What a macroblock's coefficients and patterns are predicted to be from its neighbours.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "codec/jxr/macroblock.h"

namespace sluice::codec::jxr {
namespace {

using std::int32_t;
using std::int64_t;
using std::uint32_t;

// Sums wrap around, as damaged files may have any coefficients.
void add(int32_t& to, int32_t value) {
    to = static_cast<int32_t>(static_cast<uint32_t>(to) + static_cast<uint32_t>(value));
}

int64_t distance(int32_t a, int32_t b) {
    return std::abs(int64_t{a} - b);
}

constexpr int64_t much = 4;  // times stronger decides on a direction

enum class DcMode : std::uint8_t { left, above, mean, none };

DcMode dc_mode(Color color, Position const& at, Neighbours const* n) {
    if (at.first_column) return at.first_row ? DcMode::none : DcMode::above;
    if (at.first_row) return DcMode::left;
    int64_t across = 0, down = 0;
    for (int c = 0; c < (color == Color::gray ? 1 : 3); ++c) {
        int64_t const weight = c > 0 || color == Color::gray ? 1
                               : color == Color::yuv420      ? 8
                               : color == Color::yuv422      ? 4
                                                             : 2;
        int32_t const corner = n[c].above[-1].dc;
        across += weight * distance(corner, n[c].here[-1].dc);
        down += weight * distance(corner, n[c].above->dc);
    }
    return across * much < down   ? DcMode::above
           : down * much < across ? DcMode::left
                                  : DcMode::mean;
}

void predict_dc(DcMode mode, int32_t round, Neighbours const& n, int32_t& dc) {
    if (mode == DcMode::above) add(dc, n.above->dc);
    if (mode == DcMode::left) add(dc, n.here[-1].dc);
    if (mode == DcMode::mean)
        add(dc, static_cast<int32_t>((int64_t{n.here[-1].dc} + n.above->dc + round) >> 1));
}

// The first column from above, the first row from the left.
void predict_full(Direction direction, Neighbours const& n, int32_t* low) {
    if (direction == Direction::above)
        for (int i = 0; i < 3; ++i) add(low[4 + 4 * i], n.above->low[3 + i]);
    if (direction == Direction::left)
        for (int i = 0; i < 3; ++i) add(low[1 + i], n.here[-1].low[i]);
}

void predict_420(Direction direction, Neighbours const& n, int32_t* low) {
    if (direction == Direction::above) add(low[2], n.above->low[1]);
    if (direction == Direction::left) add(low[1], n.here[-1].low[0]);
}

void predict_422(Direction direction, DcMode mode, Neighbours const& n, int32_t* low) {
    if (direction == Direction::above) {
        add(low[4], n.above->low[4]);
        add(low[2], n.above->low[3]);
        add(low[6], low[2]);
    } else if (direction == Direction::left) {
        add(low[4], n.here[-1].low[4]);
        add(low[1], n.here[-1].low[0]);
        add(low[5], n.here[-1].low[2]);
    } else if (mode == DcMode::above) {
        add(low[6], low[2]);
    }
}

// The direction in which high-pass coefficients are predicted, from the low-pass ones.
Direction high_direction(Color color, Macroblock const& mb) {
    auto const size = [&](int c, int k) { return distance(mb.low[c][k], 0); };
    int64_t across = size(0, 1) + size(0, 2) + size(0, 3);
    int64_t down = size(0, 4) + size(0, 8) + size(0, 12);
    for (int c = 1; c < (color == Color::gray ? 1 : 3); ++c) {
        across += size(c, 1) + (color == Color::yuv422 ? size(c, 5) : 0);
        down += color == Color::yuv444 ? size(c, 4) : size(c, 2);
        if (color == Color::yuv422) down += size(c, 6);
    }
    return across * much < down   ? Direction::above
           : down * much < across ? Direction::left
                                  : Direction::none;
}

}  // namespace

void predict_low(Color color, Position const& at, Neighbours const* n, Macroblock& mb) {
    DcMode const mode = dc_mode(color, at, n);
    Direction direction = Direction::none;
    if (mode == DcMode::above && mb.low_index == n[0].above->low_index)
        direction = Direction::above;
    if (mode == DcMode::left && mb.low_index == n[0].here[-1].low_index)
        direction = Direction::left;
    for (int c = 0; c < (color == Color::gray ? 1 : 3); ++c) {
        bool const full = c == 0 || color == Color::yuv444;
        predict_dc(mode, full ? 0 : 1, n[c], mb.low[c][0]);
        if (full)
            predict_full(direction, n[c], mb.low[c]);
        else if (color == Color::yuv420)
            predict_420(direction, n[c], mb.low[c]);
        else
            predict_422(direction, mode, n[c], mb.low[c]);
    }
    mb.direction = high_direction(color, mb);
}

void remember(Color color, Macroblock const& mb, Neighbours const* n) {
    constexpr int full[6] = {1, 2, 3, 4, 8, 12}, half[6] = {1, 2, 5, 6, 4, 7};
    for (int c = 0; c < (color == Color::gray ? 1 : 3); ++c) {
        auto const& kept = c == 0 || color == Color::yuv444 ? full : half;
        Neighbour& here = *n[c].here;
        here.low_index = mb.low_index;
        here.pattern = mb.pattern[c];
        here.dc = mb.low[c][0];
        for (int i = 0; i < 6; ++i) here.low[i] = mb.low[c][kept[i]];
    }
}

namespace {

// Each bit tells of a change against the block before: these undo it. The first block of a
// macroblock is compared with the one to its left, or else with the one above.
uint32_t undo_full(uint32_t p) {
    p ^= 0x02 & p << 1;
    p ^= 0x10 & p << 3;
    p ^= 0x20 & p << 1;
    p ^= (p & 0x33) << 2;
    p ^= (p & 0xcc) << 6;
    return p ^ (p & 0x3300) << 2;
}

uint32_t undo_half(uint32_t p, bool tall) {
    p ^= (p & 0x1) << 1;
    p ^= (p & 0x3) << 2;
    if (!tall) return p;
    p ^= (p & 0xc) << 2;
    return p ^ (p & 0x30) << 2;
}

struct Shape {
    uint32_t all;     ///< a bit for each block
    int above, left;  ///< which block of the neighbours the first one is compared with
    int weight;       ///< of a block among 16
};

void adapt(PatternModel& model, int chroma, int ones) {
    int& o = model.ones[chroma];
    int& z = model.zeros[chroma];
    o = std::clamp(o + ones - 3, -16, 15);
    z = std::clamp(z + 16 - ones - 3, -16, 15);
    model.state[chroma] = o < 0 ? (o < z ? 1 : 2) : z < 0 ? 2 : 0;
}

}  // namespace

void predict_pattern(Color color, Position const& at, Neighbours const* n, PatternModel& model,
                     Macroblock& mb) {
    constexpr Shape full = {0xffff, 10, 5, 1}, tall = {0xff, 6, 1, 2}, small = {0xf, 2, 1, 4};
    for (int c = 0; c < (color == Color::gray ? 1 : 3); ++c) {
        bool const is_full = c == 0 || color == Color::yuv444;
        Shape const& shape = is_full ? full : color == Color::yuv422 ? tall : small;
        int const chroma = c > 0;
        uint32_t& p = mb.pattern[c];
        if (model.state[chroma] == 0) {
            if (!at.first_column)
                p ^= n[c].here[-1].pattern >> shape.left & 1;
            else
                p ^= at.first_row ? 1 : n[c].above->pattern >> shape.above & 1;
            p = is_full ? undo_full(p) : undo_half(p, color == Color::yuv422);
        } else if (model.state[chroma] == 2) {
            p ^= shape.all;
        }
        adapt(model, chroma, std::popcount(p & shape.all) * shape.weight);
        n[c].here->pattern = p;
    }
}

}  // namespace sluice::codec::jxr
