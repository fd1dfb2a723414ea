// Weights and modes by alternating least squares on the probe's gradients.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/variable_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/splitmix.h"
#include "domain/ptychography/group_sums.h"
#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/step/weight.h"
#include "domain/ptychography/wrong.h"

namespace sluice::ptycho {

namespace {

using Complex = std::complex<double>;

// Object and probe take most of a whole step already, and all together must take less than two.
constexpr double part_of_step = 0.25;

// sum a* b, row by row.
template <class Real>
Complex product_of(Planar<Real> const& a, Planar<Real> const& b) {
    double re = 0, im = 0;
    for (index r = 0; r < a.rows(); ++r) {
        Real const *const x = a.re(r), *const y = a.im(r), *const u = b.re(r), *const v = b.im(r);
        double row_re = 0, row_im = 0;
        for (index c = 0; c < a.cols(); ++c) {
            row_re += static_cast<double>(x[c] * u[c] + y[c] * v[c]);
            row_im += static_cast<double>(x[c] * v[c] - y[c] * u[c]);
        }
        re += row_re;
        im += row_im;
    }
    return {re, im};
}

template <class Real>
double power_of(Planar<Real> const& a) {
    return product_of(a, a).real();
}

template <class Real>
void add_part(Planar<Real>& to, Complex by, Planar<Real> const& from) {
    auto const p = static_cast<Real>(by.real()), q = static_cast<Real>(by.imag());
    for (index r = 0; r < to.rows(); ++r)
        for (index c = 0; c < to.cols(); ++c) {
            Real const x = from.re(r)[c], y = from.im(r)[c];
            to.re(r)[c] += p * x - q * y;
            to.im(r)[c] += p * y + q * x;
        }
}

template <class Real>
void multiply(Planar<Real>& plane, double by) {
    for (index r = 0; r < plane.rows(); ++r)
        for (index i = 0; i < 2 * plane.half(); ++i) plane.re(r)[i] *= static_cast<Real>(by);
}

// sum |U O|^2 over a window.
template <class Real>
double power_behind(Planar<Real> const& mode, Planar<Real> const& object,
                    WindowPlace const& place) {
    double sum = 0;
    for (index r = 0; r < mode.rows(); ++r) {
        double row = 0;
        for (index c = 0; c < mode.cols(); ++c)
            row += static_cast<double>(std::norm(mode.at(r, c)) *
                                       std::norm(object.at(place.row + r, place.col + c)));
        sum += row;
    }
    return sum;
}

double mean_of(std::vector<double> const& values) {
    double sum = 0;
    for (double v : values) sum += v;
    return sum / static_cast<double>(values.size());
}

template <class Real>
struct Group {
    Job<Real>& job;
    double peak = 0;  ///< the largest mean |object|^2
    double unit = 0;  ///< of gradients, to a whole step of the exit wave

    double& weight(std::size_t w, std::size_t m) { return job.state.weights_of(job.group[w])[m]; }
    /// Whether a pattern is on this rank.
    bool has(std::size_t w) const { return job.own[w] >= 0; }
    Gradients<Real>& gradients(std::size_t w) {
        return job.gradients[static_cast<std::size_t>(job.own[w])];
    }
    Planar<Real>& wish(std::size_t w) { return gradients(w).probe.front(); }

    // of(w) for each pattern of the group, by the rank that has it.
    template <class Of>
    std::vector<double> each(Of const& of) const {
        std::vector<double> found(job.places.size());
        parallel_for(std::ssize(found), job.threads, 1, [&](index i, int) {
            auto const w = static_cast<std::size_t>(i);
            if (has(w)) found[w] = of(w);
        });
        job.share.sum(std::span(found));
        return found;
    }
};

// The factor of all modes: along the probe itself.
template <class Real>
void step_intensity(Group<Real>& g) {
    auto const& probe = g.job.state.probe;
    auto const& object = g.job.state.object.front();
    auto const along = g.each([&](std::size_t w) {
        double sum = 0;
        for (std::size_t k = 0; k < probe.size(); ++k)
            sum -= product_of(probe[k], g.gradients(w).probe[k]).real();
        return sum * g.unit;
    });
    auto const power = g.each([&](std::size_t w) {
        double sum = 0;
        for (auto const& mode : probe) sum += power_behind(mode, object, g.job.places[w]);
        return sum;
    });
    double const damping = 0.1 * mean_of(power);
    for (std::size_t w = 0; w < along.size(); ++w) {
        double& weight = g.weight(w, 0);
        weight = std::clamp(weight + part_of_step * along[w] / (power[w] + damping), 0.1, 10.0);
    }
}

// Gradients become wishes: what a whole step would add to each pattern's probe, without their mean.
template <class Real>
void make_wishes(Group<Real>& g) {
    std::size_t const count = g.job.places.size();
    auto const by = static_cast<Real>(-g.unit / g.peak);
    index const n = g.job.window();
    Planar<Real> mean(n, n);
    index const width = 2 * mean.half();
    parallel_for(n, g.job.threads, 4, [&](index r, int) {
        for (std::size_t w = 0; w < count; ++w) {
            if (!g.has(w)) continue;
            Real* const z = g.wish(w).re(r);
            for (index i = 0; i < width; ++i) {
                z[i] *= by;
                mean.re(r)[i] += z[i] / static_cast<Real>(count);
            }
        }
    });
    sum_window(g.job.share, mean);
    parallel_for(n, g.job.threads, 4, [&](index r, int) {
        for (std::size_t w = 0; w < count; ++w)
            for (index i = 0; g.has(w) && i < width; ++i) g.wish(w).re(r)[i] -= mean.re(r)[i];
    });
}

// Of mode m: T = wish + weight U is what patterns want, c = <T, U> / |U|^2. The mode that fits best
// is sum c T / sum c^2, and a part of the way there is gone.
template <class Real>
void step_mode(Group<Real>& g, std::size_t m, double power) {
    Job<Real>& job = g.job;
    std::size_t const count = job.places.size();
    Planar<Real>& mode = job.state.opr_modes[m - 1];
    auto const more =
        g.each([&](std::size_t w) { return product_of(mode, g.wish(w)).real() / power; });
    auto const behind = g.each(
        [&](std::size_t w) { return power_behind(mode, job.state.object.front(), job.places[w]); });
    double const damping = 0.1 * mean_of(behind);
    double squares = 0, shared = 0;
    std::vector<Real> wanted;
    for (std::size_t w = 0; w < count; ++w) {
        double const c = more[w] + g.weight(w, m);
        squares += c * c;
        shared += c * g.weight(w, m);
        wanted.push_back(static_cast<Real>(c));
    }
    if (!(squares > 0)) return;
    Planar<Real> sum(mode.rows(), mode.cols());
    parallel_for(mode.rows(), job.threads, 4, [&](index r, int) {
        for (std::size_t w = 0; w < count; ++w)
            if (g.has(w))
                job.rows.add_scaled(g.wish(w).re(r), wanted[w], 2 * sum.half(), sum.re(r));
    });
    sum_window(job.share, sum);
    parallel_for(std::ssize(more), job.threads, 1, [&](index i, int) {
        auto const w = static_cast<std::size_t>(i);
        if (g.has(w)) add_part(g.wish(w), -more[w], mode);
    });
    for (std::size_t w = 0; w < count; ++w)
        g.weight(w, m) += part_of_step * more[w] * power * g.peak / (behind[w] + damping);
    double const part =
        std::min(part_of_step, 2 * static_cast<double>(count) / static_cast<double>(job.patterns));
    multiply(mode, 1 - part + part * shared / squares);
    add_part(mode, part / squares, sum);
}

// Modes are as bright as the mean pattern; weights take the rest.
template <class Real>
void normalise(State<Real>& state, std::size_t m, double power) {
    Planar<Real>& mode = state.opr_modes[m - 1];
    double const now = power_of(mode);
    if (!(now > 0)) return;
    double const by = std::sqrt(power / now);
    multiply(mode, by);
    for (index j = 0; j < std::ssize(state.positions); ++j) state.weights_of(j)[m] /= by;
}

// Weights beyond 1.5 times what nineteen of twenty have.
template <class Real>
void cut_wild(State<Real>& state, std::size_t m) {
    std::vector<double> sizes;
    index const count = std::ssize(state.positions);
    for (index j = 0; j < count; ++j) sizes.push_back(std::abs(state.weights_of(j)[m]));
    auto const at = sizes.begin() + std::ssize(sizes) * 95 / 100;
    std::nth_element(sizes.begin(), at, sizes.end());
    double const most = 1.5 * *at;
    for (index j = 0; j < count; ++j) {
        double& weight = state.weights_of(j)[m];
        weight = std::clamp(weight, -most, most);
    }
}

// Takes from mode m what lies along `other`; `onto` is whose weight takes the real part.
template <class Real>
void make_free_of(State<Real>& state, std::size_t m, Planar<Real> const& other, std::size_t onto,
                  bool moves_weight) {
    Planar<Real>& mode = state.opr_modes[m - 1];
    Complex const part = product_of(other, mode) / power_of(other);
    add_part(mode, -part, other);
    if (!moves_weight) return;
    for (index j = 0; j < std::ssize(state.positions); ++j)
        state.weights_of(j)[onto] += part.real() * state.weights_of(j)[m];
}

template <class Real>
double size_of(State<Real>& state, std::size_t m) {
    double sum = 0;
    for (index j = 0; j < std::ssize(state.positions); ++j)
        sum += std::pow(state.weights_of(j)[m], 2);
    return sum / static_cast<double>(state.positions.size());
}

}  // namespace

Status check_variation(index patterns, stem4d::PtychographyOptions const& options) {
    using S = PtychographyStage::Solver;
    bool before = false;
    for (auto const& stage : options.stages) {
        if (stage.opr_modes < 0 || stage.opr_modes > 16)
            return wrong(fmt::format("opr_modes is {} (0 to 16 are possible)", stage.opr_modes));
        before = before || varies(stage);
        if (!before) continue;
        bool const knows = stage.solver == S::lsqml || stage.solver == S::epie ||
                           stage.solver == S::rpie || stage.solver == S::mpie;
        if (!knows)
            return wrong(
                "a probe that varies over the scan needs lsqml, epie, rpie or mpie (other solvers "
                "have one probe for all patterns) take one of them, in later stages too");
        if (stage.opr_modes > 0 && group_size(stage, patterns, 1) < 2)
            return wrong(
                "opr_modes needs groups of at least 2 patterns (it separates what varies from what "
                "they share) give the stage a group, such as 10");
    }
    return {};
}

bool varies(PtychographyStage const& stage) {
    return stage.opr_modes > 0 || stage.opr_intensity;
}

template <class Real>
void begin_variation(State<Real>& state, PtychographyStage const& stage, double power,
                     std::uint64_t seed) {
    if (!varies(stage)) return;
    std::size_t const count = state.positions.size(), before = state.opr_modes.size();
    auto const wanted = std::max(before, static_cast<std::size_t>(stage.opr_modes));
    std::vector<double> weights(count * (wanted + 1));
    for (std::size_t j = 0; j < count; ++j) {
        weights[j * (wanted + 1)] = 1;
        if (state.opr_weights.empty()) continue;
        for (std::size_t m = 0; m <= before; ++m)
            weights[j * (wanted + 1) + m] = state.opr_weights[j * (before + 1) + m];
    }
    state.opr_weights = std::move(weights);
    std::uint64_t counter = splitmix::mix(seed + 2);
    auto const draw = [&] {
        counter += splitmix::golden;
        return static_cast<double>(splitmix::mix(counter) >> 11) * 0x1p-53 - 0.5;
    };
    for (std::size_t m = before; m < wanted; ++m) {
        Planar<Real> mode = state.probe.front();
        for (index r = 0; r < mode.rows(); ++r)
            for (index c = 0; c < mode.cols(); ++c)
                mode.set(r, c,
                         mode.at(r, c) * static_cast<std::complex<Real>>(Complex(draw(), draw())));
        state.opr_modes.push_back(std::move(mode));
        make_free_of(state, m + 1, state.probe.front(), 0, false);
        normalise(state, m + 1, power);
    }
}

template <class Real>
void vary_probe(Job<Real>& job) {
    if (!varies(job.stage) || !job.moves_probe()) return;
    auto const sums = sum_object_power(job);
    double const peak = static_cast<double>(*std::max_element(sums.begin(), sums.end())) /
                        static_cast<double>(job.places.size());
    Group<Real> group{job, peak, 1 / curvature_of(job.step.model().likelihood)};
    if (job.stage.opr_intensity) step_intensity(group);
    if (job.stage.opr_modes == 0 || job.places.size() < 2) return;
    make_wishes(group);
    for (std::size_t m = 1; m <= job.state.opr_modes.size(); ++m) {
        step_mode(group, m, job.mean_power);
        normalise(job.state, m, job.mean_power);
    }
}

template <class Real>
void settle_variation(Job<Real>& job) {
    if (!varies(job.stage) || !job.moves_probe()) return;
    State<Real>& state = job.state;
    std::size_t const modes = state.opr_modes.size();
    index const count = std::ssize(state.positions);
    auto const mean_weight = [&](std::size_t m) {
        double sum = 0;
        for (index j = 0; j < count; ++j) sum += state.weights_of(j)[m];
        return sum / static_cast<double>(count);
    };
    for (std::size_t m = 1; m <= modes; ++m) {
        cut_wild(state, m);
        double const mean = mean_weight(m);
        add_part(state.probe.front(), mean, state.opr_modes[m - 1]);
        for (index j = 0; j < count; ++j) state.weights_of(j)[m] -= mean;
        make_free_of(state, m, state.probe.front(), 0, job.stage.opr_intensity);
        for (std::size_t l = 1; l < m; ++l) make_free_of(state, m, state.opr_modes[l - 1], l, true);
        normalise(state, m, job.mean_power);
    }
    // Strongest first.
    for (std::size_t m = 1; m <= modes; ++m)
        for (std::size_t l = m + 1; l <= modes; ++l)
            if (size_of(state, l) > size_of(state, m)) {
                std::swap(state.opr_modes[l - 1], state.opr_modes[m - 1]);
                for (index j = 0; j < count; ++j)
                    std::swap(state.weights_of(j)[l], state.weights_of(j)[m]);
            }
    if (!job.stage.opr_intensity) return;
    double const mean = mean_weight(0);
    for (auto& mode : state.probe) multiply(mode, mean);
    for (index j = 0; j < count; ++j) state.weights_of(j)[0] /= mean;
}

template <class Real>
double variation_power(State<Real> const& state) {
    double own = 0, rest = 0;
    for (auto const& mode : state.probe) own += power_of(mode);
    for (std::size_t m = 1; m <= state.opr_modes.size(); ++m) {
        double sum = 0;
        for (index j = 0; j < std::ssize(state.positions); ++j)
            sum += std::pow(state.weights_of(j)[m], 2);
        rest +=
            sum / static_cast<double>(state.positions.size()) * power_of(state.opr_modes[m - 1]);
    }
    return own > 0 ? rest / own : 0;
}

template void begin_variation(State<float>&, PtychographyStage const&, double, std::uint64_t);
template void begin_variation(State<double>&, PtychographyStage const&, double, std::uint64_t);
template void vary_probe(Job<float>&);
template void vary_probe(Job<double>&);
template void settle_variation(Job<float>&);
template void settle_variation(Job<double>&);
template double variation_power(State<float> const&);
template double variation_power(State<double> const&);

}  // namespace sluice::ptycho
