// The kernels over frames kept as plain values, as functors: for floats and for high doses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <type_traits>

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

/// Floats mark what was not measured by NaN. Sums that meet it are NaN, and are made again without
/// it, so that data without it cost nothing.
template <class T>
SLUICE_HD bool is_measured(T v) {
    return v == v;  // NOLINT(misc-redundant-expression): NaN is not
}

/// The sum of a frame's measured values over runs of pixels; NaN where there are none. For means,
/// which divide by all that a detector covers, `shares` are what pixels have of a uniform frame's
/// sum: the sum is then as if the values that are lacking were like the others.
template <class Weight>
SLUICE_HD double measured_sum(float const* values, index cols, Run const* runs, index run_count,
                              float const* shares, Weight const& weight) {
    double lane[8] = {}, all = 0, measured = 0;
    bool any = false;
    for (index r = 0; r < run_count; ++r) {
        index const first = runs[r].row * cols + runs[r].col;
        for (index k = 0; k < runs[r].count; ++k) {
            double const w = weight(first + k);
            if (w == 0) continue;
            double const share = shares ? static_cast<double>(shares[first + k]) : 1;
            all += share;
            if (!is_measured(values[first + k])) continue;
            measured += share, any = true;
            lane[k % 8] += static_cast<double>(values[first + k]) * w;
        }
    }
    double total = 0;
    for (double l : lane) total += l;
    if (!any) return std::numeric_limits<double>::quiet_NaN();
    return shares && measured > 0 ? total * all / measured : total;
}

/// Virtual detectors: element i = detector * frames + frame. `out` is exact below 2^53.
struct VirtualSum {
    Frames set;
    Run const* runs;
    index const* first_run;  ///< [detectors + 1]
    index detectors;
    double* out;                    ///< [detector][frame]
    float const* shares = nullptr;  ///< [pixel], of all detectors alike: as in measured_sum()

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
        if constexpr (std::is_same_v<T, float>)
            if (!is_measured(out[i]))
                out[i] = measured_sum(values, set.cols, runs + first_run[detector],
                                      first_run[detector + 1] - first_run[detector], shares,
                                      [](index) { return 1.0; });
    }
    SLUICE_HD void operator()(index i) const;
};

/// Mass and first moments over the mask: element i = frame, out[frame][{sum, row, col}]. They are
/// NaN of a frame of which nothing was measured there.
struct Moments {
    Frames set;
    Run const* runs;
    index run_count;
    double* out;

    template <class T>
    SLUICE_HD void apply(index i) const {
        moments<T, false>(i);
        if constexpr (std::is_same_v<T, float>)
            if (!is_measured(out[3 * i])) moments<T, true>(i);
    }
    template <class T, bool some_lack>
    SLUICE_HD void moments(index i) const {
        T const* const values = static_cast<T const*>(set.data) + i * set.pixels();
        double sum = 0, row_moment = 0, col_moment = 0;
        bool any = !some_lack;
        auto const value = [&](T v) {
            if constexpr (some_lack) {
                any = any || is_measured(v);
                return is_measured(v) ? v : T{0};
            }
            return v;
        };
        for (index r = 0; r < run_count; ++r) {
            Run const run = runs[r];
            T const* const row = values + run.row * set.cols + run.col;
            Adder<T> mass;
            for (index k = 0; k < run.count; ++k) mass.add(value(row[k]), k);
            // Products of a count and a column stay below 2^53, so doubles add them exactly.
            double lane[8] = {};
            for (index k = 0; k < run.count; ++k)
                lane[k % 8] +=
                    static_cast<double>(value(row[k])) * static_cast<double>(run.col + k);
            auto const m = static_cast<double>(mass.sum());
            sum += m;
            row_moment += m * static_cast<double>(run.row);
            for (double l : lane) col_moment += l;
        }
        if (!any) sum = row_moment = col_moment = std::numeric_limits<double>::quiet_NaN();
        out[3 * i] = sum, out[3 * i + 1] = row_moment, out[3 * i + 2] = col_moment;
    }
    SLUICE_HD void operator()(index i) const;
};

/// Of one pixel over frames: sum, sum of squares and maximum of what was measured, and how often it
/// was not.
struct PixelStats {
    double sum = 0, squares = 0, max = -1e308, lacks = 0;

    SLUICE_HD void add(double v) {
        sum += v;
        squares += v * v;
        max = v > max ? v : max;
    }
};

/// Diffraction patterns over chosen frames: element i = pixel.
struct PatternStats {
    Frames set;
    std::uint8_t const* take;  ///< [frame], 1: takes part
    PixelStats* out;           ///< [pixel - first_out]
    index first_out = 0;

    template <class T>
    SLUICE_HD void apply(index i) const {
        T const* const values = static_cast<T const*>(set.data) + i;
        PixelStats s;
        for (index f = 0; f < set.frames; ++f) {
            if (!take[f]) continue;
            T const v = values[f * set.pixels()];
            if (is_measured(v))
                s.add(static_cast<double>(v));
            else
                ++s.lacks;
        }
        out[i - first_out] = s;
    }
    SLUICE_HD void operator()(index i) const;
};

/// Float weights per pixel: element i = frame.
struct WeightedSum {
    Frames set;
    float const* weights;           ///< [pixel]
    double* out;                    ///< [frame]
    float const* shares = nullptr;  ///< [pixel]: as in measured_sum()

    template <class T>
    SLUICE_HD void apply(index i) const {
        T const* const values = static_cast<T const*>(set.data) + i * set.pixels();
        double lane[8] = {};
        for (index k = 0; k < set.pixels(); ++k)
            lane[k % 8] += static_cast<double>(values[k]) * static_cast<double>(weights[k]);
        double sum = 0;
        for (double l : lane) sum += l;
        out[i] = sum;
        Run const all{0, 0, static_cast<std::uint32_t>(set.pixels())};
        if constexpr (std::is_same_v<T, float>)
            if (!is_measured(sum))
                out[i] = measured_sum(values, 0, &all, 1, shares, [&](index pixel) {
                    return static_cast<double>(weights[pixel]);
                });
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
