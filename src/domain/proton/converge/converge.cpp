// Families of grids, and the cheapest that is fine enough.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/proton/words.h"
#include "sluice/proton_converge.h"

namespace sluice::proton {
namespace {

constexpr std::array<StepAxis, step_axes> all_axes = {StepAxis::dz, StepAxis::range, StepAxis::dx,
                                                      StepAxis::angle};

double scale_of(int level) {
    return 2 / std::exp2(level);
}

// The grid of an axis and a level.
Steps grid(Steps const& base, StepAxis axis, int level, int levels) {
    Steps s = base;
    if (axis == StepAxis::dz) s.range *= scale_of(levels - 1);
    if (axis == StepAxis::range) s.dz *= scale_of(0);
    step_of(s, axis) *= scale_of(level);
    return s;
}

bool same(Steps const& a, Steps const& b) {
    return std::ranges::all_of(all_axes,
                               [&](StepAxis x) { return step_of(a, x) == step_of(b, x); });
}

/// Runs each grid once.
class Once {
  public:
    explicit Once(RunGrid const& run) : run_(run) {}
    Result<GridRun> operator()(Steps const& steps) {
        for (GridRun const& r : done_)
            if (same(r.steps, steps)) return r;
        auto r = run_(steps);
        if (!r)
            return Error{r.error().code,
                         fmt::format("a grid of dz {} mm, range_step {} mm, dx {} mm cannot be "
                                     "marched ({})",
                                     steps.dz, steps.range, steps.dx, r.error().message)};
        r->steps = steps;
        return done_.emplace_back(std::move(*r));
    }

  private:
    RunGrid const& run_;
    std::vector<GridRun> done_;
};

Result<AxisStudy> study(StepAxis axis, Steps const& base, int levels, Once& run) {
    AxisStudy a{.axis = axis, .runs = {}, .found = {}};
    for (int level = 0; level < levels; ++level) {
        SLUICE_TRY(GridRun r, run(grid(base, axis, level, levels)));
        a.runs.push_back(std::move(r));
    }
    for (std::size_t q = 0; q < 4; ++q) {
        std::vector<double> values;
        for (GridRun const& r : a.runs) values.push_back(r.values[q]);
        a.found[q] = sequence_of_values(values);
    }
    std::vector<double> differences;
    for (std::size_t k = 0; k + 1 < a.runs.size(); ++k) {
        SLUICE_TRY(double const d, dose_difference(a.runs[k], a.runs[k + 1]));
        differences.push_back(d);
    }
    a.found[4] = sequence_of_differences(differences);
    return a;
}

using Levels = std::array<std::size_t, step_axes>;

// Errors of a combination, and how it costs.
Advice judge(std::span<AxisStudy const> axes, Levels const& levels,
             PerQuantity<double> const& wanted) {
    Advice a;
    // The configuration's own steps are at level 1.
    a.cells = static_cast<double>(axes[2].runs[1].cells);
    double worst = -1;
    for (std::size_t q = 0; q < quantities; ++q) {
        for (std::size_t x = 0; x < step_axes; ++x)
            a.errors[q] += axes[x].found[q].errors[levels[x]];
        double const part = a.errors[q] / wanted[q];
        // An unknown error counts as the worst.
        double const size = std::isnan(part) ? std::numeric_limits<double>::infinity() : part;
        if (size <= worst) continue;
        worst = size;
        a.worst = static_cast<Quantity>(q);
    }
    a.reached = worst <= 1;
    double most = -1;
    for (std::size_t x = 0; x < step_axes; ++x) {
        AxisStudy const& axis = axes[x];
        GridRun const& r = axis.runs[levels[x]];
        step_of(a.steps, axis.axis) = step_of(r.steps, axis.axis);
        a.cells *= static_cast<double>(r.cells) / static_cast<double>(axis.runs[1].cells);
        double const error = axis.found[static_cast<std::size_t>(a.worst)].errors[levels[x]];
        if (error > most) {
            most = error;
            a.worst_axis = axis.axis;
        }
    }
    return a;
}

double excess(Advice const& a, PerQuantity<double> const& wanted) {
    auto const q = static_cast<std::size_t>(a.worst);
    double const part = a.errors[q] / wanted[q];
    return std::isnan(part) ? std::numeric_limits<double>::infinity() : part;
}

std::vector<Advice> combinations(std::span<AxisStudy const> axes,
                                 PerQuantity<double> const& wanted) {
    std::size_t const n = axes[0].runs.size();
    std::vector<Advice> out;
    Levels k{};
    for (k[0] = 0; k[0] < n; ++k[0])
        // Rows coarser than planes would move by parts of a row.
        for (k[1] = k[0]; k[1] < n; ++k[1])
            for (k[2] = 0; k[2] < n; ++k[2])
                for (k[3] = 0; k[3] < n; ++k[3]) out.push_back(judge(axes, k, wanted));
    return out;
}

}  // namespace

std::string_view name_of(StepAxis axis) {
    return config::word_of(axis);
}

double& step_of(Steps& s, StepAxis axis) {
    std::array<double*, step_axes> const all = {&s.dz, &s.range, &s.dx, &s.angle};
    return *all[static_cast<std::size_t>(axis)];
}

double step_of(Steps const& s, StepAxis axis) {
    Steps copy = s;
    return step_of(copy, axis);
}

int grids_of(int levels) {
    // The base is in two of the families, and its coarsest planes with the finest rows in two.
    return 4 * levels - 2;
}

Advice advise(std::span<AxisStudy const> axes, PerQuantity<double> const& wanted) {
    std::vector<Advice> const all = combinations(axes, wanted);
    double least = std::numeric_limits<double>::infinity();
    for (Advice const& a : all) least = std::min(least, excess(a, wanted));
    // A few per cent of an estimate are not worth another grid.
    double const enough = std::max(1.0, 1.05 * least);
    Advice const* best = nullptr;
    for (Advice const& a : all)
        if (excess(a, wanted) <= enough && (!best || a.cells < best->cells)) best = &a;
    return *best;
}

Result<Convergence> converge(Steps const& base, int levels, PerQuantity<double> const& wanted,
                             RunGrid const& run) {
    for (StepAxis const axis : all_axes)
        if (double const s = step_of(base, axis); !(s > 0 && std::isfinite(s)))
            return Error{Code::invalid_argument,
                         fmt::format("a {} of {}; give more than 0", name_of(axis), s)};
    for (double const w : wanted)
        if (!(w > 0 && std::isfinite(w)))
            return Error{Code::invalid_argument,
                         fmt::format("an accuracy of {}; give more than 0", w)};
    if (levels < 3 || levels > 6)
        return Error{Code::invalid_argument, fmt::format("{} levels; give 3 to 6", levels)};
    Once once(run);
    Convergence c;
    SLUICE_CHECK(once(base));
    for (StepAxis const axis : all_axes) {
        SLUICE_TRY(AxisStudy a, study(axis, base, levels, once));
        c.axes.push_back(std::move(a));
    }
    c.advice = advise(c.axes, wanted);
    for (std::size_t q = 0; q < c.limits.size(); ++q) {
        c.limits[q] = c.axes[2].runs[1].values[q];
        for (AxisStudy const& a : c.axes) c.limits[q] += a.found[q].limit - a.runs[1].values[q];
    }
    return c;
}

}  // namespace sluice::proton
