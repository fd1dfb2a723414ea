// PatternWork::line: a pattern's loss when object and probe move along a line.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/pattern_work.h"
#include "domain/ptychography/step/poisson.h"

namespace sluice::ptycho {

namespace {

// dL/dM, and half the second derivative where that is not negative. Pixels that are modelled
// too dark curve downwards without bound: they count as if the model were right there.
struct Slopes {
    double first, half_second;
    double weight;  // of M's own curvature
};

Slopes slopes_of(stem4d::Likelihood likelihood, double model, double counts, double count) {
    constexpr double tiny = 1e-9;  // as in weigh()
    double const m = model + tiny;
    switch (likelihood) {
        case stem4d::Likelihood::amplitude: {
            double const x = std::sqrt(counts / m), most = std::min(x, 1.0);
            return {1 - x, most / (4 * m), 1 - most};
        }
        case stem4d::Likelihood::poisson: {
            double const by = added_counts<double> * count;
            double const most = std::min((counts + by) / (model + by), 1.0);
            double const first =
                poisson_pixel(model, counts, count, [](double) { return 0.0; }).weight;
            return {first, most / (2 * (model + by)), 1 - most};
        }
        case stem4d::Likelihood::gaussian: {
            double const first = 2 * (model - counts) / (counts + 1);
            return {first, 1 / (counts + 1), std::max(first, 0.0)};
        }
        case stem4d::Likelihood::automatic:
            break;
    }
    return {};
}

}  // namespace

// The wave is a + b t + c t^2 + ... in each plane, and intensities A0 + A1 t + A2 t^2.
template <class Real>
Line PatternWork<Real>::line(State<Real> const& state, State<Real> const& way, index j,
                             std::span<Real const> counts, std::span<std::uint8_t const> bad) {
    auto const at = static_cast<std::size_t>(j);
    place_ = place_of(state.positions[at], model_.sub_pixel);
    descan_ = state.descan.empty() ? stem4d::Position{} : state.descan[at];
    take_probe(way, j);
    std::vector<Wave<Real>> b = waves_;
    take_patches(way);
    std::vector<Wave<Real>> const patch_way = patches_;
    take_probe(state, j);
    take_patches(state);
    std::vector<Wave<Real>>& a = waves_;
    std::vector<Wave<Real>> c(a.size(), Wave<Real>(a.front().size()));
    std::size_t const slices = patches_.size();
    for (std::size_t k = 0; k < a.size(); ++k) {
        for (std::size_t s = 0; s < slices; ++s) {
            for (std::size_t i = 0; i < a[k].size(); ++i) {
                Complex const o = patches_[s][i], d = patch_way[s][i];
                c[k][i] = c[k][i] * o + b[k][i] * d;
                b[k][i] = b[k][i] * o + a[k][i] * d;
                a[k][i] *= o;
            }
            if (s + 1 == slices) break;
            for (auto* wave : {&a[k], &b[k], &c[k]}) optics_.propagate(*wave);
        }
        for (auto* wave : {&a[k], &b[k], &c[k]}) {
            if (descan_.row != 0 || descan_.col != 0) optics_.ramp(*wave, descan_.row, descan_.col);
            optics_.to_detector(*wave);
        }
    }
    std::vector<Real> powers[3];
    for (auto& power : powers) power.assign(a.front().size(), 0);
    for (std::size_t k = 0; k < a.size(); ++k)
        for (std::size_t q = 0; q < a[k].size(); ++q) {
            Complex const x = a[k][q], y = b[k][q], z = c[k][q];
            powers[0][q] += std::norm(x);
            powers[1][q] += 2 * (x * std::conj(y)).real();
            powers[2][q] += std::norm(y) + 2 * (x * std::conj(z)).real();
        }
    std::vector<double> sums[3];
    auto const& pixel_of = optics_.detector_of();
    for (std::size_t i = 0; i < 3; ++i) {
        optics_.blur(powers[i]);
        sums[i].assign(counts.size(), 0);
        for (std::size_t q = 0; q < powers[i].size(); ++q)
            if (pixel_of[q] >= 0)
                sums[i][static_cast<std::size_t>(pixel_of[q])] += static_cast<double>(powers[i][q]);
    }
    Line line;
    for (std::size_t p = 0; p < counts.size(); ++p) {
        if (!bad.empty() && bad[p]) continue;
        double const model =
            std::max(sums[0][p], 0.0) +
            (state.background.empty() ? 0.0 : static_cast<double>(state.background[p]));
        Slopes const l =
            slopes_of(model_.likelihood, model, static_cast<double>(counts[p]), model_.count);
        line.slope += l.first * sums[1][p];
        line.curvature += l.weight * sums[2][p] + l.half_second * sums[1][p] * sums[1][p];
    }
    return line;
}

template Line PatternWork<float>::line(State<float> const&, State<float> const&, index,
                                       std::span<float const>, std::span<std::uint8_t const>);
template Line PatternWork<double>::line(State<double> const&, State<double> const&, index,
                                        std::span<double const>, std::span<std::uint8_t const>);

}  // namespace sluice::ptycho
