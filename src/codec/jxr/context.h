// What the decoder of a tile has learned: codes, scan orders, models of bits and of patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/codes.h"
#include "codec/jxr/header.h"

namespace sluice::codec::jxr {

/// The order of the coefficients of a block, the more frequent ones first: frequency << 4 | place.
struct Scan {
    std::uint32_t at[16];
};

/// How many low bits of the coefficients of a band are stored outside of the codes.
struct BitModel {
    int bits[2] = {};  ///< of luma and of chroma
    int state[2] = {};
};

/// How likely blocks are to have coefficients at all.
struct PatternModel {
    int ones[2] = {-4, -4};
    int zeros[2] = {4, 4};
    int state[2] = {};
};

enum class Band : std::uint8_t { dc, low, high };

struct Context {
    // Alphabets in the order of jxrlib: run, chroma pattern, DC, DC levels of luma and chroma; for
    // low-pass and for high-pass: first, continued x 2 of luma, of chroma, levels x 2.
    static constexpr int low = 5, high = 13;
    Adaptive codes[21];
    Adaptive blocks;  ///< which blocks of a quarter have coefficients
    Adaptive quarters;
    Scan scan_low, scan_across, scan_down;
    BitModel dc, low_bits, high_bits;
    int low_empty = 1, low_full = 1;
    PatternModel pattern;
    int trimmed = 0;       ///< lowest bits that were left out
    bool damaged = false;  ///< whether a block had coefficients beyond its last

    /// The state at the beginning of a tile.
    void begin(Color color);
    void adapt_dc();
    void adapt_low();
    void adapt_high();
};

/// The frequencies of a scan as they are at every sixteenth macroblock.
void restart(Scan& scan);

/// Counts a coefficient at place `i` of a scan, moves it forward when it has overtaken another, and
/// returns its place in the block.
SLUICE_HD std::uint32_t count(Scan& scan, unsigned i) {
    std::uint32_t const here = scan.at[i] + 16;
    std::uint32_t const before = scan.at[i - 1];
    bool const overtakes = here >> 4 > before >> 4;
    scan.at[i] = overtakes ? before : here;
    scan.at[i - 1] = overtakes ? here : before;
    return here & 15;
}

/// Adapts the bits of a band to the number of coefficients that a macroblock had.
void update(BitModel& model, Band band, Color color, int luma, int chroma);

}  // namespace sluice::codec::jxr
