// plan_dose(): some layers of a plan are computed as all would be.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/memory.h"
#include "base/plural.h"
#include "base/run.h"
#include "bench/stopwatch.h"
#include "planning/measure.h"
#include "planning/plan_of.h"
#include "sluice/measured.h"

namespace sluice {
namespace planning {
namespace {

constexpr index layer_bands = 5, layers_of_part = 2;

struct DoseInput {
    proton::IonPlan const& plan;
    proton::Patient const& patient;
    proton::Machine const* machine;
    proton::DoseOptions options;
};

/// What a part of a plan took, and how much work it was.
struct Taken {
    double s = 0, steps = 0;
    index kernels = 0;  ///< that were marched
};

index layers_of(proton::IonPlan const& plan) {
    index n = 0;
    for (auto const& beam : plan.beams) n += std::ssize(beam.layers);
    return n;
}

// Consecutive layers of one beam, from one of all layers on.
proton::IonPlan part_of(proton::IonPlan const& plan, index first, index count) {
    proton::IonPlan part = plan;
    part.beams.clear();
    for (proton::IonBeam const& beam : plan.beams) {
        index const n = std::ssize(beam.layers);
        if (first >= n) {
            first -= n;
            continue;
        }
        proton::IonBeam some = beam;
        index const from = std::max<index>(0, std::min(first, n - count));
        some.layers.assign(beam.layers.begin() + from,
                           beam.layers.begin() + std::min(n, from + count));
        part.beams.push_back(std::move(some));
        break;
    }
    return part;
}

Result<Taken> take(DoseInput const& in, proton::IonPlan const& plan) {
    Taken t;
    SLUICE_TRY(auto const cost, proton::dose_cost(plan, in.patient, in.machine, in.options));
    t.steps = cost.steps;
    t.kernels = cost.marched;
    double const since = bench::system_clock().wall();
    SLUICE_TRY([[maybe_unused]] auto const dose,
               proton::dose(plan, in.patient, in.machine, in.options));
    t.s = bench::system_clock().wall() - since;
    return t;
}

// A kernel is marched on each thread at a time.
double rounds_of_kernels(index kernels, proton::DoseOptions const& options) {
    auto const threads = std::max<index>(1, options.device.with_threads(options.threads).threads());
    return static_cast<double>((kernels + threads - 1) / threads);
}

/// Rates of bands of layers. What is left of kernels after a first run is kept in their folder.
struct Rates {
    std::vector<double> step_s, kernel_s;
    double fixed_s = 0;  ///< of a beam
};

Result<Rates> measure(DoseInput const& in, Progress const& progress) {
    index const all = layers_of(in.plan);
    index const several = std::min(layers_of_part, all);
    Rates rates;
    SLUICE_TRY([[maybe_unused]] Taken const warm, take(in, part_of(in.plan, 0, 1)));
    SLUICE_TRY(Taken const one, take(in, part_of(in.plan, 0, 1)));
    for (index i = 0; i < layer_bands; ++i) {
        SLUICE_CHECK(tell_progress(progress, static_cast<std::uint64_t>(i), layer_bands));
        auto const part = part_of(in.plan, (all - several) * i / (layer_bands - 1), several);
        SLUICE_TRY(Taken const first, take(in, part));
        SLUICE_TRY(Taken const again, take(in, part));
        if (first.kernels > 0)
            rates.kernel_s.push_back(std::max(0.0, first.s - again.s) /
                                     rounds_of_kernels(first.kernels, in.options));
        // The patient's grid is gone over once for each beam, however many layers it has.
        double const more = again.steps - one.steps;
        rates.step_s.push_back(more > 0.2 * one.steps && again.s > one.s ? (again.s - one.s) / more
                                                                         : again.s / again.steps);
    }
    rates.fixed_s = std::max(0.0, one.s - spread_of(rates.step_s).median * one.steps);
    return rates;
}

// Where the bands' kernels were kept before and others were not, one of those tells.
Status measure_kernel(DoseInput const& in, Rates& rates) {
    index const all = layers_of(in.plan);
    for (index i = 0; i < all && rates.kernel_s.empty(); ++i) {
        auto const part = part_of(in.plan, i, 1);
        SLUICE_TRY(auto const cost, proton::dose_cost(part, in.patient, in.machine, in.options));
        if (cost.marched == 0) continue;
        SLUICE_TRY(Taken const first, take(in, part));
        SLUICE_TRY(Taken const again, take(in, part));
        rates.kernel_s.push_back(std::max(0.0, first.s - again.s));
    }
    return {};
}

// A plan of so few layers is its own sample.
Result<std::vector<double>> measure_whole(DoseInput const& in) {
    std::vector<double> s;
    for (int i = 0; i < 3; ++i) {
        SLUICE_TRY(Taken const all, take(in, in.plan));
        s.push_back(all.s);
    }
    s.erase(s.begin());
    return s;
}

// Kernels that were marched here are kept, if kernels are.
Status add_time(WorkPlan& out, DoseInput const& in, Progress const& progress) {
    if (layers_of(in.plan) <= layer_bands) {
        SLUICE_TRY(auto const whole, measure_whole(in));
        out.steps.push_back(time_of(whole, 1, 0, "the dose (computed twice)"));
        return {};
    }
    SLUICE_TRY(Rates rates, measure(in, progress));
    SLUICE_CHECK(measure_kernel(in, rates));
    SLUICE_TRY(auto const cost, proton::dose_cost(in.plan, in.patient, in.machine, in.options));
    if (cost.marched > 0)
        out.steps.push_back(
            time_of(rates.kernel_s, rounds_of_kernels(cost.marched, in.options), 0,
                    fmt::format("{} not kept yet", plural(cost.marched, "depth kernel"))));
    out.steps.push_back(time_of(
        rates.step_s, cost.steps, rates.fixed_s * static_cast<double>(in.plan.beams.size()),
        fmt::format("the dose (5 bands of {} of {} layers)", layers_of_part, layers_of(in.plan))));
    return {};
}

// Kernels that are not kept are marched before any beam has its grid.
void add_memory(WorkPlan& out, proton::DoseCost const& cost, int threads) {
    add_part(out, "sums on the patient's grid", cost.grid_bytes, "exact");
    add_part(out, "the largest beam", cost.beam_bytes, "its grid, margins and pencils");
    if (cost.kernel_bytes <= cost.beam_bytes) return;
    auto const at_once = std::min<index>(cost.marched, threads);
    add_part(out, "depth kernels", cost.kernel_bytes - cost.beam_bytes,
             fmt::format("beyond the largest beam; {} not kept yet, {} marched at once (measured "
                         "on some energies)",
                         cost.marched, at_once));
}

}  // namespace
}  // namespace planning

Result<WorkPlan> plan_dose(std::string subject, proton::IonPlan const& plan,
                           proton::Patient const& patient, proton::Machine const* machine,
                           proton::DoseOptions const& options, PlanRun const& run) {
    using namespace planning;
    std::uint64_t const base = memory_resident();
    WorkPlan out = begin_plan(PlanTask::dose, std::move(subject), base);
    out.layout = "a patient, and its grid";
    out.no_gpu = "the dose of a plan runs on processors only (its depth kernels march on GPUs)";
    add_begun(out, run.begun_s);
    DoseInput in{plan, patient, machine, options};
    in.options.progress = {};
    if (run.measure) SLUICE_CHECK(add_time(out, in, run.progress));
    SLUICE_TRY(proton::DoseCost const cost, proton::dose_cost(plan, patient, machine, options));
    add_memory(out, cost, std::max(1, options.device.with_threads(options.threads).threads()));
    finish_plan(
        out, base,
        {"larger pixels (--pixel) or steps (--step) take less",
         "or a coarser grid of the dose: --spacing", "or neither LET nor the map of the error"});
    return out;
}

}  // namespace sluice
