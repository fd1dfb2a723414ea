// The sums over a crop, a register of pixels at a time, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/fit_kernels.h"
#include "fft/squares/lane_math.h"

namespace sluice::crystal::SLUICE_ISA {
namespace {

using namespace fft::SLUICE_ISA;

constexpr float least_part = 0.05F;  // of the background's part, which lambda is kept above
constexpr float ring_below = 0.02F;

[[gnu::always_inline]] inline double sum_of(Floats const& all) {
    return static_cast<double>(total_of(all));
}

/// A model's numbers in every lane.
template <bool plane, bool ring, bool near>
class Lanes {
  public:
    [[gnu::always_inline]] Lanes(Crop const& crop, Model const& m)
        : crop_(crop),
          background_(all_of(static_cast<float>(m.background))),
          height_(all_of(static_cast<float>(m.height))),
          slope_row_(all_of(static_cast<float>(m.slope_row))),
          slope_col_(all_of(static_cast<float>(m.slope_col))),
          d_row_(all_of(static_cast<float>(m.d_row))),
          d_col_(all_of(static_cast<float>(m.d_col))) {
        if constexpr (ring)
            for (std::size_t k = 0; k < 4; ++k)
                around_[k] = all_of(static_cast<float>(m.around[k]));
    }

    [[gnu::always_inline]] Floats shape(index i) const {
        return plane ? all_of(1) : load(crop_.shape + i);
    }
    [[gnu::always_inline]] Floats disk(index i) const {
        Floats const by_row = load(crop_.table + crop_.pixels + i);
        Floats const by_col = load(crop_.table + 2 * crop_.pixels + i);
        return fused(d_row_, by_row, fused(d_col_, by_col, load(crop_.table + i)));
    }
    /// The height at pixels of a disk that is not even.
    [[gnu::always_inline]] Floats height(index i) const {
        if constexpr (!ring) return height_;
        Floats sum = height_;
        for (int k = 0; k < 4; ++k)
            sum = fused(around_[k], load(crop_.around + k * crop_.pixels + i), sum);
        return larger(height_ * least_part, sum);
    }
    [[gnu::always_inline]] Floats lambda(index i, Floats const& shape, Floats const& disk,
                                         Floats const& height) const {
        Floats const flat = background_ * shape;
        Floats under = flat;
        if constexpr (plane) {
            under = fused(slope_row_, load(crop_.rows + i), under);
            under = fused(slope_col_, load(crop_.cols + i), under);
        }
        Floats const own = larger(flat * least_part, fused(height, disk, under));
        return near ? load(crop_.near + i) + own : own;
    }
    [[gnu::always_inline]] Floats lambda(index i) const {
        return lambda(i, shape(i), disk(i), height(i));
    }

  private:
    Crop const& crop_;
    Floats background_, height_, slope_row_, slope_col_, d_row_, d_col_;
    Floats around_[ring ? 4 : 1];
};

// Calls work<plane, ring, near>() for what a crop has.
template <class Work>
auto for_kind(Crop const& crop, Work const& work) {
    auto const with_near = [&]<bool plane, bool ring>() {
        return crop.near ? work.template operator()<plane, ring, true>()
                         : work.template operator()<plane, ring, false>();
    };
    if (crop.shape)
        return crop.around ? with_near.template operator()<false, true>()
                           : with_near.template operator()<false, false>();
    return crop.around ? with_near.template operator()<true, true>()
                       : with_near.template operator()<true, false>();
}

template <bool plane, bool ring, bool near>
ScoreSums score_of(Crop const& crop, Model const& model) {
    constexpr int n = 4 + (plane ? 2 : 0) + (ring ? 4 : 0);
    Lanes<plane, ring, near> const lanes_of(crop, model);
    Floats g[n] = {}, fisher[n * (n + 1) / 2] = {};
    for (index i = 0; i < crop.pixels; i += lanes) {
        Floats d[n];
        d[0] = lanes_of.shape(i);
        d[1] = lanes_of.disk(i);
        d[2] = load(crop.table + crop.pixels + i);
        d[3] = load(crop.table + 2 * crop.pixels + i);
        if constexpr (plane) {
            d[4] = load(crop.rows + i);
            d[5] = load(crop.cols + i);
        }
        Floats const height = lanes_of.height(i);
        Floats const over = inverse(lanes_of.lambda(i, d[0], d[1], height));
        if constexpr (ring) {
            d[2] = d[2] * height;
            d[3] = d[3] * height;
            for (int k = 0; k < 4; ++k)
                d[n - 4 + k] = d[1] * load(crop.around + k * crop.pixels + i);
        }
        Floats const w = load(crop.weights + i);
        Floats const f = w * over;
        Floats const e = fused_less(w, all_of(1), f * load(crop.counts + i));
        int k = 0;
#pragma GCC unroll 10
        for (int a = 0; a < n; ++a) {
            g[a] = fused(e, d[a], g[a]);
            Floats const part = f * d[a];
#pragma GCC unroll 10
            for (int b = 0; b <= a; ++b, ++k) fisher[k] = fused(part, d[b], fisher[k]);
        }
    }
    // The slopes by the position are those of the template times its height.
    ScoreSums sums;
    auto const times = [&](int a) { return !ring && (a == 2 || a == 3) ? model.height : 1; };
    int k = 0;
    for (int a = 0; a < n; ++a) {
        sums.slopes[a] = times(a) * sum_of(g[a]);
        for (int b = 0; b <= a; ++b, ++k) sums.fisher[k] = times(a) * times(b) * sum_of(fisher[k]);
    }
    return sums;
}

ScoreSums score(Crop const& crop, Model const& model) {
    return for_kind(crop, [&]<bool plane, bool ring, bool near>() {
        return score_of<plane, ring, near>(crop, model);
    });
}

// Rows are eights of floats; what registers a processor has for them is its own affair.
typedef float Eight __attribute__((vector_size(32)));

[[gnu::always_inline]] inline Eight eight_at(float const* p) {
    Eight v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
[[gnu::always_inline]] inline void put_eight(Eight const& v, float* p) {
    std::memcpy(p, &v, sizeof v);
}

[[gnu::always_inline]] inline double sum_of_eight(Eight const& v) {
    return static_cast<double>(((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])));
}

// What an eight writes behind its span, the next span writes again; `inside` is 0 there.
template <bool weighted, bool shape, bool near>
CutSums cut_of(Cut const& given) {
    Cut const c = given;
    Eight weights{}, table{};
    for (CropSpan const& s : c.spans) {
        index const first = s.row * c.pitch + s.col, square = s.row * c.side + s.col;
        for (index i = 0; i < s.count; i += 8) {
            index const from = first + i, to = s.at + i;
            put_eight(eight_at(c.counts + from), c.to_counts + to);
            if constexpr (weighted) {
                Eight const w = eight_at(c.weights + from) * eight_at(c.inside + square + i);
                put_eight(w, c.to_weights + to);
                weights = weights + w;
                table = table + w * eight_at(c.table + square + i);
            }
            if constexpr (shape) put_eight(eight_at(c.shape + from), c.to_shape + to);
            if constexpr (near) put_eight(eight_at(c.near + from), c.to_near + to);
        }
    }
    return {sum_of_eight(weights), sum_of_eight(table)};
}

template <bool weighted>
CutSums cut_with(Cut const& c) {
    if (c.shape) return c.near ? cut_of<weighted, true, true>(c) : cut_of<weighted, true, false>(c);
    return c.near ? cut_of<weighted, false, true>(c) : cut_of<weighted, false, false>(c);
}

CutSums cut(Cut const& c) {
    return c.weights ? cut_with<true>(c) : cut_with<false>(c);
}

FlatSums flat(Crop const& crop) {
    Floats counts{}, shape{};
    for (index i = 0; i < crop.pixels; i += lanes) {
        Floats const w = load(crop.weights + i);
        Floats const all = load(crop.counts + i);
        counts = fused(w, crop.near ? all - load(crop.near + i) : all, counts);
        shape = crop.shape ? fused(w, load(crop.shape + i), shape) : shape + w;
    }
    return {sum_of(counts), sum_of(shape)};
}

template <bool plane, bool ring, bool near>
double gain_of(Crop const& crop, Model const& model, Model const& without) {
    Lanes<plane, ring, near> const one(crop, model), other(crop, without);
    Floats sum{};
    for (index i = 0; i < crop.pixels; i += lanes) {
        Floats const a = one.lambda(i), b = other.lambda(i);
        // The logarithm of the ratio: two logarithms of bright pixels would differ by rounding.
        Floats const more = load(crop.counts + i) * logarithm(a * inverse(b)) - (a - b);
        sum = fused(load(crop.weights + i), more, sum);
    }
    return sum_of(sum);
}

double gain(Crop const& crop, Model const& model, Model const& without) {
    return for_kind(crop, [&]<bool plane, bool ring, bool near>() {
        return gain_of<plane, ring, near>(crop, model, without);
    });
}

template <bool plane>
KernelSums correlate_of(Crop const& crop, double mean_of_table) {
    Floats const mean = all_of(static_cast<float>(mean_of_table));
    Floats counts{}, variance{}, squares{}, norm{}, ring{}, ring_shape{};
    for (index i = 0; i < crop.pixels; i += lanes) {
        Floats const w = load(crop.weights + i), t = load(crop.table + i);
        Floats const k = w * (t - mean), x = load(crop.counts + i), y = k * x;
        counts = counts + y;
        variance = fused(k, y, variance);
        squares = fused(y, y, squares);
        norm = fused(k, t, norm);
        Floats const outside = t < ring_below ? w : Floats{};
        ring = fused(outside, x, ring);
        ring_shape =
            plane ? ring_shape + outside : fused(outside, load(crop.shape + i), ring_shape);
    }
    return {sum_of(counts), sum_of(variance), sum_of(squares),
            sum_of(norm),   sum_of(ring),     sum_of(ring_shape)};
}

KernelSums correlate(Crop const& crop, double mean) {
    return (crop.shape ? correlate_of<false> : correlate_of<true>)(crop, mean);
}

}  // namespace

FitKernels fit_kernels() {
    return {cut, flat, score, gain, correlate};
}

}  // namespace sluice::crystal::SLUICE_ISA
