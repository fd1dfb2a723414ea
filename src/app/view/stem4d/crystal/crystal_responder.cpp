// Which thread answers what about disks, strain and orientations.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/crystal_responder.h"

#include <fmt/format.h>

#include "app/view/engine.h"
#include "app/view/stem4d/crystal/strain_answer.h"
#include "app/view/stem4d/echo.h"
#include "app/view/stem4d/responder.h"

namespace sluice::app {
namespace {

constexpr auto tell_every = std::chrono::milliseconds(200);

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Frames and samples are read from the files while the whole is loaded: their numbers are final.
std::shared_ptr<Scan const> scan_of(Item const& item) {
    return item.full ? item.full : item.files;
}

// Tells a task's progress, and whether its answer is still wanted.
Strains::Report reporter(Engine& engine, Job const& job) {
    struct State {
        std::string task = {};
        Clock::time_point start = {}, last = {};
    };
    return [&engine, &job, state = std::make_shared<State>()](char const* task, std::uint64_t done,
                                                              std::uint64_t total) {
        auto const now = Clock::now();
        bool const begins = state->task != task;
        if (begins) *state = {task, now, now};
        if (begins || now - state->last > tell_every) {
            state->last = now;
            double const rate =
                static_cast<double>(done) / std::max(seconds_since(state->start), 1e-3);
            engine.report(job, {{"op", "progress"},
                                {"dataset", job.work->subject},
                                {"slot", job.envelope.slot},
                                {"task", task},
                                {"done", done},
                                {"total", total},
                                {"rate", rate},
                                {"left", done > 0 ? Json(static_cast<double>(total - done) / rate)
                                                  : Json()}});
        }
        return engine.newest(job);
    };
}

}  // namespace

bool CrystalResponder::answers(ScanRequest const& request) {
    return std::holds_alternative<DisksRequest>(request.what) ||
           std::holds_alternative<StrainRequest>(request.what) ||
           std::holds_alternative<OrientationRequest>(request.what) ||
           std::holds_alternative<MatchRequest>(request.what);
}

bool CrystalResponder::ready(std::string const& data, ScanRequest const& request) {
    if (auto const* disks = std::get_if<DisksRequest>(&request.what))
        return plans_.known(data, disks->plan.value_or(disks->disks)) != nullptr;
    if (auto const* map = std::get_if<OrientationRequest>(&request.what))
        return orientations_.known(data, *map);
    if (auto const* match = std::get_if<MatchRequest>(&request.what))
        return orientations_.known(data, *match);
    return strains_.known(data, std::get<StrainRequest>(request.what));
}

void CrystalResponder::answer(Engine& engine, Job const& job, ScanRequest const& request) {
    auto const item = catalog_.get(request.dataset);
    if (!item) return engine.refuse(job, no_dataset(request.dataset));
    auto const scan = scan_of(*item);
    if (!scan && settled(*item)) return engine.refuse(job, {item->code, item->message});
    if (!scan) return wait(engine, job);
    catalog_.touch(item->id);
    std::string const data = fmt::format("{} {} ", item->id, item->read);
    if (!job.slow && !ready(data, request)) return engine.later(job, Clock::now());
    auto const start = Clock::now();
    auto answer =
        make(engine, job, request, data, {.scan = scan, .whole = item->scan, .device = device_});
    if (!answer) return engine.refuse(job, answer.error());
    Json header = header_of(job);
    header.update(scan_fields(engine, job, 1));
    header["ms"] = seconds_since(start) * 1e3;
    header.update(place_of(*item));
    header.update(answer->fields);
    auto message = answer->arrays.finish(std::move(header));
    // Also a frame that a drag has passed is shown, but not before one that came after it.
    if (job.slow)
        engine.finish(job, std::move(message));
    else
        engine.show(job, std::move(message), true);
}

void CrystalResponder::wait(Engine& engine, Job const& job) {
    engine.park(job);
    // What it waits for may have come just before it was parked.
    auto const item = catalog_.get(job.work->subject);
    if (!item || scan_of(*item) || settled(*item)) engine.changed(job.work->subject);
}

Result<Answer> CrystalResponder::make(Engine& engine, Job const& job, ScanRequest const& request,
                                      std::string const& data, Source const& source) {
    auto const report = reporter(engine, job);
    if (auto const* strain = std::get_if<StrainRequest>(&request.what))
        return strains_.answer(data, source, *strain, report);
    if (auto const* map = std::get_if<OrientationRequest>(&request.what))
        return orientations_.answer(data, source, *map, report);
    if (auto const* match = std::get_if<MatchRequest>(&request.what))
        return orientations_.answer(data, source, *match, report);
    auto const& disks = std::get<DisksRequest>(request.what);
    stem4d::Options run;
    run.device = source.device;
    run.progress = [&report](auto done, auto total) { return report("planning", done, total); };
    SLUICE_TRY(auto plan, plans_.make(data, *source.scan, disks.plan.value_or(disks.disks), run));
    if (disks.plan) {
        SLUICE_TRY(plan, plans_.changed(data, *source.scan, *plan, disks, source.device));
    }
    SLUICE_TRY(auto const found, plan->finder.find(*source.scan, disks.row, disks.col));
    return pack_disks(*plan, found);
}

}  // namespace sluice::app
