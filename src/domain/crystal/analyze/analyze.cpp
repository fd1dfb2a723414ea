// analyze(): a plan in one pass over a scan, at once and in parts.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/analyze/check_plan.h"
#include "domain/crystal/analyze/plan_work.h"
#include "domain/stem4d/work_parts.h"

namespace sluice::stem4d {
namespace {

using crystal::PlanWork;
using Phases = std::vector<std::optional<PhaseOptions>>;  // [part]

// Before the pass, so that an hour of reading does not end with what could be told at once.
Result<Phases> phases_for(Scan const& scan, AnalysisPlan const& plan) {
    Phases phases;
    for (MomentsPart const& part : plan.moments) {
        SLUICE_TRY(phases.emplace_back(), phase_options(scan, crystal::wish_of(part)));
    }
    return phases;
}

Status add_phases(Phases const& phases, Analyzed& to) {
    for (std::size_t p = 0; p < phases.size(); ++p)
        if (phases[p]) {
            SLUICE_TRY(to.moments[p].phase, phase_contrast(to.moments[p].com, *phases[p]));
        }
    return {};
}

}  // namespace

std::string name_in(std::string_view part, std::string_view what) {
    return part.empty() ? std::string(what) : std::string(part) + "_" + std::string(what);
}

Result<Analyzed> analyze(Scan const& scan, AnalysisPlan const& plan, Decided const& decided,
                         Options const& options) {
    SLUICE_CHECK(crystal::check_plan(plan));
    SLUICE_TRY(Phases const phases, phases_for(scan, plan));
    SLUICE_TRY(PlanWork made, PlanWork::begin(scan, plan, decided, options));
    SLUICE_TRY(AllProducts::Result found, made.work.run(scan, options));
    Analyzed out = made.finish(made.work, std::move(found), scan);
    SLUICE_CHECK(add_phases(phases, out));
    return out;
}

Result<Analyzed> analyze(Scan const& scan, AnalysisPlan const& plan, Options const& options) {
    SLUICE_TRY(Decided const decided, decide_analysis(scan, plan, options));
    return analyze(scan, plan, decided, options);
}

Result<Analyzed> analyze_live(Scan& scan, AnalysisPlan const& plan, Decided const& decided,
                              Options const& options) {
    SLUICE_CHECK(WorkParts::check(options.device));
    SLUICE_CHECK(crystal::check_plan(plan));
    SLUICE_TRY(Phases const phases, phases_for(scan, plan));
    SLUICE_TRY(PlanWork made, PlanWork::begin(scan, plan, decided, options));
    SLUICE_TRY(AllProducts::Result found, made.work.run(scan, options));
    // Only now is it known what did not come.
    scan.settle();
    Analyzed out = made.finish(made.work, std::move(found), scan);
    SLUICE_CHECK(add_phases(phases, out));
    return out;
}

struct AnalysisParts::State {
    Phases phases;
    PlanWork made;
    WorkParts parts;

    State(Scan const& scan, Phases its, PlanWork work, Options const& options)
        : phases(std::move(its)),
          made(std::move(work)),
          parts(scan, options, std::move(made.work)) {}
};

AnalysisParts::AnalysisParts(std::unique_ptr<State> state) : state_(std::move(state)) {}
AnalysisParts::AnalysisParts(AnalysisParts&&) noexcept = default;
AnalysisParts& AnalysisParts::operator=(AnalysisParts&&) noexcept = default;
AnalysisParts::~AnalysisParts() = default;

Result<AnalysisParts> AnalysisParts::begin(Scan const& scan, AnalysisPlan const& plan,
                                           Decided const& decided, Options const& options) {
    SLUICE_CHECK(WorkParts::check(options.device));
    SLUICE_CHECK(crystal::check_plan(plan));
    SLUICE_TRY(Phases phases, phases_for(scan, plan));
    SLUICE_TRY(PlanWork made, PlanWork::begin(scan, plan, decided, options));
    return AnalysisParts(
        std::make_unique<State>(scan, std::move(phases), std::move(made), options));
}

index AnalysisParts::groups() const {
    return state_->parts.groups();
}

Result<std::vector<std::byte>> AnalysisParts::part(index first, index count) {
    return state_->parts.part(first, count);
}

Status AnalysisParts::add(Bytes packed) {
    return state_->parts.add(packed);
}

Result<Analyzed> AnalysisParts::finish() && {
    State& s = *state_;
    SLUICE_TRY(AllProducts::Result found, s.parts.found());
    Analyzed out = s.made.finish(s.parts.work(), std::move(found), s.parts.scan());
    SLUICE_CHECK(add_phases(s.phases, out));
    return out;
}

}  // namespace sluice::stem4d
