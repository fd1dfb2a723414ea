// The picture of a depth dose, and another one beside it.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cli/proton/curve.h"
#include "figure/plot.h"
#include "sluice/proton_metrics.h"

namespace sluice::cli {
namespace {

constexpr figure::Rgb ours_colour{110, 168, 254}, theirs_colour{255, 170, 90};

// Between points; NaN outside of them.
double between(proton::DepthCurve const& c, double depth) {
    if (depth < c.depth.front() || depth > c.depth.back())
        return std::numeric_limits<double>::quiet_NaN();
    auto const above = std::upper_bound(c.depth.begin(), c.depth.end(), depth) - c.depth.begin();
    auto const i = std::clamp<std::size_t>(static_cast<std::size_t>(above), 1, c.depth.size() - 1);
    double const t = (depth - c.depth[i - 1]) / (c.depth[i] - c.depth[i - 1]);
    return c.dose[i - 1] + t * (c.dose[i] - c.dose[i - 1]);
}

}  // namespace

Result<Reference> read_reference(std::string const& path, proton::DepthCurve const& ours) {
    Reference r;
    SLUICE_TRY(r.curve, read_curve(path));
    r.name = path.substr(path.find_last_of('/') + 1);
    auto const metrics = bragg_metrics(r.curve);
    if (!metrics) return Error{Code::corrupt, metrics.error().message, path};
    r.metrics = *metrics;
    double a = 0, b = 0, top = 0;
    for (std::size_t i = 0; i < ours.depth.size(); ++i) {
        double const theirs = between(r.curve, ours.depth[i]);
        top = std::max(top, ours.dose[i]);
        if (std::isnan(theirs)) continue;
        a += ours.dose[i];
        b += theirs;
    }
    if (a <= 0 || b <= 0) return Error{Code::corrupt, "has no dose where this one has some", path};
    r.factor = a / b;
    for (double& d : r.curve.dose) d *= r.factor;
    index n = 0;
    for (std::size_t i = 0; i < ours.depth.size(); ++i) {
        double const off = (ours.dose[i] - between(r.curve, ours.depth[i])) / top;
        if (std::isnan(off)) continue;
        r.worst = std::max(r.worst, std::abs(off));
        r.rms += off * off;
        ++n;
    }
    r.rms = std::sqrt(r.rms / static_cast<double>(n));
    return r;
}

namespace {

// The second moment sees far tails, the fit does not.
figure::Plot sigma_plot(proton::DepthCurve const& curve, proton::MarchResult const& r) {
    figure::Plot p{"", "depth, mm", "sigma x, mm"};
    figure::Series moment{"second moment", curve.depth, proton::lateral_sigma(r), ours_colour};
    figure::Series core{"Gaussian in the middle", curve.depth, proton::core_sigma(r),
                        theirs_colour};
    // Where there is hardly any dose, its spread is that of what little there is.
    double const top = *std::max_element(curve.dose.begin(), curve.dose.end());
    for (std::size_t i = 0; i < curve.depth.size(); ++i)
        if (curve.dose[i] < 0.005 * top)
            moment.y[i] = core.y[i] = std::numeric_limits<double>::quiet_NaN();
    p.series = {moment, core};
    return p;
}

figure::Plot let_plot(proton::DepthCurve const& curve, proton::MarchResult const& r) {
    figure::Plot p{"", "depth, mm", "LETd, keV/um"};
    figure::Series all{"all protons", curve.depth, {}, theirs_colour},
        primary{"primary protons", curve.depth, {}, ours_colour};
    for (proton::PlaneSums const& s : r.sums) {
        bool const some = s.weight > 1e-3 * r.sums[0].weight;
        all.y.push_back(some ? s.let_dose_all : std::numeric_limits<double>::quiet_NaN());
        primary.y.push_back(some ? s.let_dose : std::numeric_limits<double>::quiet_NaN());
    }
    p.series = {all, primary};
    return p;
}

}  // namespace

figure::Drawing depth_picture(proton::DepthCurve const& curve, proton::MarchResult const& result,
                              std::optional<Reference> const& reference, std::string const& title) {
    constexpr index width = 1000, tall = 380, low = 190;
    figure::Limits const x{0, curve.depth.back()};
    std::vector<figure::Plot> plots;
    std::vector<index> heights = {tall};
    figure::Plot dose{title,
                      "depth, mm",
                      "dose, Gy mm2 a proton",
                      {{"sluice", curve.depth, curve.dose, ours_colour}}};
    if (reference)
        dose.series.insert(dose.series.begin(), {reference->name, reference->curve.depth,
                                                 reference->curve.dose, theirs_colour, 5});
    plots.push_back(dose);
    if (reference) {
        double const top = *std::max_element(curve.dose.begin(), curve.dose.end());
        figure::Series rest{"", curve.depth, {}, theirs_colour};
        for (std::size_t i = 0; i < curve.depth.size(); ++i)
            rest.y.push_back(100 * (curve.dose[i] - between(reference->curve, curve.depth[i])) /
                             top);
        figure::Plot p{
            "", "depth, mm", "sluice less " + reference->name + ", % of the peak", {rest}};
        plots.push_back(p);
        heights.push_back(low);
    }
    plots.push_back(sigma_plot(curve, result));
    heights.push_back(low);
    if (!result.sums.empty()) {
        plots.push_back(let_plot(curve, result));
        heights.push_back(low);
    }
    for (figure::Plot& p : plots) p.x = x;
    index rows = 0;
    for (index const h : heights) rows += h;
    figure::Drawing all = figure::sheet(rows, width, {});
    index at = 0;
    for (std::size_t i = 0; i < plots.size(); ++i) {
        figure::paste(all, at, 0, figure::draw_plot(plots[i], heights[i], width));
        at += heights[i];
    }
    return all;
}

}  // namespace sluice::cli
