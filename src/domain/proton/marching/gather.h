// Sums and scattering of a march as functors, an element after the other: what GPUs do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "domain/proton/marching/kernels.h"

namespace sluice::proton::marching {

/// A box of f[row][angle][x]. Rows, angles and x below count from its corner.
struct Block {
    index first_row, rows, first_angle, angles, first_x, width;
    index all_angles, stride;  ///< of the grid

    SLUICE_HD index cells() const { return rows * angles * width; }
    SLUICE_HD index row_step() const { return all_angles * stride; }
    SLUICE_HD index at(index row, index angle, index x) const {
        return ((first_row + row) * all_angles + first_angle + angle) * stride + first_x + x;
    }
};

/// Sums over angles: elements are [row][x]. Or over rows: they are [angle][x].
template <class Real>
struct AddUp {
    Block block;
    bool over_rows;
    Real const* f;
    Real* sums;  ///< of the grid, [row][x] or [angle][x]

    SLUICE_HD void operator()(index n) const {
        index const line = n / block.width, x = n % block.width;
        index const count = over_rows ? block.rows : block.angles;
        Real sum = 0;
        for (index k = 0; k < count; ++k)
            sum += f[over_rows ? block.at(k, line, x) : block.at(line, k, x)];
        index const first = over_rows ? block.first_angle : block.first_row;
        sums[(first + line) * block.stride + block.first_x + x] = sum;
    }
};

/// Makes a box 0: elements are cells.
template <class Real>
struct Clear {
    Block block;
    Real* f;

    SLUICE_HD void operator()(index n) const {
        index const line = n / block.width;
        f[block.at(line / block.angles, line % block.angles, n % block.width)] = 0;
    }
};

/// Adds what is in a box: elements are rows.
template <class Real>
struct GiveUp {
    Block block;
    Real const* f;
    double* given_up;  ///< of the grid, [row]

    SLUICE_HD void operator()(index i) const {
        double sum = 0;
        for (index j = 0; j < block.angles; ++j)
            for (index x = 0; x < block.width; ++x)
                sum += static_cast<double>(f[block.at(i, j, x)]);
        given_up[block.first_row + i] += sum;
    }
};

/// Angular diffusion in place: elements are [row][x].
template <class Real>
struct Scatter {
    Block block;
    Real* f;
    std::int32_t const* passes;  ///< of the grid, [row]
    double const* part;          ///< [row]
    double const* relative;      ///< [x]
    double const* gas;           ///< [x]
    double const* young;         ///< [row]
    Real* sums;                  ///< [row][x]
    Real* low;                   ///< what leaves the window of angles, by element
    Real* high;

    SLUICE_HD void operator()(index n) const {
        index const i = n / block.width, x = n % block.width, last = block.angles - 1;
        index const row = block.first_row + i;
        Real const p = static_cast<Real>(
            part[row] * (relative[block.first_x + x] + young[row] * gas[block.first_x + x]));
        Real* const line = f + block.at(i, 0, x);
        Real below_all = 0, above_all = 0;
        for (int pass = 0; pass < passes[row]; ++pass) {
            Real below = 0, own = line[0];
            below_all += p * own;
            for (index j = 0; j < last; ++j) {
                Real const above = line[(j + 1) * block.stride];
                line[j * block.stride] = own - 2 * (p * own) + p * below + p * above;
                below = own;
                own = above;
            }
            above_all += p * own;
            line[last * block.stride] = own - 2 * (p * own) + p * below;
        }
        low[n] = below_all;
        high[n] = above_all;
        Real sum = 0;
        for (index j = 0; j <= last; ++j) sum += line[j * block.stride];
        sums[row * block.stride + block.first_x + x] = sum;
    }
};

/// What left the window of angles: elements are rows.
template <class Real>
struct AddLeaks {
    Block block;
    Real const* low;
    Real const* high;
    Leak* leaks;

    SLUICE_HD void operator()(index i) const {
        Leak sum;
        for (index x = 0; x < block.width; ++x) {
            sum.low += static_cast<double>(low[i * block.width + x]);
            sum.high += static_cast<double>(high[i * block.width + x]);
        }
        leaks[i] = sum;
    }
};

}  // namespace sluice::proton::marching
