// plan_separation(): some seconds of noise are separated as a song would be.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/memory.h"
#include "base/plural.h"
#include "bench/stopwatch.h"
#include "domain/music/separate/plan.h"
#include "planning/gpu_work.h"
#include "planning/measure.h"
#include "planning/plan_of.h"

namespace sluice {
namespace planning {
namespace {

// Passes of the network that are measured, after a first one; no more begin after so long.
constexpr std::size_t passes = 5;
constexpr double enough_s = 20;

double clock_s() {
    return bench::system_clock().wall();
}

/// Passes through each network that a song of so many seconds takes.
Result<std::vector<double>> passes_of(std::span<music::ModelCost const> models, double song_s,
                                      music::SeparateOptions const& o) {
    std::vector<double> all;
    for (music::ModelCost const& m : models) {
        SLUICE_TRY(music::Plan const plan, music::Plan::make({.preset = o.preset,
                                                              .chunk = m.chunk,
                                                              .overlap = o.overlap.value_or(2),
                                                              .window = o.window,
                                                              .shifts = o.shifts}));
        auto const length = static_cast<index>(std::llround(song_s * m.rate));
        all.push_back(static_cast<double>(plan.count(length)) * (o.augment ? 3 : 1));
    }
    return all;
}

// Seconds of a pass, for some passes.
Result<std::vector<double>> measure_passes(std::span<music::Model* const> models,
                                           music::SeparateOptions options) {
    options.progress = {};
    options.trace = nullptr;
    int const rate = models.front()->rate();
    SLUICE_TRY(music::Separation work, music::Separation::begin(models, rate, 2, options));
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 0.1F);
    auto const block = static_cast<std::size_t>(models.front()->chunk() / 4);
    std::vector<float> sound(2 * block);
    std::vector<std::vector<float>> stems(work.stems().size(), std::vector<float>(2 * block));
    std::vector<std::span<float>> out(stems.begin(), stems.end());
    std::vector<double> pass_s;
    double const begin = clock_s();
    double since = begin;
    index before = 0;
    while (pass_s.size() <= passes && (pass_s.size() < 2 || clock_s() - begin < enough_s)) {
        for (float& v : sound) v = noise(random);
        SLUICE_CHECK(work.push(sound));
        while (work.ready() >= static_cast<index>(block)) {
            work.pull(out);
        }
        index const now = work.chunks();
        if (now == before) continue;
        double const s = clock_s();
        pass_s.push_back((s - since) / static_cast<double>(now - before));
        since = s, before = now;
    }
    pass_s.erase(pass_s.begin());
    return pass_s;
}

Status add_time(WorkPlan& out, std::span<PlanModel const> files, double all,
                music::SeparateOptions const& options) {
    std::vector<music::Model> models;
    std::vector<music::Model*> pointers;
    double const since = clock_s();
    for (PlanModel const& file : files) {
        SLUICE_TRY(music::Model model, music::Model::load(file.path, file.options));
        models.push_back(std::move(model));
    }
    double const loading = clock_s() - since;
    for (music::Model& model : models) pointers.push_back(&model);
    out.steps.push_back(time_of({loading}, 1, 0, "reading the weights"));
    SLUICE_TRY(auto const pass_s, measure_passes(pointers, options));
    out.steps.push_back(time_of(pass_s, all, 0,
                                fmt::format("{:.0f} passes of chunks (noise, {})", all,
                                            plural(pass_s.size(), "pass", "passes"))));
    return {};
}

// The same models where the memory is a GPU's.
void add_gpu(WorkPlan& out, std::span<PlanModel const> files, std::span<double const> passes) {
    std::vector<music::ModelCost> there;
    for (PlanModel const& file : files) {
        music::ModelOptions options = file.options;
        options.device = Device::fake();
        auto cost = music::model_cost(file.path, options);
        if (!cost) {
            out.no_gpu = cost.error().text();
            return;
        }
        there.push_back(*cost);
    }
    out.gpu = gpu_separation(there, passes);
}

}  // namespace
}  // namespace planning

Result<WorkPlan> plan_separation(std::string subject, double song_s,
                                 std::span<PlanModel const> models,
                                 music::SeparateOptions const& options, PlanRun const& run) {
    using namespace planning;
    if (!(song_s > 0 && song_s < 1e6))
        return Error{Code::invalid_argument,
                     fmt::format("a song of {:g} s; give 0 to 1e6 seconds", song_s)};
    if (models.empty())
        return Error{Code::invalid_argument, "no model is named (--model), so nothing separates"};
    std::uint64_t const base = memory_resident();
    WorkPlan out = begin_plan(PlanTask::separate, std::move(subject), base);
    out.layout = "chunk by chunk";
    std::vector<music::ModelCost> costs;
    for (PlanModel const& file : models) {
        SLUICE_TRY(music::ModelCost const cost, music::model_cost(file.path, file.options));
        add_part(out, "a model and its chunks", cost.bytes,
                 fmt::format("{} at a time", plural(cost.chunk, "sample")));
        costs.push_back(cost);
    }
    SLUICE_TRY(auto const passes, passes_of(costs, song_s, options));
    add_gpu(out, models, passes);
    add_begun(out, run.begun_s);
    double const all = std::accumulate(passes.begin(), passes.end(), 0.0);
    if (run.measure) SLUICE_CHECK(add_time(out, models, all, options));
    finish_plan(out, base,
                {"fewer --frames of a chunk take less, and give another result",
                 "or --precision bf16, where the processor has AMX"});
    return out;
}

}  // namespace sluice
