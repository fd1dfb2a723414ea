// Arrays: all that a stage has on a device, and what it takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/arena.h"
#include "domain/ptychography/remote/order.h"
#include "domain/ptychography/remote/residual_kernels.h"
#include "fft/layout.h"

namespace sluice::ptycho::remote {

/// What decides about a stage's memory.
struct Sizes {
    CanvasShape canvas{};
    Pixels pixels{};
    index modes = 1, patterns = 0;
    index groups = 1, group = 1;  ///< how many, and patterns of the largest one
    index piece = 1;              ///< patterns of a group that have waves at one time
    bool moves = false;           ///< the probe moves by parts of a pixel
    bool goes_back = false;       ///< the best state is kept
    bool refines_positions = false, projects = false;
    stem4d::PtychographyStage::Solver solver{};

    /// Modes go alone through a transform: where they move, and from slice to slice.
    bool modes_travel() const { return moves || canvas.slices > 1; }

    index n() const { return pixels.n; }
    index window() const { return n() * n(); }
    index probe() const { return window() * modes; }
    index object() const { return canvas.size() * canvas.slices; }
    index measured() const { return pixels.detector * pixels.detector; }

    fft::Layout waves() const { return {.shape = {n(), n()}, .batch = piece * modes}; }
    fft::Layout modes_alone() const { return {.shape = {n(), n()}, .batch = modes}; }
};

/// Addresses there; null where a stage does not need it.
struct Arrays {
    Z *object, *probe;          ///< [slice][row][col] and [mode][row][col]
    Z *object_sum, *probe_sum;  ///< a group's gradients
    Z *best_object = nullptr, *best_probe = nullptr, *candidate_object = nullptr,
      *candidate_probe = nullptr;

    std::int32_t *order, *begins, *windows;  ///< of an iteration, as Order has them
    Tile* tiles;

    Z *spectra = nullptr, *factors = nullptr;  ///< of the probe, and what moves them
    Z* entries = nullptr;                      ///< [slice][slot][mode][pixel]
    Z* waves;                                  ///< [slot][mode][pixel]
    Z* spread_probe = nullptr;                 ///< in another slice than the first
    Z *propagator = nullptr, *near = nullptr;  ///< between slices, and to a near detector
    float *weights, *columns;                  ///< of pixels, and sums of columns
    double *errors, *group_errors;
    double* position_gradients = nullptr;  ///< [slot of the iteration][row, col]

    float *probe_power, *object_power;  ///< [pixel]
    float *of_tiles, *maxima, *peaks;   ///< of a group's tiles; scratch; what was found

    Z *object_first = nullptr, *probe_first = nullptr;  ///< Adam's moments
    float *object_second = nullptr, *probe_second = nullptr;

    Z *object_before = nullptr, *object_speed = nullptr, *probe_before = nullptr,
      *probe_speed = nullptr;  ///< mPIE's, and LSQML's with modes
    Z *object_way = nullptr, *probe_way = nullptr, *turned_way = nullptr;  ///< LSQML's directions
    Z *object_gradients = nullptr, *probe_gradients = nullptr;             ///< of a whole group
    double* systems = nullptr;                                             ///< [slot][5]

    Z *kept = nullptr, *views = nullptr;  ///< of projections: of all patterns, of a piece
    double* own_errors = nullptr;         ///< of a piece's mixed waves
    float* fit_moved = nullptr;           ///< [2][mode][pixel]
    double* fit_sums = nullptr;

    static Arrays of(Sizes const& sizes, Arena& arena);
};

/// What a stage takes beside the patterns.
index bytes_of(Sizes const& sizes);

}  // namespace sluice::ptycho::remote
