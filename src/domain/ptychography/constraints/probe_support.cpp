// The usual support weakens the outer probe by a tenth in each iteration; patterns restore what
// they need. SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/probe_support.h"

#include <fmt/format.h>

#include "domain/ptychography/constraints/probe_limits.h"
#include "domain/ptychography/stage_kind.h"

namespace sluice::ptycho {

namespace {

// On tike's siemens star, where 1 % of the power lies beyond, R changes by less than 0.1 % (the
// guide has the numbers). Masks that end at 0 cost ten times as much.
constexpr double usual_radius = 0.45, usual_rest = 0.9;
// A probe with more power there fills its window, and fading would cost some per cent of R.
constexpr double filled = 0.03;

}  // namespace

bool gives_support(PtychographyStage const& stage) {
    return stage.probe_support > 0 && stage.probe_support < 1;
}

bool has_usual_support(PtychographyStage const& stage, Model const& model) {
    using S = PtychographyStage::Solver;
    bool const known = stage.solver == S::epie || stage.solver == S::rpie ||
                       stage.solver == S::mpie || stage.solver == S::lsqml;
    return known && stage.probe_support == 0 && !stage.fix_probe && !model.near();
}

template <class Real>
void keep_support(Job<Real>& job) {
    bool const given = gives_support(job.stage);
    if (!given && !has_usual_support(job.stage, job.step.model())) return;
    if (!given && power_beyond(job.state.probe, usual_radius) > filled) return;
    for (auto* const planes : {&job.state.probe, &job.state.opr_modes})
        keep_in_window(*planes, given ? job.stage.probe_support : usual_radius,
                       given ? 0 : usual_rest);
}

template <class Real>
std::string note_of_support(std::vector<Planar<Real>> const& probe) {
    double const beyond = power_beyond(probe, usual_radius);
    if (beyond <= filled) return {};
    return fmt::format(
        "the probe fills its window: {:.0f} % of its power lie beyond {} of it from the middle, "
        "and nothing fades it there (probe_support={} confines it)",
        100 * beyond, usual_radius, usual_radius);
}

template void keep_support(Job<float>&);
template void keep_support(Job<double>&);
template std::string note_of_support(std::vector<Planar<float>> const&);
template std::string note_of_support(std::vector<Planar<double>> const&);

}  // namespace sluice::ptycho
