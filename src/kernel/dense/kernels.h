// The kernels over frames kept as plain values, as functors: for floats and for high doses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/dtype.h"
#include "sluice/view.h"

namespace sluice::dense {

/// Frames one after the other, row by row.
struct Frames {
    void const* data = nullptr;
    DType dtype = DType::f32;
    index frames = 0, rows = 0, cols = 0;

    SLUICE_HD index pixels() const { return rows * cols; }
};

/// A piece of one detector row that a mask selects.
struct Run {
    std::uint32_t row, col, count;
};

/// Counts are added exactly; floats in eight partial sums of a fixed order, so that every device
/// and instruction set gives the same bits.
template <class T>
struct Adder {
    using Sum = std::uint64_t;
    std::uint64_t total = 0;
    SLUICE_HD void add(T v, index) { total += v; }
    SLUICE_HD Sum sum() const { return total; }
};
template <>
struct Adder<float> {
    using Sum = double;
    double lane[8] = {};
    SLUICE_HD void add(float v, index k) { lane[k % 8] += static_cast<double>(v); }
    SLUICE_HD Sum sum() const {
        double total = 0;
        for (double l : lane) total += l;
        return total;
    }
};

/// Virtual detectors: element i = detector * frames + frame. `out` is exact below 2^53.
struct VirtualSum {
    Frames set;
    Run const* runs;
    index const* first_run;  ///< [detectors + 1]
    index detectors;
    double* out;  ///< [detector][frame]

    template <class T>
    SLUICE_HD void apply(index i) const {
        index const detector = i / set.frames, frame = i % set.frames;
        T const* const values = static_cast<T const*>(set.data) + frame * set.pixels();
        Adder<T> sum;
        for (index r = first_run[detector]; r < first_run[detector + 1]; ++r) {
            T const* const row = values + runs[r].row * set.cols + runs[r].col;
            for (index k = 0; k < runs[r].count; ++k) sum.add(row[k], k);
        }
        out[i] = static_cast<double>(sum.sum());
    }
    SLUICE_HD void operator()(index i) const;
};

/// Mass and first moments over the mask: element i = frame, out[frame][{sum, row, col}].
struct Moments {
    Frames set;
    Run const* runs;
    index run_count;
    double* out;

    template <class T>
    SLUICE_HD void apply(index i) const {
        T const* const values = static_cast<T const*>(set.data) + i * set.pixels();
        double sum = 0, row_moment = 0, col_moment = 0;
        for (index r = 0; r < run_count; ++r) {
            Run const run = runs[r];
            T const* const row = values + run.row * set.cols + run.col;
            Adder<T> mass;
            for (index k = 0; k < run.count; ++k) mass.add(row[k], k);
            // Products of a count and a column stay below 2^53, so doubles add them exactly.
            double lane[8] = {};
            for (index k = 0; k < run.count; ++k)
                lane[k % 8] += static_cast<double>(row[k]) * static_cast<double>(run.col + k);
            auto const m = static_cast<double>(mass.sum());
            sum += m;
            row_moment += m * static_cast<double>(run.row);
            for (double l : lane) col_moment += l;
        }
        out[3 * i] = sum, out[3 * i + 1] = row_moment, out[3 * i + 2] = col_moment;
    }
    SLUICE_HD void operator()(index i) const;
};

/// Sum, sum of squares and maximum of one pixel.
struct PixelStats {
    double sum, squares, max;
};

/// Diffraction patterns over chosen frames: element i = pixel.
struct PatternStats {
    Frames set;
    std::uint8_t const* take;  ///< [frame], 1: takes part
    PixelStats* out;           ///< [pixel]

    template <class T>
    SLUICE_HD void apply(index i) const {
        T const* const values = static_cast<T const*>(set.data) + i;
        PixelStats s{0, 0, 0};
        bool first = true;
        for (index f = 0; f < set.frames; ++f) {
            if (!take[f]) continue;
            auto const v = static_cast<double>(values[f * set.pixels()]);
            s.sum += v;
            s.squares += v * v;
            s.max = first || v > s.max ? v : s.max;
            first = false;
        }
        out[i] = s;
    }
    SLUICE_HD void operator()(index i) const;
};

/// Float weights per pixel: element i = frame.
struct WeightedSum {
    Frames set;
    float const* weights;  ///< [pixel]
    double* out;           ///< [frame]

    template <class T>
    SLUICE_HD void apply(index i) const {
        T const* const values = static_cast<T const*>(set.data) + i * set.pixels();
        double lane[8] = {};
        for (index k = 0; k < set.pixels(); ++k)
            lane[k % 8] += static_cast<double>(values[k]) * static_cast<double>(weights[k]);
        double sum = 0;
        for (double l : lane) sum += l;
        out[i] = sum;
    }
    SLUICE_HD void operator()(index i) const;
};

/// Calls kernel.apply<T>(i) with the element type of its frames, which is one that detectors have.
template <class K>
SLUICE_HD void apply_typed(K const& kernel, index i) {
    switch (kernel.set.dtype) {
        case DType::u8:
            return kernel.template apply<std::uint8_t>(i);
        case DType::u16:
            return kernel.template apply<std::uint16_t>(i);
        case DType::u32:
            return kernel.template apply<std::uint32_t>(i);
        default:
            return kernel.template apply<float>(i);
    }
}

SLUICE_HD void VirtualSum::operator()(index i) const {
    apply_typed(*this, i);
}
SLUICE_HD void Moments::operator()(index i) const {
    apply_typed(*this, i);
}
SLUICE_HD void PatternStats::operator()(index i) const {
    apply_typed(*this, i);
}
SLUICE_HD void WeightedSum::operator()(index i) const {
    apply_typed(*this, i);
}

}  // namespace sluice::dense
