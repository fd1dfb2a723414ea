// The rows, angles and materials of a march.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/grid.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "domain/proton/marching/at_the_end.h"
#include "domain/proton/physics/constants.h"

namespace sluice::proton::marching {
double range_straggling(Physics const& physics, double energy) {
    Material const water;
    constexpr int n = 400;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        double const e = energy * (i + 0.5) / n, s = physics.stopping_power(e);
        sum += physics.straggling(water, e) / (s * s * s) * energy / n;
    }
    return std::sqrt(sum);
}

double scattering_between(Physics const& physics, double from, double to) {
    // Nearer to its end a proton cannot be said to have a direction.
    constexpr double least = 0.02;
    Material const water;
    constexpr int n = 16;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        double const r = from + (to - from) * (i + 0.5) / n;
        sum += physics.scattering_power(water, physics.energy(std::max(r, least)));
    }
    return sum / n * (to - from);
}

double part_of_thick(Physics const& physics, Beam const& beam, double from, double to) {
    // None of the beam is above its range; where it is spread, it entered with more or less.
    double const top = std::min(to, physics.range(beam.energy));
    double const low = std::max(0.0, std::min(from, top - (to - from) / 2));
    double const least = std::max(1e-6, 2 * beam.energy_spread / beam.energy);
    constexpr int n = 16;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        double const r = std::max(0.02, low + (top - low) * (i + 0.5) / n);
        double const pv = momentum_velocity(physics.energy(r)), here = std::log10(pv);
        double const ratio = pv / momentum_velocity(beam.energy);
        double const lost = std::log10(std::max(1 - ratio * ratio, least));
        sum += std::max(0.0, 0.5244 + 0.1975 * lost + 0.2320 * here - 0.0098 * here * lost);
    }
    return sum / n;
}

double part_between(double from, double to, double mean, double sigma) {
    auto const below = [&](double x) {
        return std::erfc((mean - x) / sigma / std::numbers::sqrt2) / 2;
    };
    // Far tails of the other sign would lose their digits.
    if (from > mean) return part_between(2 * mean - to, 2 * mean - from, mean, sigma);
    return below(to) - below(from);
}

std::vector<double> spread(index places, index middle, double variance) {
    std::vector<double> w(static_cast<std::size_t>(places)), next(w.size());
    // Wide ones by their integral, which a place's own width makes wider by 1/12.
    if (variance > 4) {
        double const sigma = std::sqrt(variance - 1.0 / 12);
        for (index i = 0; i < places; ++i) {
            auto const at = static_cast<double>(i - middle);
            w[static_cast<std::size_t>(i)] = part_between(at - 0.5, at + 0.5, 0, sigma);
        }
        return w;
    }
    w[static_cast<std::size_t>(middle)] = 1;
    auto const passes = static_cast<int>(std::ceil(variance / 0.5));
    for (int k = 0; k < passes; ++k) {
        double const p = variance / passes / 2;
        for (std::size_t i = 0; i < w.size(); ++i)
            next[i] = (1 - 2 * p) * w[i] +
                      p * ((i > 0 ? w[i - 1] : 0) + (i + 1 < w.size() ? w[i + 1] : 0));
        w.swap(next);
    }
    return w;
}

namespace {

// So many rows that about half of the variance is of protons that fall so far, where most do.
index rows_to_fall(RangeRows const& rows) {
    double most = 0;
    for (std::size_t i = 1; i < rows.energy.size(); ++i)
        if (rows.variance[i] > 0)
            most = std::max(
                most, rows.third[i] / rows.variance[i] / (rows.energy[i] - rows.energy[i - 1]));
    return most > 0 ? std::max<index>(2, 1 + static_cast<index>(std::ceil(2 * most))) : 0;
}

// Such that the mean energy stays, and its variance and third moment grow as they must, in `passes`
// (0: as many as it needs). At the ends there is no neighbour to go to; near the end of range,
// where rows' energies are so unequal that neighbours alone have a larger third moment, they have
// that.
void share_straggling(RangeRows& rows, int passes) {
    auto const n = rows.energy.size();
    for (std::vector<double>* v : {&rows.up, &rows.down, &rows.far}) v->assign(n, 0);
    rows.most_straggling = 0;
    auto const fall = static_cast<std::size_t>(rows.fall);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        // At its end a row has next to no energy that could be spread, and none below it.
        if (rows.range[i] < 0.05 * rows.step) continue;
        double const above = rows.energy[i + 1] - rows.energy[i];
        double const under = rows.energy[i] - rows.energy[i - 1];
        // Of the variance, what those that fall far have: the rest is of neighbours.
        double of_far = 0, deep = 0;
        if (fall > 1 && i >= fall) {
            deep = rows.energy[i] - rows.energy[i - fall];
            of_far =
                std::clamp((rows.third[i] - rows.variance[i] * (under - above)) / (deep - under),
                           0.0, rows.variance[i]);
            rows.far[i] = of_far / (deep * (above + deep));
        }
        rows.down[i] = (rows.variance[i] - of_far) / (under * (above + under));
        rows.up[i] = (rows.down[i] * under + rows.far[i] * deep) / above;
        rows.most_straggling =
            std::max(rows.most_straggling, rows.up[i] + rows.down[i] + rows.far[i]);
    }
    rows.straggling =
        passes > 0 ? passes : std::max(1, static_cast<int>(std::ceil(rows.most_straggling / 0.5)));
    for (std::vector<double>* v : {&rows.up, &rows.down, &rows.far})
        for (double& part : *v) part /= rows.straggling;
}

void book_energies(RangeRows& rows, Physics const& physics) {
    AtTheEnd const end(rows, 2, [&](double r) { return physics.energy(r); });
    // Where the lowest row lies farthest behind the end it has next to nothing, and never less.
    for (std::size_t i = 0; i < rows.energy.size(); ++i)
        rows.energy[i] = std::max(0.0, rows.energy[i] + end.row(i));
}

}  // namespace

RangeRows range_rows(Physics const& physics, Phantom const& phantom, Beam const& beam,
                     MarchOptions const& options) {
    RangeRows rows;
    rows.step = options.range_step > 0 ? options.range_step : phantom.dz / std::cos(beam.angle);
    double const range = physics.range(beam.energy);
    auto const below = static_cast<index>(range / rows.step + past_the_end);
    double const of_beam = beam.energy_spread / physics.stopping_power(beam.energy);
    double const of_water = options.straggling ? range_straggling(physics, beam.energy) : 0;
    // Of a wide spread the highest energies go farther than the mean's stopping power says.
    double const farthest =
        std::max(7 * of_beam, physics.range(beam.energy + 7 * beam.energy_spread) - range);
    double const wide = std::hypot(farthest, 7 * of_water) / rows.step;
    index const size = below + 5 + static_cast<index>(wide);
    rows.spread = std::hypot(of_beam, of_water) / rows.step;
    auto const n = static_cast<std::size_t>(size);
    for (index i = 0; i < size; ++i)
        rows.range.push_back(range + static_cast<double>(i - below) * rows.step);
    for (double const r : rows.range) {
        double const e = r > 0 ? physics.energy(r) : 0;
        rows.energy.push_back(e);
        double const b2 = beta_squared(std::max(e, 2.0));
        double const excitation = mean_excitation_energy(physics.table());
        rows.bend.push_back(1 / (std::log(2e6 * electron_mass * b2 / (1 - b2) / excitation) - b2));
    }
    book_energies(rows, physics);
    Material const water;
    rows.variance.resize(n);
    rows.third.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        double const half = phantom.dz / 2, r = std::max(rows.range[i], 0.05 * rows.step);
        double const mid = physics.energy(std::max(r - half, r / 2));
        double const sigma = physics.nuclear_cross_section(water, mid) +
                             physics.hydrogen_cross_section(water, mid) +
                             physics.elastic_cross_section(water, mid);
        rows.loss.push_back(options.nuclear ? 1 - std::exp(-sigma * phantom.dz) : 0);
        rows.scatter.push_back(options.scattering
                                   ? scattering_between(physics, std::max(r - half, 0.0), r + half)
                                   : 0);
        // A plane of a gas takes a small part of a row.
        rows.young.push_back(part_of_thick(physics, beam, r - rows.step / 2, r + rows.step / 2));
        if (!options.straggling) continue;
        rows.variance[i] = physics.straggling(water, mid) * phantom.dz;
        rows.third[i] = physics.straggling_third(water, mid) * phantom.dz;
    }
    rows.fall = rows_to_fall(rows);
    share_straggling(rows, 0);
    return rows;
}

void carry_rows(RangeRows& rows, RangeRows const& still, Physics const& physics, double carried) {
    rows.carried = carried;
    auto const n = still.range.size();
    auto const between = [&](std::vector<double>& to, std::vector<double> const& from) {
        for (std::size_t i = 1; i < n; ++i) to[i] = from[i] + carried * (from[i - 1] - from[i]);
        to[0] = from[0];
    };
    for (std::size_t i = 0; i < n; ++i) {
        double const r = still.range[i] - carried * still.step;
        rows.range[i] = r;
        rows.energy[i] = r > 0 ? physics.energy(r) : 0;
    }
    book_energies(rows, physics);
    between(rows.bend, still.bend);
    between(rows.loss, still.loss);
    between(rows.young, still.young);
    between(rows.variance, still.variance);
    between(rows.third, still.third);
    // It grows as a power of the range towards its end.
    for (std::size_t i = 1; i < n; ++i)
        rows.scatter[i] =
            still.scatter[i] > 0
                ? still.scatter[i] * std::pow(still.scatter[i - 1] / still.scatter[i], carried)
                : 0;
    share_straggling(rows, still.straggling);
}

Angles angles_of(Beam const& beam, MarchOptions const& options) {
    Angles a;
    a.step = options.angle_step;
    auto const side =
        static_cast<index>(std::ceil(options.angle_window / options.angle_step - 1e-9));
    for (index j = -side; j <= side; ++j)
        a.angle.push_back(beam.angle + static_cast<double>(j) * a.step);
    return a;
}

namespace {

// Weights of the rows of a beam whose energies are spread, so its ranges are not normal: at 10 %
// the mean range is 0.6 % longer than that of the mean energy.
std::vector<double> spread_in_energy(RangeRows const& rows, Beam const& beam,
                                     Physics const& physics, index row) {
    double const in_rows = beam.energy_spread / physics.stopping_power(beam.energy) / rows.step;
    // Where few rows have it, they have its variance; the rest is far below a row then.
    if (in_rows * in_rows <= 4) return spread(rows.size(), row, in_rows * in_rows);
    // A row's own width makes it wider by 1/12.
    double const sigma = beam.energy_spread * std::sqrt(1 - 1 / (12 * in_rows * in_rows));
    std::vector<double> w;
    for (double const r : rows.range)
        w.push_back(part_between(physics.energy(r - rows.step / 2),
                                 physics.energy(r + rows.step / 2), beam.energy, sigma));
    return w;
}

double sum_of(std::vector<double> const& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
}

}  // namespace

Start initial_state(Phantom const& phantom, Beam const& beam, RangeRows const& rows,
                    Angles const& angles, Physics const& physics, std::span<double const> profile) {
    double const range = physics.range(beam.energy);
    auto const row = static_cast<index>(std::lround((range - rows.range[0]) / rows.step));
    Start start;
    start.rows = spread_in_energy(rows, beam, physics, row);
    start.outside_rows = std::max(0.0, 1 - sum_of(start.rows));
    double const sigma_a = beam.divergence / angles.step;
    std::vector<double> const by_angle =
        spread(angles.size(), angles.size() / 2, sigma_a * sigma_a);
    start.outside_angles = std::max(0.0, 1 - sum_of(by_angle));
    double const tilt =
        beam.divergence > 0 ? beam.covariance / (beam.divergence * beam.divergence) : 0;
    double const own = std::sqrt(std::max(
        0.0, beam.sigma_x * beam.sigma_x - tilt * tilt * beam.divergence * beam.divergence));
    for (std::size_t j = 0; j < by_angle.size(); ++j) {
        for (double const part : profile) start.lines.push_back(by_angle[j] * part);
        if (!profile.empty()) continue;
        double const mean = beam.x + tilt * (angles.angle[j] - beam.angle);
        // A point is in one column, whatever faces round to.
        double const column = std::floor((mean - phantom.x0) / phantom.dx);
        for (index x = 0; x < phantom.columns; ++x) {
            auto const k = static_cast<double>(x);
            double const left = phantom.x0 + k * phantom.dx;
            double const part = own > 0 ? part_between(left, left + phantom.dx, mean, own)
                                        : (column == k ? 1.0 : 0.0);
            start.lines.push_back(by_angle[j] * part);
        }
    }
    return start;
}

}  // namespace sluice::proton::marching
