// What the probe and the R show: drift, power at the edges, lost power, a poor fit.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/ptychography/judge/look.h"

namespace sluice::ptycho {

std::optional<Judgement> find_misfit(stem4d::PtychographyResult const& result) {
    if (result.rounds.empty() || !(result.floor > 0)) return {};
    // Wrong geometries come as near as 1.13, and right runs of real patterns stay at 1.45: trials
    // find the cause (explain_misfit()).
    Judgement found{
        .name = "misfit", .value = result.rounds.back().r / result.floor, .threshold = 1.1};
    found.found = found.value > found.threshold;
    found.advice =
        "R is above what counting noise alone leaves (the model lacks something, or has not "
        "converged) try the causes with judge() and the patterns, run more iterations, take more "
        "modes, "
        "refine the positions, or check the geometry";
    return found;
}

std::optional<Judgement> find_probe_drift(stem4d::PtychographyResult const& result) {
    // Two pixels of a small window; a wide probe has no centre to a pixel.
    Judgement found{.name = "probe drift",
                    .value = std::hypot(result.probe_moved.row, result.probe_moved.col),
                    .threshold = std::max(2.0, static_cast<double>(result.probe.shape[1]) / 16)};
    found.found = found.value > found.threshold;
    found.advice =
        "the probe moved from where it began, in pixels (object and probe may move together) "
        "compare positions with this in mind, begin with a better probe, or centre the patterns";
    return found;
}

std::optional<Judgement> find_probe_edge(stem4d::PtychographyResult const& result) {
    index const n = result.probe.shape[1], edge = std::max<index>(1, n / 16);
    double outside = 0, all = 0;
    for (index i = 0; i < result.probe.size(); ++i) {
        index const r = i / n % n, c = i % n;
        double const power = std::norm(result.probe.values[static_cast<std::size_t>(i)]);
        all += power;
        if (std::min({r, c, n - 1 - r, n - 1 - c}) < edge) outside += power;
    }
    if (!(all > 0)) return {};
    Judgement found{.name = "probe edge", .value = outside / all, .threshold = 0.05};
    found.found = found.value > found.threshold;
    found.advice =
        "the probe reaches the window's edge, where it overlaps itself (the number is its share of "
        "the power there) pad the patterns or take finer detector pixels";
    return found;
}

std::optional<Judgement> find_probe_power(stem4d::PtychographyResult const& result) {
    if (!(result.probe_power > 0)) return {};
    // Object and probe may exchange a factor; a probe that is ten times off is on its way out.
    Judgement found{
        .name = "probe power", .value = std::abs(std::log10(result.probe_power)), .threshold = 1};
    found.found = found.value > found.threshold;
    found.advice =
        "the probe's power is more than ten times off that of the patterns (the number counts "
        "powers of ten; the object makes up for it) keep the probe's power, or take "
        "smaller steps";
    return found;
}

}  // namespace sluice::ptycho
