// Energies and weights of a spread-out Bragg peak.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "device/share_out.h"
#include "domain/proton/sobp/least_squares.h"
#include "domain/proton/spline.h"
#include "sluice/device.h"
#include "sluice/proton_sobp.h"

namespace sluice::proton {
namespace {

constexpr index most_layers = 500;

Status check(SobpPlan const& p, double dz) {
    auto const bad = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (!(dz > 0 && dz < 1e3)) return bad(fmt::format("planes of {} mm; give more than 0", dz));
    if (!(p.range > 0 && p.range < 1e3))
        return bad(fmt::format("a range of {} mm; give more than 0", p.range));
    if (!(p.modulation > 0 && p.modulation < p.range - 8 * dz))
        return bad(
            fmt::format("a modulation of {} mm for a range of {} mm; give more than 0 and "
                        "less than {} mm (the range less 8 planes)",
                        p.modulation, p.range, p.range - 8 * dz));
    if (p.layers < 0 || p.layers == 1 || p.layers > most_layers)
        return bad(fmt::format("{} layers; give 2 to {}", p.layers, most_layers));
    if (!(p.spacing >= 0) || p.spacing > p.modulation)
        return bad(fmt::format("layers every {} mm in a modulation of {} mm; give less", p.spacing,
                               p.modulation));
    if (p.layers > 0 && p.spacing > 0)
        return bad("layers and spacing are both given; give one of them");
    return {};
}

// Of the places where protons stop: straggling (0.012 r^0.935 cm, Bortfeld 1997) and the beam's.
double width_of_peak(Physics const& physics, double range, double energy_spread) {
    double const own = 0.12 * std::pow(range / 10, 0.935);
    return std::hypot(own, energy_spread / physics.stopping_power(physics.energy(range)));
}

// From the deepest on.
Result<std::vector<double>> ranges_of(Physics const& physics, SobpPlan const& p, double dz) {
    double const begin = p.range - p.modulation;
    std::vector<double> out;
    if (p.layers > 0) {
        for (index i = 0; i < p.layers; ++i)
            out.push_back(p.range - p.modulation * static_cast<double>(i) /
                                        static_cast<double>(p.layers - 1));
        return out;
    }
    // At 2 widths the ripple is 0.3 %. One layer stands
    // before the plateau, or its beginning would sag.
    constexpr double apart = 2;
    for (double r = p.range; r > 8 * dz;) {
        out.push_back(r);
        if (r <= begin + 1e-9) break;
        if (std::ssize(out) > most_layers)
            return Error{Code::invalid_argument,
                         fmt::format("more than {} layers; make the spacing or the energy spread "
                                     "larger",
                                     most_layers)};
        r -= p.spacing > 0 ? p.spacing : apart * width_of_peak(physics, r, p.beam.energy_spread);
    }
    return out;
}

// Rounds of marching that find the weights, at most.
constexpr int most_rounds = 6;

// In columns so wide that nothing leaves. The run counts layers.
Result<std::vector<DepthCurve>> depth_doses(Physics const& physics, std::vector<Beam> const& beams,
                                            double dz, double depth, MarchOptions const& options,
                                            Run& run) {
    Phantom water;
    SLUICE_TRY(water.materials.emplace_back(), material("water"));
    water.dz = dz;
    water.dx = 400;
    water.columns = 3;
    water.x0 = -600;
    water.planes = static_cast<index>(std::ceil(depth / dz));
    MarchOptions o = options;
    o.angle_step = std::max(o.angle_step, 1.5 * std::numbers::pi / 180);
    o.angle_window = std::max(o.angle_window, 2 * o.angle_step);
    o.progress = [&run](auto, auto) { return run.wanted(); };
    o.spectra_at.clear();
    o.let_map = false;
    std::vector<DepthCurve> curves(beams.size());
    auto const one = [&](index i, int) -> Status {
        auto const k = static_cast<std::size_t>(i);
        Beam b = beams[k];
        b.x = b.angle = b.covariance = 0;
        b.sigma_x = 5;
        b.weight = 1;
        SLUICE_TRY(MarchResult const marched, march(physics, water, b, o));
        curves[k] = depth_dose(marched);
        run.done();
        return {};
    };
    share_out(std::ssize(beams), Device::cpu(options.threads).threads(), &run, one);
    SLUICE_CHECK(run.status());
    return curves;
}

// Bortfeld and Schlegel 1996: the parts of a flat dose by range, where range is energy^1.77.
std::vector<double> first_weights(std::vector<double> const& ranges) {
    constexpr double part = 1 - 1 / 1.77;
    std::vector<double> w;
    double const deepest = ranges.front();
    auto const upto = [&](double r) { return std::pow(std::max(deepest - r, 0.0), part); };
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        double const above = i == 0 ? deepest : (ranges[i - 1] + ranges[i]) / 2;
        double const below = i + 1 < ranges.size() ? (ranges[i] + ranges[i + 1]) / 2 : ranges[i];
        w.push_back(upto(below) - upto(above));
    }
    return w;
}

std::vector<double> sum_of(std::vector<std::vector<double>> const& parts,
                           std::vector<double> const& weights) {
    std::vector<double> sum(parts.front().size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += weights[i] * parts[i][k];
    return sum;
}

// At points of the plateau that are closer than the planes are, so that it may begin between two.
std::vector<std::vector<double>> on_plateau(std::vector<DepthCurve> const& curves, Sobp const& s) {
    std::vector<std::vector<double>> out;
    auto const points = static_cast<int>(std::ceil((s.end - s.begin) / 0.25)) + 2;
    for (DepthCurve const& c : curves) {
        Spline const spline(c.depth, c.dose);
        auto& part = out.emplace_back();
        for (int i = 0; i < points; ++i)
            part.push_back(spline(s.begin + (s.end - s.begin) * i / (points - 1)));
    }
    return out;
}

// Where the dose falls to 80 % of the plateau's.
double range_of(DepthCurve const& sum, Sobp const& s) {
    Spline const spline(sum.depth, sum.dose);
    double const wanted = 0.8 * s.plateau;
    index k = spline.pieces();
    while (k > 0 && spline.value(k) < wanted) --k;
    return k == spline.pieces() ? s.end : spline.solve(wanted, spline.knot(k), spline.knot(k + 1));
}

// Weights of the flattest plateau between begin and end of `s`, and what it is like.
Status fit(std::vector<DepthCurve> const& curves, std::vector<double>& weights, Sobp& s) {
    if (s.end - s.begin < 1)
        return Error{Code::invalid_argument,
                     fmt::format("a plateau from {:.1f} to {:.1f} mm; give a modulation that is "
                                 "larger than the fall-off",
                                 s.begin, s.end)};
    auto const parts = on_plateau(curves, s);
    least_squares(parts, 1, weights);
    std::vector<double> const flat = sum_of(parts, weights);
    DepthCurve sum = curves.front();
    sum.dose.assign(sum.dose.size(), 0);
    for (std::size_t i = 0; i < curves.size(); ++i)
        for (std::size_t k = 0; k < sum.dose.size(); ++k)
            sum.dose[k] += weights[i] * curves[i].dose[k];
    auto const [least, most] = std::minmax_element(flat.begin(), flat.end());
    s.flatness = (*most - *least) / (*most + *least);
    s.plateau = std::accumulate(flat.begin(), flat.end(), 0.0) / static_cast<double>(flat.size());
    s.entrance = sum.dose.front() / s.plateau;
    s.range = range_of(sum, s);
    return {};
}

void keep(SobpPlan const& plan, std::vector<Beam> const& beams, std::vector<double> const& weights,
          Sobp& s) {
    double const all = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t i = 0; i < beams.size(); ++i) {
        if (weights[i] <= 1e-9 * all) continue;
        s.beams.push_back(beams[i]);
        s.beams.back().weight = plan.beam.weight * weights[i] / all;
    }
    // The weights were those of a plateau of about 1.
    s.plateau /= all;
}

}  // namespace

Result<Sobp> spread_out(Physics const& physics, SobpPlan const& plan, double dz,
                        MarchOptions const& options) {
    SLUICE_CHECK(check(plan, dz));
    SLUICE_TRY(std::vector<double> ranges, ranges_of(physics, plan, dz));
    std::vector<double> weights = first_weights(ranges);
    std::vector<Beam> beams(ranges.size(), plan.beam);
    Sobp s;
    s.plan = plan;
    s.begin = plan.range - plan.modulation;
    // The dose falls to 80 % a little before the range that the deepest protons have.
    double shift = 0;
    Run run(options.progress, most_rounds * std::ssize(ranges));
    for (int round = 0; round < most_rounds; ++round) {
        for (double& r : ranges) r += shift;
        for (std::size_t i = 0; i < beams.size(); ++i) beams[i].energy = physics.energy(ranges[i]);
        double const depth = ranges.front() +
                             6 * width_of_peak(physics, ranges.front(), plan.beam.energy_spread) +
                             4 * dz;
        SLUICE_TRY(auto const curves, depth_doses(physics, beams, dz, depth, options, run));
        SLUICE_TRY(BraggMetrics const deepest, bragg_metrics(curves.front()));
        s.end = plan.range - deepest.fall_off;
        SLUICE_CHECK(fit(curves, weights, s));
        shift = plan.range - s.range;
        if (std::abs(shift) < 0.05) break;
    }
    keep(plan, beams, weights, s);
    return s;
}

}  // namespace sluice::proton
