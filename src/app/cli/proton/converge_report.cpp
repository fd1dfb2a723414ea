// The report of a study of convergence.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/converge_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "app/cli/shell/terminal.h"
#include "base/file.h"
#include "figure/plot.h"

namespace sluice::cli {
namespace {

using proton::AxisStudy;
using proton::GridRun;
using proton::quantities;
using proton::StepAxis;

constexpr std::array<char const*, quantities> names = {"R80", "fall-off", "sigma at half of R80",
                                                       "sigma at the peak", "dose (L2)"};
constexpr std::array<char const*, quantities> heads = {"R80, mm", "fall-off, mm", "sigma half, mm",
                                                       "sigma peak, mm", "dose, %"};
constexpr std::array<char const*, quantities> keys = {"R80_mm", "fall_off_mm", "sigma_half_mm",
                                                      "sigma_peak_mm", "dose_part"};

std::string step_text(StepAxis axis, double step) {
    return axis == StepAxis::angle ? fmt::format("{:.6g} deg", step * 180 / std::numbers::pi)
                                   : fmt::format("{:.6g} mm", step);
}

std::string error_text(std::size_t q, double error) {
    return q == 4 ? fmt::format("{:.2g} %", 100 * error) : fmt::format("{:.2g} mm", error);
}

// All steps but one.
std::string other_steps(proton::Steps const& s, StepAxis but) {
    std::string out;
    for (std::size_t x = 0; x < proton::step_axes; ++x) {
        auto const axis = static_cast<StepAxis>(x);
        if (axis == but) continue;
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name_of(axis),
                           step_text(axis, step_of(s, axis)));
    }
    return out;
}

void print_axis(AxisStudy const& a) {
    say("\n{} (with {})\n{:>12}{:>14}{:>9}", name_of(a.axis), other_steps(a.runs[0].steps, a.axis),
        "", "cells", "ms");
    for (char const* const h : heads) say("{:>20}", h);
    say("{:>16}\n", "unexplained, %");
    for (std::size_t k = 0; k < a.runs.size(); ++k) {
        GridRun const& r = a.runs[k];
        say("{:>12}{:>14}{:>9.0f}", step_text(a.axis, step_of(r.steps, a.axis)), r.cells,
            1e3 * r.seconds);
        for (std::size_t q = 0; q < 4; ++q)
            say("{:>20}", fmt::format("{:.3f} ±{:.1g}", r.values[q], a.found[q].errors[k]));
        say("{:>20}{:>16.2g}\n", fmt::format("±{:.1g}", 100 * a.found[4].errors[k]),
            100 * std::abs(r.unexplained.part));
    }
    say("{:>12}{:>23}", "order", "");
    for (proton::Sequence const& s : a.found)
        say("{:>20}",
            s.converges && !std::isnan(s.order) ? fmt::format("{:.1f}", s.order) : "none");
    say("\n");
}

std::string errors_text(proton::PerQuantity<double> const& errors) {
    std::string out;
    for (std::size_t q = 0; q < quantities; ++q)
        out += fmt::format("{}{} {}", q > 0 ? ", " : "", names[q], error_text(q, errors[q]));
    return out;
}

Json number(double v) {
    return std::isfinite(v) ? Json(v) : Json();
}

Json steps_json(proton::Steps const& s) {
    return {{"dz_mm", s.dz},
            {"range_step_mm", s.range},
            {"dx_mm", s.dx},
            {"angle_step_deg", s.angle * 180 / std::numbers::pi}};
}

Json run_json(GridRun const& r) {
    Json j = steps_json(r.steps);
    j["cells"] = r.cells;
    j["seconds"] = r.seconds;
    for (std::size_t q = 0; q < 4; ++q) j[keys[q]] = number(r.values[q]);
    j["unexplained"] = {{"percent", 100 * r.unexplained.part},
                        {"depth_mm", r.unexplained.depth},
                        {"x_mm", r.unexplained.x}};
    return j;
}

Json errors_json(proton::PerQuantity<double> const& errors) {
    Json j;
    for (std::size_t q = 0; q < quantities; ++q) j[keys[q]] = number(errors[q]);
    return j;
}

Json axis_json(AxisStudy const& a) {
    Json j, grids = Json::array(), orders;
    for (std::size_t k = 0; k < a.runs.size(); ++k) {
        Json g = run_json(a.runs[k]);
        proton::PerQuantity<double> errors;
        for (std::size_t q = 0; q < quantities; ++q) errors[q] = a.found[q].errors[k];
        g["errors"] = errors_json(errors);
        grids.push_back(g);
    }
    for (std::size_t q = 0; q < quantities; ++q)
        orders[keys[q]] = a.found[q].converges ? number(a.found[q].order) : Json();
    j["step"] = name_of(a.axis);
    j["orders"] = orders;
    j["grids"] = grids;
    return j;
}

double log_cells(GridRun const& g) {
    return std::log10(static_cast<double>(g.cells));
}

// Plots end at this power of 10: smaller errors interest nobody.
constexpr double least_error = -4;

// A line, and a mark at each grid.
void add_axis(figure::Plot& p, AxisStudy const& a, std::size_t q, double wanted) {
    constexpr std::array<figure::Rgb, proton::step_axes> colours = {
        {{110, 168, 254}, {255, 170, 90}, {130, 220, 130}, {230, 130, 200}}};
    constexpr double gap = std::numeric_limits<double>::quiet_NaN(), half = 0.004;
    auto const colour = colours[static_cast<std::size_t>(a.axis)];
    figure::Series line{std::string(name_of(a.axis)), {}, {}, colour}, marks{"", {}, {}, colour, 8};
    for (std::size_t k = 0; k < a.runs.size(); ++k) {
        double const x = log_cells(a.runs[k]);
        double const y = std::max(std::log10(a.found[q].errors[k] / wanted), least_error);
        line.x.push_back(x);
        line.y.push_back(y);
        for (double const at : {x - half, x + half, gap}) marks.x.push_back(at);
        for (double const at : {y, y, gap}) marks.y.push_back(at);
    }
    p.series.push_back(std::move(line));
    p.series.push_back(std::move(marks));
}

}  // namespace

std::vector<std::string> warnings(ConvergeReport const& r) {
    std::vector<std::string> out;
    for (AxisStudy const& a : r.study.axes)
        for (std::size_t q = 0; q < quantities; ++q) {
            proton::Sequence const& s = a.found[q];
            double const error = s.errors.back();
            if (s.converges || error <= r.wanted[q] / 10) continue;
            out.push_back(fmt::format(
                "{} does not converge monotonically with {} (its order cannot be told): the "
                "largest difference, {}, is taken for its error",
                names[q], name_of(a.axis), error_text(q, error)));
        }
    // Grids can agree on what is wrong.
    proton::Unexplained const& u = r.checked.unexplained;
    if (std::abs(u.part) > proton::most_unexplained)
        out.push_back(fmt::format(
            "on the grid that is advised, {:.4g} mm deep at x = {:.4g} mm, {:.2g} % of the highest "
            "dose is {} than stopping power and the protons there make (limit {:g} %): errors by "
            "steps do not contain it; make grid.dz smaller and study again",
            u.depth, u.x, 100 * std::abs(u.part), u.part > 0 ? "more" : "less",
            100 * proton::most_unexplained));
    return out;
}

Json to_json(ConvergeReport const& r) {
    proton::Advice const& a = r.study.advice;
    Json j, axes = Json::array(), limits;
    for (AxisStudy const& axis : r.study.axes) axes.push_back(axis_json(axis));
    for (std::size_t q = 0; q < 4; ++q) limits[keys[q]] = number(r.study.limits[q]);
    j["config"] = r.config;
    j["provenance"] = to_json(provenance_of({r.config}));
    j["grid"] = steps_json(r.base);
    j["wanted"] = errors_json(r.wanted);
    j["warnings"] = warnings(r);
    j["families"] = axes;
    j["extrapolated"] = limits;
    j["advice"] = {{"reached", a.reached},
                   {"grid", steps_json(a.steps)},
                   {"expected_errors", errors_json(a.errors)},
                   {"marched", run_json(r.checked)}};
    return j;
}

void print(ConvergeReport const& r) {
    proton::Advice const& a = r.study.advice;
    for (AxisStudy const& axis : r.study.axes) print_axis(axis);
    say("\nwanted: {}\n", errors_text(r.wanted));
    if (a.reached)
        say("the cheapest of these grids that is expected to do that:\n\n");
    else
        say("none of these grids is expected to do that ({} misses it, most by {}); make that step "
            "smaller and study again. The best of them:\n\n",
            names[static_cast<std::size_t>(a.worst)], name_of(a.worst_axis));
    say("[grid]\n");
    for (std::size_t x = 0; x < proton::step_axes; ++x) {
        auto const axis = static_cast<StepAxis>(x);
        say("{} = \"{}\"\n", name_of(axis), step_text(axis, step_of(a.steps, axis)));
    }
    GridRun const& base = r.study.axes[2].runs[1];
    say("\nexpected errors: {}\n", errors_text(a.errors));
    say("marched: {} cells in {:.0f} ms (the configuration's grid: {} in {:.0f} ms)\n",
        r.checked.cells, 1e3 * r.checked.seconds, base.cells, 1e3 * base.seconds);
    for (std::size_t q = 0; q < 4; ++q)
        say("  {} {:.3f} mm, {:+.3f} from the extrapolated\n", names[q], r.checked.values[q],
            r.checked.values[q] - r.study.limits[q]);
}

Status save_table(std::string const& path, ConvergeReport const& r) {
    std::string text = "family,dz_mm,range_step_mm,dx_mm,angle_step_deg,cells,seconds";
    for (std::size_t q = 0; q < 4; ++q) text += fmt::format(",{}", keys[q]);
    for (char const* const k : keys) text += fmt::format(",{}_error", k);
    text += ",unexplained_percent\n";
    for (AxisStudy const& a : r.study.axes)
        for (std::size_t k = 0; k < a.runs.size(); ++k) {
            GridRun const& g = a.runs[k];
            text += fmt::format("{},{:.8g},{:.8g},{:.8g},{:.8g},{},{:.6g}", name_of(a.axis),
                                g.steps.dz, g.steps.range, g.steps.dx,
                                g.steps.angle * 180 / std::numbers::pi, g.cells, g.seconds);
            for (double const v : g.values) text += fmt::format(",{:.8g}", v);
            for (proton::Sequence const& s : a.found) text += fmt::format(",{:.4g}", s.errors[k]);
            text += fmt::format(",{:.3g}\n", 100 * g.unexplained.part);
        }
    return save_text(path, text);
}

figure::Drawing converge_picture(ConvergeReport const& r) {
    constexpr index width = 1000, tall = 250;
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (AxisStudy const& a : r.study.axes)
        for (GridRun const& g : a.runs) {
            least = std::min(least, log_cells(g));
            most = std::max(most, log_cells(g));
        }
    // With room for the names.
    figure::Limits const x{least - 0.32 * (most - least), most + 0.02};
    figure::Drawing all = figure::sheet(tall * static_cast<index>(quantities), width, {});
    for (std::size_t q = 0; q < quantities; ++q) {
        figure::Plot p{"", "log10 of cells", fmt::format("{}: log10 of error / wanted", names[q])};
        p.series.push_back({"", {x.low, x.high}, {0, 0}, {150, 150, 150}, 1});
        for (AxisStudy const& a : r.study.axes) add_axis(p, a, q, r.wanted[q]);
        p.x = x;
        p.y = {least_error, 1.5};
        figure::paste(all, static_cast<index>(q) * tall, 0, figure::draw_plot(p, tall, width));
    }
    return all;
}

}  // namespace sluice::cli
