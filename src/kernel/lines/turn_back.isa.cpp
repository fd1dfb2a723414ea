// Turns lines back into tiles, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/parts.h"
#include "kernel/lines/turn.h"
#include "kernel/planes/seal_block.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

using namespace sluice::planes::SLUICE_ISA;
using planes::tile_frames;

constexpr index tiles_of_word = 64 / tile_frames;
constexpr int most_words = group / tiles_of_word;  // at a time: a tile stands in a block's place

// `words` words from number `w` on of a plane's lines as the words of their frames, and on to the
// next plane's lines.
template <int words>
inline void frames_of(std::uint64_t map, index w, std::uint64_t const*& line, std::uint64_t* to) {
    static constexpr std::uint64_t no_line[line_words] = {};
    std::uint64_t pixels[words][64];
    for (int k = 0; k < 64; ++k) {
        // Without a branch: which pixels have a line cannot be foreseen.
        bool const has = map >> k & 1;
        std::uint64_t const* const from = (has ? line : no_line) + w;
        for (int i = 0; i < words; ++i) pixels[i][k] = from[i];
        line += has ? line_words : 0;
    }
    for (int i = 0; i < words; ++i) {
        Words x[8];
        std::memcpy(x, pixels[i], sizeof x);
        turn(x);
        std::memcpy(to + 64 * i, x, sizeof x);
    }
}

template <int words>
void turn_words_back(Unit unit, index w, index count, std::uint8_t const* need,
                     std::byte* const* out, index* bytes) {
    index const blocks = unit.grid.blocks();
    index at[most_words * tiles_of_word];
    for (index& place : at) place = planes::Tile::records_offset(blocks);
    alignas(64) Group buffer;
    for (index block = 0; block < blocks; ++block) {
        Head const& head = unit.head(block);
        int const planes = !need || need[block] ? head.planes : 0;
        std::uint64_t const* line = unit.lines(head);
        for (int p = 0; p < planes; ++p) frames_of<words>(unit.map(head, p), w, line, buffer[p][0]);
        for (index t = 0; t < count; ++t)
            at[t] = seal_block(buffer, t, planes::SLUICE_ISA::Sums(buffer, t, planes), planes,
                               block, blocks, at[t], false, out[t]);
    }
    for (index t = 0; t < count; ++t) bytes[t] = finish_tile(blocks, at[t], out[t]);
}

}  // namespace

void turn_unit_back(Unit unit, index first, index count, std::uint8_t const* need,
                    std::byte* const* out, index* bytes) {
    for (index t = 0, some = 0; t < count; t += some) {
        index const w = (first + t) / tiles_of_word, left = count - t;
        bool const two = w % most_words == 0 && left > tiles_of_word;
        index const most = two ? most_words * tiles_of_word : tiles_of_word;
        some = left < most ? left : most;
        auto* const turn = two ? turn_words_back<most_words> : turn_words_back<1>;
        turn(unit, w, some, need, out + t, bytes + t);
    }
}

}  // namespace sluice::lines::SLUICE_ISA
