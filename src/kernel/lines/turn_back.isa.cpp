// Turns lines back into tiles, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/parts.h"
#include "kernel/lines/turn.h"
#include "kernel/planes/seal_block.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

using namespace sluice::planes::SLUICE_ISA;
using planes::tile_frames;

constexpr index most_tiles = 64 / tile_frames;  // at a time: of the frames of one word

// Word `w` of a plane's lines as the words of 64 frames, and on to the next plane's lines.
inline void frames_of(std::uint64_t map, index w, std::uint64_t const*& line, Words (&x)[8]) {
    static constexpr std::uint64_t no_line[line_words] = {};
    std::uint64_t pixels[64];
    for (int k = 0; k < 64; ++k) {
        // Without a branch: which pixels have a line cannot be foreseen.
        bool const has = map >> k & 1;
        pixels[k] = *((has ? line : no_line) + w);
        line += has ? line_words : 0;
    }
    std::memcpy(x, pixels, sizeof pixels);
    turn(x);
}

void turn_word_back(Unit unit, index w, index count, std::byte* const* out, index* bytes) {
    index const blocks = unit.grid.blocks();
    index at[most_tiles];
    for (index& place : at) place = planes::Tile::records_offset(blocks);
    alignas(64) Group buffer;  // a tile in the place of a block
    for (index block = 0; block < blocks; ++block) {
        Head const& head = unit.head(block);
        std::uint64_t const* line = unit.lines(head);
        for (int p = 0; p < head.planes; ++p) {
            Words x[8];
            frames_of(unit.map(head, p), w, line, x);
            std::memcpy(buffer[p], x, sizeof x);
        }
        for (index t = 0; t < count; ++t)
            at[t] = seal_block(buffer, t, planes::SLUICE_ISA::Sums(buffer, t, head.planes),
                               head.planes, block, blocks, at[t], false, out[t]);
    }
    for (index t = 0; t < count; ++t) bytes[t] = finish_tile(blocks, at[t], out[t]);
}

}  // namespace

void turn_unit_back(Unit unit, index first, index count, std::byte* const* out, index* bytes) {
    for (index t = 0; t < count; t += most_tiles) {
        index const some = count - t < most_tiles ? count - t : most_tiles;
        turn_word_back(unit, (first + t) / most_tiles, some, out + t, bytes + t);
    }
}

}  // namespace sluice::lines::SLUICE_ISA
