// What a step does to each energy, angle and material of the dense mode.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/dense/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/memory.h"
#include "domain/proton/marching/check.h"
#include "domain/proton/marching/grid.h"

namespace sluice::proton::dense {
namespace {

constexpr std::size_t most_materials = 16;
constexpr index most_cells = index{1} << 31;

Error bad(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

// Through the beam's own range at the middle of the first plane, and a step apart if there are
// enough: slowing down in water then is from one to the next.
std::vector<double> range_nodes(Physics const& physics, Phantom const& phantom, Beam const& beam,
                                DenseOptions const& o) {
    double const step = o.step > 0 ? o.step : phantom.dz;
    double const own = range_inside(physics, phantom, beam);
    double const spread = beam.energy_spread / physics.stopping_power(beam.energy);
    double const straggling = o.straggling ? 0.02 * own : 0;
    double const high = own + 5 * spread + straggling;
    double const apart =
        o.energies > 0 ? std::max(step, high / static_cast<double>(o.energies - 2)) : step;
    double low = own - std::floor(own / apart) * apart;
    while (low < std::max(0.1 * apart, physics.range(o.energy_min))) low += apart;
    std::vector<double> nodes;
    for (double r = low; nodes.empty() || r < high + apart; r += apart)
        nodes.push_back(physics.energy(r));
    return nodes;
}

std::vector<double> energy_nodes(Physics const& physics, Beam const& beam, DenseOptions const& o) {
    double const low = o.energy_min;
    double const high =
        o.energy_max > 0 ? o.energy_max : 1.03 * beam.energy + 5 * beam.energy_spread;
    std::vector<double> nodes;
    for (index i = 0; i < o.energies; ++i) {
        double const t = static_cast<double>(i) / static_cast<double>(o.energies - 1);
        switch (o.spacing) {
            case EnergySpacing::uniform:
                nodes.push_back(low + t * (high - low));
                break;
            case EnergySpacing::logarithmic:
                nodes.push_back(low * std::pow(high / low, t));
                break;
            case EnergySpacing::range:
                nodes.push_back(
                    physics.energy((1 - t) * physics.range(low) + t * physics.range(high)));
                break;
        }
    }
    return nodes;
}

Status check(Physics const& physics, Phantom const& phantom, Beam const& beam,
             DenseOptions const& o) {
    MarchOptions march;
    march.scattering = o.scattering;
    march.straggling = o.straggling;
    march.nuclear = o.nuclear;
    march.angle_window = march.angle_step;
    SLUICE_CHECK(marching::check(physics, phantom, beam, march));
    if (o.energies < 3 || o.energies > 100000 || o.angles < 3 || o.angles > 10000)
        return bad(fmt::format("{} energies and {} angles; give 3 to 100000 and 3 to 10000",
                               o.energies, o.angles));
    if (!(o.energy_min >= 0.1 && o.energy_min < beam.energy))
        return bad(fmt::format("a lowest energy of {} MeV; give 0.1 to the beam's {} MeV",
                               o.energy_min, beam.energy));
    if (o.energy_max != 0 && !(o.energy_max >= beam.energy && o.energy_max <= 400))
        return bad(fmt::format("a highest energy of {} MeV; give the beam's {} to 400 MeV",
                               o.energy_max, beam.energy));
    double const tail = beam.energy + 4 * beam.energy_spread;
    if (o.energy_max != 0 && o.energy_max < tail)
        return bad(fmt::format("a highest energy of {} MeV, which cuts the beam off; give {:.4g}",
                               o.energy_max, tail));
    if (!(o.least_cosine >= -1 && o.least_cosine <= 1) || !(o.angle_cap > 0 && o.angle_cap <= 4))
        return bad(
            fmt::format("a least cosine of {} and a cap of {} rad; give -1 to 1, and 0 to pi",
                        o.least_cosine, o.angle_cap));
    if (!(o.angle_window > 0 && o.angle_window <= std::numbers::pi + 1e-9))
        return bad(fmt::format("a window of {} rad to each side; give at most pi", o.angle_window));
    double const step = o.step > 0 ? o.step : phantom.dz;
    if (!(o.step >= 0) || !(step <= 8 * std::min(phantom.dz, phantom.dx)))
        return bad(fmt::format("a step of {} mm over cells of {} x {} mm; give at most 8 of them",
                               step, phantom.dz, phantom.dx));
    if (!(o.threshold >= 0 && o.threshold < 1e-3))
        return bad(fmt::format("a threshold of {}; give 0 to 0.001", o.threshold));
    if (static_cast<double>(o.energies) * static_cast<double>(o.angles) *
            static_cast<double>(phantom.planes) * static_cast<double>(phantom.columns) >
        static_cast<double>(most_cells))
        return bad(fmt::format("{} x {} x {} x {} cells; give at most {}", o.energies, o.angles,
                               phantom.planes, phantom.columns, most_cells));
    // The state, what borders of threads keep of it, and the reference's second array.
    double const bytes = 2.1 * static_cast<double>(o.energies) * static_cast<double>(o.angles) *
                         static_cast<double>(phantom.planes * phantom.columns) *
                         (o.precision == Precision::f64 ? 8 : 4);
    auto const memory = static_cast<double>(memory_of_machine());
    if (bytes > memory)
        return Error{Code::out_of_memory,
                     fmt::format("the state would need up to {:.1f} GB, and the machine has {:.1f} "
                                 "(dense mode); give fewer energies, angles or cells",
                                 bytes / 1e9, memory / 1e9)};
    return {};
}

// Three energies around `mean`, as near as can be, that have it as their mean and `variance` as
// their variance; two where they alone are wider.
void share(std::vector<double> const& nodes, index from, double mean, double variance, Loss& loss) {
    if (mean < nodes[0]) {
        // Between the lowest energy and 0.
        loss = {1, {0}, {mean / nodes[0]}, 1 - mean / nodes[0]};
        return;
    }
    Between const two = between(nodes, mean);
    auto const at = [&](index i) { return nodes[static_cast<std::size_t>(i)]; };
    index const nearest = two.high_part > 0.5 ? two.low + 1 : two.low;
    for (index wide = 1; variance > 0 && nearest - wide >= 0 && nearest + wide <= from; ++wide) {
        double const a = at(nearest - wide), b = at(nearest), c = at(nearest + wide);
        double const wa = ((mean - b) * (mean - c) + variance) / ((a - b) * (a - c));
        double const wb = ((mean - a) * (mean - c) + variance) / ((b - a) * (b - c));
        double const wc = ((mean - a) * (mean - b) + variance) / ((c - a) * (c - b));
        if (wa < 0 || wc < 0) break;
        if (wb < 0) continue;
        loss = {3, {nearest, nearest - wide, nearest + wide}, {wb, wa, wc}};
        return;
    }
    if (two.high_part < 1e-12)
        loss = {1, {two.low}, {1}};
    else
        loss = {2, {two.low + 1, two.low}, {two.high_part, 1 - two.high_part}};
}

Loss loss_of(Physics const& physics, Material const& m, Tables const& t, index i,
             DenseOptions const& o) {
    double const e = t.energy[static_cast<std::size_t>(i)], range = physics.range(e);
    double const first = physics.relative_stopping_power(m, e);
    double const half = physics.energy(std::max(range - first * t.step / 2, range / 2));
    double const ratio = physics.relative_stopping_power(m, half);
    double const rest = range - ratio * t.step;
    double const mean = rest > 0 ? std::min(physics.energy(rest), e) : 0;
    double const variance = o.straggling ? physics.straggling(m, half) * t.step : 0;
    Loss loss;
    share(t.energy, i, mean, mean > 0 ? variance : 0, loss);
    loss.energy = e - mean;
    if (o.nuclear) {
        double const sigma =
            physics.nuclear_cross_section(m, half) + physics.hydrogen_cross_section(m, half);
        loss.nuclear = 1 - std::exp(-sigma * t.path[static_cast<std::size_t>(i)]);
        for (double& part : loss.part) part *= 1 - loss.nuclear;
        loss.stops *= 1 - loss.nuclear;
        loss.energy *= 1 - loss.nuclear;
    }
    return loss;
}

// Only those that are somewhere, so that a library of materials costs nothing.
Status choose_materials(Phantom const& phantom, Tables& t) {
    if (phantom.map.empty()) {
        t.materials = {phantom.materials[0]};
        return {};
    }
    std::vector<int> number(phantom.materials.size(), -1);
    for (std::uint16_t const m : phantom.map) {
        int& n = number[m];
        if (n < 0) {
            n = static_cast<int>(t.materials.size());
            t.materials.push_back(phantom.materials[m]);
        }
        if (t.materials.size() > most_materials)
            return bad(
                fmt::format("more than {} materials (each needs its own table in the dense mode); "
                            "march instead, or give fewer",
                            most_materials));
        t.map.push_back(static_cast<std::uint16_t>(n));
    }
    if (t.materials.size() == 1) t.map.clear();
    return {};
}

void fill_angles(DenseOptions const& o, Tables& t) {
    t.ring = o.angle_window > std::numbers::pi - 1e-9;
    double const step = 2 * o.angle_window / static_cast<double>(t.angles);
    index const middle = t.angles / 2;
    for (index j = 0; j < t.angles; ++j) {
        double const a = static_cast<double>(j - middle) * step;
        t.angle.push_back(a);
        // Straight ahead is just that, and not a part of 1e-17 aside.
        auto const exact = [](double v) { return std::abs(v) < 1e-12 ? 0.0 : v; };
        t.cosine.push_back(exact(std::cos(a)));
        t.sine.push_back(exact(std::sin(a)));
        double const least = o.backward == Backward::allow ? o.least_cosine : 1e-9;
        t.allowed.push_back(o.backward == Backward::cap ? std::abs(a) <= o.angle_cap + 1e-9
                                                        : std::cos(a) >= least);
    }
}

Status check_direction(Beam const& beam, Tables const& t) {
    Between const two = between(t.angle, beam.angle);
    bool const inside = beam.angle >= t.angle.front() - 1e-9 && beam.angle <= t.angle.back() + 1e-9;
    auto const allowed = [&](index j) { return t.allowed[static_cast<std::size_t>(j)] != 0; };
    if (inside && allowed(two.low) && (two.high_part == 0 || allowed(two.low + 1))) return {};
    constexpr double degree = std::numbers::pi / 180;
    return bad(
        fmt::format("a beam at {:.3g} degrees, out of the window of angles ({:.3g} to {:.3g}), or "
                    "flying backward; make the window wider",
                    beam.angle / degree, t.angle.front() / degree, t.angle.back() / degree));
}

void fill_scattering(Physics const& physics, DenseOptions const& o, Tables& t) {
    double most = 0;
    for (Material const& m : t.materials) most = std::max(most, m.scattering);
    t.alone = t.materials[0].scattering;
    if (!t.map.empty()) {
        t.alone = 0;
        for (std::uint16_t const m : t.map) {
            t.scattering.push_back(t.materials[m].scattering);
            t.alone += t.scattering.back() / static_cast<double>(t.map.size());
        }
    }
    double const step = t.angle[1] - t.angle[0];
    for (index i = 0; i < t.energies; ++i) {
        double const range = physics.range(t.energy[static_cast<std::size_t>(i)]);
        double const path = t.path[static_cast<std::size_t>(i)];
        // From the middle of the last step to that of this, since half of it is done at each end.
        double const low = std::max(range - path / 2, range / 100);
        double const variance =
            o.scattering ? marching::scattering_between(physics, low, low + path) : 0;
        t.variance.push_back(variance);
        t.diffusion.push_back(variance / (2 * step * step));
        t.passes.push_back(
            std::max(1, static_cast<int>(std::ceil(t.diffusion.back() * most / 0.4))));
    }
}

}  // namespace

double range_inside(Physics const& physics, Phantom const& phantom, Beam const& beam) {
    double const at = std::floor((beam.x - phantom.x0) / phantom.dx);
    index const column =
        static_cast<index>(std::clamp(at, 0.0, static_cast<double>(phantom.columns - 1)));
    double const ratio = physics.relative_stopping_power(phantom.at(0, column), beam.energy);
    return std::max(physics.range(beam.energy) - ratio * phantom.dz / 2 / std::cos(beam.angle),
                    0.0);
}

int Tables::most_passes() const {
    return *std::max_element(passes.begin(), passes.end());
}

Between between(std::vector<double> const& nodes, double value) {
    auto const above = std::upper_bound(nodes.begin(), nodes.end(), value);
    if (above == nodes.begin()) return {0, 0};
    auto const low = static_cast<index>(above - nodes.begin()) - 1;
    if (above == nodes.end()) return {low, 0};
    auto const k = static_cast<std::size_t>(low);
    return {low, (value - nodes[k]) / (nodes[k + 1] - nodes[k])};
}

Landing landing(Tables const& t, index energy, index angle, double forward) {
    double const path = t.path[static_cast<std::size_t>(energy)] * forward;
    return {path * t.cosine[static_cast<std::size_t>(angle)] / t.dz,
            path * t.sine[static_cast<std::size_t>(angle)] / t.dx};
}

Result<Tables> make_tables(Physics const& physics, Phantom const& phantom, Beam const& beam,
                           DenseOptions o) {
    if (o.energies == 0) o.energies = dense_energies(physics, phantom, beam, o);
    SLUICE_CHECK(check(physics, phantom, beam, o));
    Tables t;
    t.energies = o.energies;
    t.angles = o.angles;
    t.planes = phantom.planes;
    t.columns = phantom.columns;
    t.dz = phantom.dz;
    t.dx = phantom.dx;
    t.step = o.step > 0 ? o.step : phantom.dz;
    SLUICE_CHECK(choose_materials(phantom, t));
    t.energy = o.spacing == EnergySpacing::range && o.energy_max == 0
                   ? range_nodes(physics, phantom, beam, o)
                   : energy_nodes(physics, beam, o);
    t.energies = static_cast<index>(t.energy.size());
    fill_angles(o, t);
    SLUICE_CHECK(check_direction(beam, t));
    for (double const e : t.energy) {
        double most = 1e-3;
        for (Material const& m : t.materials)
            most = std::max(most, physics.relative_stopping_power(m, e));
        t.path.push_back(std::min(t.step, physics.range(e) / most));
    }
    fill_scattering(physics, o, t);
    for (Material const& m : t.materials)
        for (index i = 0; i < t.energies; ++i) t.losses.push_back(loss_of(physics, m, t, i, o));
    return t;
}

}  // namespace sluice::proton::dense

namespace sluice::proton {

index dense_energies(Physics const& physics, Phantom const& phantom, Beam const& beam,
                     DenseOptions const& options) {
    constexpr index usual = 200;
    if (options.spacing != EnergySpacing::range || !(beam.energy > 0)) return usual;
    DenseOptions o = options;
    o.energies = 0;
    if (o.energy_max == 0) return std::ssize(dense::range_nodes(physics, phantom, beam, o)) + 2;
    double const step = o.step > 0 ? o.step : phantom.dz;
    double const reach = physics.range(o.energy_max) - physics.range(o.energy_min);
    return std::max<index>(3, static_cast<index>(std::ceil(reach / step)) + 1);
}

}  // namespace sluice::proton