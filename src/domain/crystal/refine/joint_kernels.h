// The sums of a joint fit of all disks of a pattern, for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice::crystal {

/// Pictures like a pattern's: pixel (0, 0) of rows of `pitch` floats, with a crop's side around.
struct JointPictures {
    float* lambda;     ///< the expected counts
    float* weights;    ///< 1 / lambda, 0 where a pixel is bad
    float* rests;      ///< counts / lambda - 1, 0 where a pixel is bad
    float* slopes[6];  ///< of lambda by the lattice's numbers: origin, a, b; row and col of each
    index pitch;
};

/// One disk that is added to the pictures. `at` counts floats from pixel (0, 0) to its crop.
struct JointDisk {
    float const* table;  ///< T and its slopes, [3][side][side]
    index side, at;      ///< `side` is a multiple of 8
    float height, d_row, d_col, h, k;
};

/// What each pixel of a row says of the lattice and of the background. `shapes` are the
/// background's, each with the pattern's pitch.
struct JointRow {
    float const *counts, *weights;  ///< weights: 1, or 0 where a pixel is bad
    float const* shapes[3];
    int backgrounds;
    float floor;      ///< lambda is kept above so much of the first shape
    index at, count;  ///< of the row's first pixel; `count` is a multiple of 16
};
struct JointSums {
    std::array<double, 9> slopes{};                 ///< lattice, then backgrounds
    std::array<std::array<double, 9>, 9> fisher{};  ///< its lower triangle
};
/// The same of one disk's height.
struct JointHeight {
    double slope = 0;
    std::array<double, 9> fisher{};  ///< with the lattice, then backgrounds
};

struct JointKernels {
    /// Adds a disk to lambda and to the slopes, and keeps its template in `own`: rows of 2 side
    /// floats, of which the second half is 0.
    void (*add)(JointPictures const& pictures, JointDisk const& disk, float* own);
    /// Makes weights and rests of a row, and adds what they say.
    void (*row)(JointPictures const& pictures, JointRow const& row, JointSums& sums);
    /// `weighted` becomes own times weights, in rows as those of `own`.
    JointHeight (*height)(JointPictures const& pictures, JointRow const& row, index side, index at,
                          float const* own, float* weighted);
    /// The sum of a[r][c] b[r + rows][c + cols]; both as `own` of add().
    double (*overlap)(float const* a, float const* b, index side, index rows, index cols);
    /// The lower triangle of a positive matrix becomes that of L with L L^T = matrix; rows of
    /// `pitch` doubles, a multiple of 4. Row i is 0 before first[i], a multiple of 4. False: it is
    /// not positive.
    bool (*decompose)(double* matrix, index size, index pitch, index const* first);
};

JointKernels const& joint_kernels(Isa isa);
/// In double, by plain loops: what `--device reference` takes and tests compare with.
JointKernels const& joint_twin();

namespace baseline {
JointKernels joint_kernels();
}
namespace avx2 {
JointKernels joint_kernels();
}
namespace avx512 {
JointKernels joint_kernels();
}

}  // namespace sluice::crystal
