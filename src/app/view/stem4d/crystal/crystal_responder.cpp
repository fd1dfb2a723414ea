// Which thread answers what about disks, strain and orientations.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/crystal_responder.h"

#include <fmt/format.h>

#include <bit>

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

// What what was made of a scan is kept by. Of a scan that comes, what needs a sample of it is made
// anew when it has doubled, and what is of all points for each answer.
std::string data_of(Item const& item, ScanRequest const& request) {
    std::string data = fmt::format("{} {} ", item.id, item.read);
    if (item.state != State::live) return data;
    bool const of_all = std::holds_alternative<StrainRequest>(request.what) ||
                        std::holds_alternative<OrientationRequest>(request.what);
    return data + fmt::format("live {} ", of_all ? item.seen : std::bit_width(item.seen));
}

// Maps are not made again until the scan is complete: they take long.
bool is_final(Item const& item, ScanRequest const& request) {
    if (auto const* disks = std::get_if<DisksRequest>(&request.what))
        return has_come(*item.full, disks->row, disks->col);
    if (auto const* match = std::get_if<MatchRequest>(&request.what))
        return has_come(*item.full, match->row, match->col);
    return true;
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
    auto const item = catalog_.now(request.dataset);
    if (!item) return engine.refuse(job, no_dataset(request.dataset));
    auto const scan = scan_of(*item);
    if (!scan && settled(*item)) return engine.refuse(job, {item->code, item->message});
    if (!scan) return wait(engine, job);
    if (item->state == State::live && request.after && item->seen <= *request.after)
        return wait(engine, job, *request.after);
    catalog_.touch(item->id);
    std::string const data = data_of(*item, request);
    if (!job.slow && !ready(data, request)) return engine.later(job, Clock::now());
    auto const start = Clock::now();
    auto answer =
        make(engine, job, request, data, {.scan = scan, .whole = item->scan, .device = device_});
    if (!answer) return engine.refuse(job, answer.error());
    Json header = header_of(job);
    header.update(scan_fields(engine, job, 1));
    header["ms"] = seconds_since(start) * 1e3;
    header.update(place_of(*item));
    if (item->state == State::live) header["live"] = live_mark(*item, is_final(*item, request));
    header.update(answer->fields);
    auto message = answer->arrays.finish(std::move(header));
    // Also a frame that a drag has passed is shown, but not before one that came after it.
    if (job.slow)
        engine.finish(job, std::move(message));
    else
        engine.show(job, std::move(message), true);
}

void CrystalResponder::wait(Engine& engine, Job const& job, std::uint64_t after) {
    engine.park(job);
    // What it waits for may have come just before it was parked.
    auto const item = catalog_.now(job.work->subject);
    bool const comes = item && item->state == State::live;
    bool const news =
        !item || (comes ? item->full && item->seen > after : scan_of(*item) != nullptr);
    if (news || settled(*item)) engine.changed(job.work->subject);
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
