// Least squares for each pattern, and the mean of its steps without the wildest.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/solvers/lsqml_steps.h"

#include <algorithm>

#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/step/weight.h"

namespace sluice::ptycho {

namespace {

// Of the middle four fifths, so that few wild patterns do not decide for all.
double trimmed_mean(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    std::size_t const cut = values.size() / 10;
    double sum = 0;
    for (std::size_t i = cut; i < values.size() - cut; ++i) sum += values[i];
    return sum / static_cast<double>(values.size() - 2 * cut);
}

}  // namespace

double part_of_residual(stem4d::PtychographyStage const& stage, ResidualSlopes const& slopes) {
    return weighs_residuals(stage) ? best_part(slopes) : 1 / curvature_of(stage.likelihood);
}

LsqmlSteps steps_of(std::vector<System> const& systems, stem4d::PtychographyStage const& stage,
                    bool both, double length) {
    auto const count = static_cast<double>(systems.size());
    double oo = 0, pp = 0;
    for (System const& s : systems) {
        oo += s.oo;
        pp += s.pp;
    }
    std::vector<double> object_steps, probe_steps;
    for (System s : systems) {
        s.oo += 0.1 * oo / count;
        s.pp += 0.1 * pp / count;
        double const det = s.oo * s.pp - s.op * s.op;
        bool const together = both && det > 0;
        double const of_object = together ? (s.pp * s.o - s.op * s.p) / det : s.o / s.oo;
        double const of_probe = together ? (s.oo * s.p - s.op * s.o) / det : s.p / s.pp;
        object_steps.push_back(s.oo > 0 ? std::max(of_object, 0.0) : 0);
        probe_steps.push_back(s.pp > 0 ? std::max(of_probe, 0.0) : 0);
    }
    auto const scale = [](double given) { return given > 0 ? given : 0.9; };
    double mean = 0;
    for (double step : probe_steps) mean += step / count;
    return {length * scale(stage.object_step) * trimmed_mean(std::move(object_steps)),
            length * scale(stage.probe_step) * mean};
}

}  // namespace sluice::ptycho
