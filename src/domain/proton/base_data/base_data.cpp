// Base data out of marches through water.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/base_data/water.h"
#include "sluice/proton_base_data.h"
#include "sluice/proton_config.h"
#include "sluice/proton_metrics.h"

namespace sluice::proton {
namespace {

// Of the beam that is marched, mm: as narrow as the columns allow.
constexpr double column = 0.5, own_sigma = 2;

/// Planes of nothing between planes of water.
struct GapPlanes {
    index first = 0, count = 0;
};

GapPlanes gap_planes(BaseDataOptions const& o) {
    if (!(o.gap > 0)) return {};
    return {std::llround(o.gap_after / o.step), std::llround(o.gap / o.step)};
}

index columns_for(double range, BaseDataOptions const& options) {
    // Sigma becomes at most 2.5 % of the range, that of the halo some 5 % and 8 mm.
    double const core = 8 * std::hypot(own_sigma, 0.025 * range), halo = 4 * (8 + 0.05 * range);
    // On a way without anything both widen; what is farther aside gives hardly any dose.
    double const aside = std::min(0.7 * options.gap, 100.0);
    return static_cast<index>(std::ceil(2 * (std::max(core, halo) + aside) / column));
}

Phantom water_for(double range, double spread, BaseDataOptions const& options) {
    Phantom p;
    double const step = options.step;
    p.materials = {*material("water"), *material("vacuum")};
    p.dz = step;
    p.dx = column;
    p.planes = static_cast<index>(std::ceil((1.1 * range + 6 * spread + 5) / step));
    p.columns = columns_for(range, options);
    p.x0 = -p.width() / 2;
    GapPlanes const gap = gap_planes(options);
    if (gap.count == 0) return p;
    p.planes += gap.count;
    for (index k = 0; k < p.planes; ++k)
        p.map.insert(p.map.end(), static_cast<std::size_t>(p.columns),
                     k >= gap.first && k < gap.first + gap.count ? 1 : 0);
    return p;
}

// Without the planes of a gap.
template <class T>
void leave_out(std::vector<T>& planes, GapPlanes const& gap) {
    planes.erase(planes.begin() + gap.first, planes.begin() + gap.first + gap.count);
}

double without_own(double sigma) {
    return std::sqrt(std::max(sigma * sigma - own_sigma * own_sigma, 0.0));
}

// Behind the last depth with enough dose the last number is repeated, and before the first one
// that is known the first.
void hold(std::vector<double>& values, std::vector<double> const& dose, double least) {
    auto const known = std::ranges::find_if(values, [](double v) { return std::isfinite(v); });
    double last = known == values.end() ? 0 : *known;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (dose[i] >= least && std::isfinite(values[i])) last = values[i];
        values[i] = last;
    }
}

// Planes have their numbers in their middles; readers begin at the surface.
void add_surface(std::vector<double>& values) {
    values.insert(values.begin(), std::max(0.0, 1.5 * values[0] - 0.5 * values[1]));
}

// Base data have no keys but the step, which their rows follow.
std::vector<Guard> of_step(std::vector<Guard> guards) {
    for (Guard& g : guards) {
        bool const steps = g.key == "grid.dz" || g.key == "grid.range_step";
        g.key = steps ? "take steps of " + g.wanted.substr(0, g.wanted.find('"')) : "";
        g.wanted.clear();
    }
    return guards;
}

}  // namespace

index base_columns(Physics const& physics, double energy, BaseDataOptions const& options) {
    return columns_for(physics.range(energy), options);
}

Result<std::vector<double>> base_energies(Physics const& physics, double from, double to,
                                          index count) {
    if (!(from >= 1 && to <= 300 && from <= to))
        return Error{Code::invalid_argument,
                     fmt::format("energies from {} to {} MeV; give 1 to 300, the lower one first",
                                 from, to)};
    if (count < 1 || count > 1000 || (count == 1) != (from == to))
        return Error{Code::invalid_argument,
                     fmt::format("{} energies from {} to {} MeV; give 2 to 1000, or one where "
                                 "both are the same",
                                 count, from, to)};
    std::vector<double> out;
    double const first = physics.range(from), last = physics.range(to);
    for (index i = 0; i < count; ++i) {
        double const part =
            count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
        out.push_back(physics.energy(first + part * (last - first)));
    }
    out.front() = from;
    out.back() = to;
    return out;
}

Result<BaseEnergy> base_energy(Physics const& physics, double energy,
                               BaseDataOptions const& options) {
    if (!(options.step > 0 && options.step <= 5))
        return Error{Code::invalid_argument,
                     fmt::format("steps of {} mm; give more than 0, at most 5", options.step)};
    Beam const beam{.energy = energy, .energy_spread = options.energy_spread, .sigma_x = own_sigma};
    double const spread = options.energy_spread / physics.stopping_power(energy);
    MarchOptions march_options;
    march_options.threads = options.threads;
    march_options.progress = options.progress;
    double const range = physics.range(energy);
    if (!(options.gap >= 0 && options.gap <= 2000 && options.gap_after >= 0 &&
          (options.gap == 0 || options.gap_after < range)))
        return Error{
            Code::invalid_argument,
            fmt::format("a gap of {} mm after {} mm of water; give 0 to 2000 mm, before the "
                        "range of {:.4g} mm",
                        options.gap, options.gap_after, range)};
    GapPlanes const gap = gap_planes(options);
    Phantom const water = water_for(range, spread, options);
    // Guards are of water; nothing happens in a gap.
    BaseDataOptions whole = options;
    whole.gap = 0;
    Phantom const judged = water_for(range, spread, whole);
    std::vector<Guard> guards = of_step(guards_of(physics, judged, beam, march_options));
    if (auto refused = refuse(guards); !refused)
        return Error{refused.error().code,
                     fmt::format("{:g} MeV: {}", energy, refused.error().message)};
    SLUICE_TRY(MarchResult const r, march(physics, water, beam, march_options));
    Config c;
    c.options = march_options;
    if (gap.count == 0)
        for (Guard& g : of_step(guards_after(c, r))) guards.push_back(std::move(g));
    DepthCurve curve = depth_dose(r);
    std::vector<PlaneSums> sums = r.sums;
    std::vector<TwoGaussians> widths = two_gaussians(r);
    leave_out(curve.dose, gap), leave_out(sums, gap), leave_out(widths, gap);
    curve.depth.resize(curve.dose.size());
    SLUICE_TRY(BraggMetrics const metrics, bragg_metrics(curve));
    BaseEnergy b{energy,
                 options.energy_spread,
                 metrics.peak_depth,
                 metrics.r80,
                 curve.depth,
                 curve.dose,
                 {},
                 {},
                 {},
                 {},
                 std::move(guards)};
    for (PlaneSums const& s : sums) b.let.push_back(s.let_dose_all);
    for (TwoGaussians const& g : widths) {
        b.sigma.push_back(without_own(g.sigma));
        b.halo_sigma.push_back(without_own(g.halo_sigma));
        b.halo_weight.push_back(g.halo_weight);
    }
    for (auto* const v : {&b.sigma, &b.halo_sigma, &b.halo_weight})
        hold(*v, curve.dose, 1e-3 * metrics.peak);
    hold(b.let, curve.dose, 1e-3 * metrics.peak);
    add_surface(b.dose);
    add_surface(b.let);
    b.depth.insert(b.depth.begin(), 0.0);
    b.sigma.insert(b.sigma.begin(), 0.0);
    b.halo_sigma.insert(b.halo_sigma.begin(), b.halo_sigma[0]);
    b.halo_weight.insert(b.halo_weight.begin(), b.halo_weight[0]);
    // MeV/mm in 1 g/cm3.
    for (double& d : b.dose) d *= 10;
    return b;
}

}  // namespace sluice::proton
