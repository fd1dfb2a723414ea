// One macroblock between its bits and its coefficients, and what the next ones are predicted from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/context.h"

namespace sluice::codec::jxr {

/// Where a macroblock is in its tile.
struct Position {
    bool first_column, first_row;  ///< of the tile: nothing to predict from
    bool restarts;                 ///< every sixteenth of a tile row: scan orders start again
    bool adapts;                   ///< the codes adapt after it
};

/// What neighbours predict from, of one colour.
struct Neighbour {
    int low_index;
    std::uint32_t pattern;  ///< a bit for each block with high-pass coefficients
    std::int32_t dc;
    std::int32_t low[6];  ///< first row and first column of the low-pass coefficients
};

/// The macroblocks that a macroblock is predicted from, of one colour: [-1] left, above.
struct Neighbours {
    Neighbour* here;
    Neighbour const* above;
};

/// In which direction coefficients are predicted within a macroblock.
enum class Direction : std::uint8_t { left, above, none };

struct Macroblock {
    std::int32_t low[3][16];  ///< DC and low-pass coefficients; 4 and 8 of subsampled chroma
    int low_index, high_index;
    Direction direction;
    std::uint32_t pattern[3];  ///< of blocks with high-pass coefficients
};

/// How many bits an index of so many quantisers takes.
int index_bits(int quantisers);

/// The quantiser of a macroblock: 0, or one of the tile's others.
int read_quantiser(Bits& bits, int width);

/// Adds what the neighbours say of DC and low-pass coefficients.
void predict_low(Color color, Position const& at, Neighbours const* neighbours, Macroblock& mb);
/// The patterns out of their differences from what the neighbours say.
void predict_pattern(Color color, Position const& at, Neighbours const* neighbours,
                     PatternModel& model, Macroblock& mb);
/// Keeps what the next macroblocks are predicted from.
void remember(Color color, Macroblock const& mb, Neighbours const* neighbours);

}  // namespace sluice::codec::jxr
