// The search in double, by plain sums: obviously correct.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "domain/orientation/match/match_kernels.h"

namespace sluice::orient {
namespace {

using Complex = std::complex<double>;

// work(f, ring, term)
template <class Work>
void each_term(PolarView const& polar, Work const& work) {
    for (index f = 0, term = 0; f < polar.frequencies; ++f)
        for (index ring = polar.first_ring[f]; ring < polar.rings; ++ring, ++term)
            work(f, ring, term);
}

// A frequency stands for its opposite, too.
double times_of(index f) {
    return f == 0 ? 1 : 2;
}

float spectrum_plainly(PolarView const& polar, Spots const& spots, float* /*room*/, float* out) {
    std::fill_n(out, polar.spectrum_floats, 0.0F);
    double squares = 0;
    std::vector<Complex> sums(static_cast<std::size_t>(polar.terms));
    each_term(polar, [&](index f, index ring, index term) {
        Complex& sum = sums[static_cast<std::size_t>(term)];
        for (index i = 0; i < spots.count; ++i) {
            double const x = spots.x[i], y = spots.y[i];
            double const off =
                std::hypot(x, y) / static_cast<double>(polar.width) - static_cast<double>(ring + 1);
            sum += std::polar(static_cast<double>(spots.weight[i]) * std::exp(-off * off),
                              -static_cast<double>(f) * std::atan2(y, x));
        }
        sum *= static_cast<double>(polar.smooth[term]);
        squares += times_of(f) * std::norm(sum);
    });
    double const length = std::sqrt(squares);
    for (index t = 0; t < polar.terms && length > 0; ++t) {
        Complex const v = sums[static_cast<std::size_t>(t)] / length;
        out[2 * t] = static_cast<float>(v.real());
        out[2 * t + 1] = static_cast<float>(v.imag());
    }
    return static_cast<float>(length);
}

void interleave_plainly(float const* const* spectra, index floats, float* out) {
    for (index i = 0; i < floats; ++i)
        for (index p = 0; p < lanes_of_patterns; ++p)
            out[i * lanes_of_patterns + p] = spectra[p][i];
}

// The correlation of a zone with a pattern at an azimuth.
double correlation(SearchJob const& job, index zone, index pattern, bool mirror, index azimuth) {
    double sum = 0;
    double const turn =
        2 * std::numbers::pi * static_cast<double>(azimuth) / static_cast<double>(azimuths);
    each_term(job.polar, [&](index f, index, index term) {
        float const* z = job.zones + 2 * (term * zones_of_tile + zone);
        float const* p = job.patterns + 2 * term * lanes_of_patterns + pattern;
        Complex const of_zone(z[0], mirror ? z[1] : -z[1]), of_pattern(p[0], p[lanes_of_patterns]);
        Complex const turned = std::polar(1.0, static_cast<double>(f) * turn);
        sum += times_of(f) * (of_zone * of_pattern * turned).real();
    });
    return sum;
}

void search_plainly(SearchJob const& job) {
    constexpr index of_sector = azimuths / sectors;
    for (index zone = 0; zone < zones_of_tile; ++zone)
        for (index sector = 0; sector < sectors; ++sector)
            for (index mirror = 0; mirror < 2; ++mirror)
                for (index p = 0; p < lanes_of_patterns; ++p) {
                    double best = -INFINITY;
                    index at = 0;
                    for (index a = sector * of_sector; a < (sector + 1) * of_sector; ++a) {
                        double const value = correlation(job, zone, p, mirror == 1, a);
                        if (value > best) best = value, at = a;
                    }
                    job.best[zone].value[sector][mirror][p] = static_cast<float>(best);
                    job.best[zone].azimuth[sector][mirror][p] = static_cast<std::int32_t>(at);
                }
}

}  // namespace

MatchKernels const& match_twin() {
    static constexpr MatchKernels twin = {spectrum_plainly, interleave_plainly, search_plainly};
    return twin;
}

}  // namespace sluice::orient
