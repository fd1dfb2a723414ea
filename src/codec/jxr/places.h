// Where the coefficients and then the samples of a block lie.
// SPDX-License-Identifier: Apache-2.0
//
// The permutations are those of jxrlib (image/sys/strcodec.c), BSD-2-Clause, copyright Microsoft
// Corp.; see NOTICE.
#pragma once

#include <cstdint>

namespace sluice::codec::jxr {

/// A row of blocks is held as 16 rows of numbers, one for each place in a block: so every step of
/// the transforms does the same to neighbouring numbers. Coefficient k (row by row) has its place
/// here; the inverse transform works in place.
constexpr std::uint8_t place_of[16] = {0, 5, 1, 6, 10, 12, 8, 14, 2, 4, 3, 7, 9, 13, 11, 15};

/// The place of sample (row r, column c) after the inverse transform.
constexpr std::uint8_t sample_place[4][4] = {
    {0, 1, 5, 4}, {2, 3, 7, 6}, {10, 11, 15, 14}, {8, 9, 13, 12}};

/// The DC coefficients of a macroblock's blocks, from its low-pass coefficient k: block (row,
/// column) has place 4 * column + row.
constexpr std::uint8_t low_place_of[16] = {0, 8, 4, 13, 2, 15, 3, 14, 1, 12, 5, 9, 7, 11, 6, 10};

}  // namespace sluice::codec::jxr
