// What the energies and steps of the dense mode do to a depth dose: a line that it computes alone,
// beside a fine march.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/guards/distance.h"
#include "domain/proton/guards/guards.h"

namespace sluice::proton::guards {
namespace {

constexpr index columns = 16;  // as many as a march computes at least
constexpr double narrow = 0.01;

/// The beam's own way as a phantom whose columns are alike, in planes of so many parts.
Phantom way_of(Phantom const& whole, Beam const& beam, index parts) {
    Phantom p;
    p.materials = whole.materials;
    p.planes = whole.planes * parts;
    p.columns = columns;
    p.dz = whole.dz / std::cos(beam.angle) / static_cast<double>(parts);
    p.dx = whole.dx;
    p.x0 = -p.width() / 2;
    if (whole.map.empty()) return p;
    for (index k = 0; k < p.planes; ++k)
        p.map.insert(p.map.end(), columns, material_at(whole, beam, 0, k / parts));
    return p;
}

/// A beam as wide as all of it.
Beam straight(Beam const& beam, Phantom const& p) {
    return {.energy = beam.energy, .energy_spread = beam.energy_spread, .sigma_x = p.width()};
}

/// What such a phantom got, as planes of the whole one.
Line line_of(Physics const& physics, Phantom const& p, MarchResult const& r, double energy,
             index parts) {
    Line line;
    line.energy.resize(static_cast<std::size_t>(p.planes / parts));
    line.let.resize(line.energy.size());  // it has none
    double water = 0;
    for (index k = 0; k < p.planes; ++k) {
        double e = 0;
        for (index x = 0; x < columns; ++x)
            e += r.deposit[static_cast<std::size_t>(k * columns + x)];
        line.energy[static_cast<std::size_t>(k / parts)] += e;
        double const here = p.dz * physics.relative_stopping_power(p.at(k, 0), energy);
        // As the lines of a march.
        if (here > 0.2 * p.dz) {
            line.water.push_back(water + here / 2);
            line.dose.push_back(e / here);
        }
        water += here;
    }
    return line;
}

Result<Line> computed(Physics const& physics, Phantom const& whole, Beam const& beam,
                      DenseOptions o) {
    // Only the steps are judged: the dense mode has no elastic collisions, which the march has.
    o.scattering = o.out_of_plane = o.nuclear = false;
    o.angles = 3;
    o.angle_window = narrow;
    o.backward = Backward::reject;
    o.device = Device::cpu(1);
    o.trace = nullptr;
    if (o.progress) o.progress = [ask = o.progress](auto, auto) { return ask(0, 1); };
    Phantom const p = way_of(whole, beam, 1);
    SLUICE_TRY(DenseSolver solver, DenseSolver::create(physics, p, straight(beam, p), o));
    SLUICE_CHECK(solver.run());
    SLUICE_TRY(MarchResult const r, solver.result());
    return line_of(physics, p, r, beam.energy, 1);
}

Result<Line> marched(Physics const& physics, Phantom const& whole, Beam const& beam,
                     DenseOptions const& dense, index parts) {
    MarchOptions o;
    o.angle_step = o.angle_window = narrow;
    o.scattering = o.out_of_plane = o.nuclear = false;
    o.straggling = dense.straggling;
    o.device = Device::cpu(1);
    if (dense.progress) o.progress = [ask = dense.progress](auto, auto) { return ask(0, 1); };
    Phantom const p = way_of(whole, beam, parts);
    SLUICE_TRY(MarchResult const r, march(physics, p, straight(beam, p), o));
    return line_of(physics, p, r, beam.energy, parts);
}

}  // namespace

std::vector<Guard> of_dense_depth(Physics const& physics, Phantom const& phantom, Beam const& beam,
                                  DenseOptions const& o) {
    constexpr index most_planes = 20000, finer = 4;
    index const parts = phantom.planes > most_planes ? 1 : finer;
    index const needed = dense_energies(physics, phantom, beam, o);
    DenseOptions as_run = o;
    if (o.energies == 0) as_run.energies = needed;
    auto const best = marched(physics, phantom, beam, o, parts);
    auto const own = best ? computed(physics, phantom, beam, as_run) : best;
    if (!own) {
        if (own.error().code == Code::cancelled) return {};
        return {{.name = "depth_unchecked",
                 .text = "the error of the steps of depth and energy could not be checked: " +
                         own.error().message}};
    }
    Distance const d = distance(*own, *best);
    double const step = o.step > 0 ? o.step : phantom.dz;
    std::vector<Guard> out;
    for (Rule const& rule : rules_for(physics.range(beam.energy))) {
        double const value = rule.factor * d.*(rule.part);
        if (!(value > rule.limit)) continue;
        Guard g{.name = std::string(rule.name),
                .value = value,
                .limit = rule.limit,
                .unit = std::string(rule.unit)};
        g.severity = value > rule.certain ? Severity::refusal : Severity::warning;
        bool const few = o.energies > 0 && o.energies < needed;
        g.text = fmt::format(
            "with {} energies and steps of {:.3g} mm {} by {:.2g} {} ({:g} MeV, beside a fine "
            "march "
            "of the beam's middle)",
            o.energies > 0 ? o.energies : needed, step, rule.what, value, rule.unit, beam.energy);
        g.key = few ? "dense.energies" : o.step > 0 ? "dense.step" : "grid.dz";
        g.wanted = few ? fmt::format("{}", needed) : fmt::format("{:.3g} mm", step / 2);
        out.push_back(std::move(g));
    }
    return out;
}

}  // namespace sluice::proton::guards
