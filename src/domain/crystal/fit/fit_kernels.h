// The sums over a crop that one step of scoring needs, for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "device/isa.h"
#include "domain/crystal/probe/crop_spans.h"
#include "sluice/view.h"

namespace sluice::crystal {

/// What a disk is fitted to, each [pixel]; `pixels` is a multiple of 16.
struct Crop {
    float const* counts;
    float const* weights;      ///< 1, or 0 where a pixel has no say
    float const* shape;        ///< of the background; null: a plane
    float const* table;        ///< T, then its slopes by the disk's row and column
    float const *rows, *cols;  ///< of the plane: from -1 to 1
    float const* near;         ///< counts that other disks have here; null: none
    /// Four planes cos phi, sin phi, cos 2 phi, sin 2 phi about the middle; null: disks are even.
    float const* around;
    index pixels;
};

/// lambda = near + background * shape + height * (T + d_row * T_row + d_col * T_col), where the
/// shape of a plane is 1 + (slope_row * rows + slope_col * cols) / background. Without `near` it is
/// kept above a twentieth of the background's part. Of a disk that is not even the height varies:
/// height + sum of around[k] times its plane, kept above a twentieth of the height.
struct Model {
    double background = 0, height = 0, slope_row = 0, slope_col = 0, d_row = 0, d_col = 0;
    std::array<double, 4> around{};
};

/// Slopes of the log-likelihood, and Fisher's matrix (the lower triangle, row by row). Unknowns are
/// background, height, row, col, of a plane slope_row and slope_col, and of disks that are not even
/// the four of `around`.
struct ScoreSums {
    static constexpr int most = 10;
    // Only those of the unknowns are written.
    double slopes[most];
    double fisher[most * (most + 1) / 2];
};

/// How many unknowns a crop has.
inline int unknowns_of(Crop const& crop) {
    return 4 + (crop.shape ? 0 : 2) + (crop.around ? 4 : 0);
}

/// Sums with the kernel K = weight * (T - mean).
struct KernelSums {
    double counts = 0;    ///< of K I
    double variance = 0;  ///< of K^2 I
    double squares = 0;   ///< of (K I)^2
    double norm = 0;      ///< of K T
    double ring = 0,
           ring_shape = 0;  ///< of I and of the shape (1 of a plane) where T is below 0.02
};

/// A crop to be cut out of a pattern, span by span. Eights of floats are copied, so that arrays of
/// the crop have 8 floats more than pixels.
struct Cut {
    float const* counts;   ///< of the pattern, at the crop's first pixel; rows are `pitch` apart
    float const* weights;  ///< likewise; null: all are 1, so that none are copied or summed up
    float const* shape;    ///< likewise; null: there is none
    float const* near;     ///< likewise
    float const* inside;   ///< of the square: 1, or 0 where nothing is looked at
    float const* table;    ///< T, of the square
    index pitch, side;
    std::span<CropSpan const> spans;
    float *to_counts, *to_weights, *to_shape, *to_near;  ///< packed
};
/// Sums over a crop of weight and of weight times T.
struct CutSums {
    double weights = 0, table = 0;
};

/// Sums of weight times counts and of weight times shape (1 of a plane).
struct FlatSums {
    double counts = 0, shape = 0;
};

struct FitKernels {
    /// Copies; the weights are times `inside`.
    CutSums (*cut)(Cut const& cut);
    FlatSums (*flat)(Crop const& crop);
    ScoreSums (*score)(Crop const& crop, Model const& model);
    /// The log-likelihood of one model less that of another.
    double (*gain)(Crop const& crop, Model const& model, Model const& without);
    KernelSums (*correlate)(Crop const& crop, double mean);
};

FitKernels const& fit_kernels(Isa isa);
/// In double, by plain loops: what `--device reference` takes and tests compare with.
FitKernels const& fit_twin();

namespace baseline {
FitKernels fit_kernels();
}
namespace avx2 {
FitKernels fit_kernels();
}
namespace avx512 {
FitKernels fit_kernels();
}

}  // namespace sluice::crystal
