// What a scan answers now, and what the whole of it answers later.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/responder.h"

#include <fmt/format.h>

#include "app/view/engine.h"
#include "app/view/stem4d/echo.h"
#include "store/plan.h"

namespace sluice::app {
namespace {

// A whole pass over the files begins when nothing newer came for this long.
constexpr auto rest = std::chrono::milliseconds(250), report_every = std::chrono::milliseconds(200);
// Who waits for more of a scan is answered in half of the time at most: the rest is for what
// comes, and for who drags.
constexpr int pause_over_work = 1;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Whether a job that was answered from a subset, or not at all, can be answered better now.
bool has_news(Item const& item, std::uint64_t seen) {
    return item.full || settled(item) || (item.preview && item.read != seen);
}

// There is nothing of it: it could not be opened, or what was read is out of date.
bool refused(Item const& item) {
    return !item.full && !item.files;
}

Json progress_message(Job const& job, std::uint64_t done, std::uint64_t total, double seconds) {
    double const rate = static_cast<double>(done) / seconds;
    return {{"op", "progress"},
            {"dataset", job.work->subject},
            {"slot", job.envelope.slot},
            {"done", done},
            {"total", total},
            {"rate", rate},
            {"left", static_cast<double>(total - done) / std::max(rate, 1.0)}};
}

}  // namespace

Json scan_fields(Engine const& engine, Job const& job, index step) {
    return {
        {"dataset", job.work->subject}, {"step", step}, {"dropped", engine.dropped(job.client)}};
}

Json live_mark(Item const& item, bool final) {
    auto const [rows, cols] = item.full->scan_shape();
    return {{"points", item.seen}, {"of", rows * cols}, {"final", final}};
}

bool has_come(Scan const& scan, index row, index col) {
    auto const& lost = scan.plan().lost;
    auto const at = static_cast<std::size_t>(row * scan.scan_shape()[1] + col);
    return at >= lost.size() || lost[at] == 0;
}

Error no_dataset(std::string const& id) {
    return {Code::not_found, fmt::format("there is no dataset '{}' here", id)};
}

void Responder::answer(Engine& engine, Job const& job, ScanRequest const& request) {
    if (CrystalResponder::answers(request)) return crystals_.answer(engine, job, request);
    std::optional<Item> const item = catalog_.now(request.dataset);
    if (job.slow) {
        // It was loaded, left memory or failed while the pointer rested.
        if (!item || !item->full) return engine.again(job);
        return from_files(engine, job, request, *item);
    }
    if (!item) return engine.refuse(job, no_dataset(request.dataset));
    if (settled(*item) && refused(*item)) return engine.refuse(job, {item->code, item->message});
    catalog_.touch(item->id);
    if (std::holds_alternative<FindDiskRequest>(request.what)) return find_disk(engine, job, *item);
    if (item->state == State::live) return from_stream(engine, job, request, *item);
    at_once(engine, job, request, *item);
}

void Responder::at_once(Engine& engine, Job const& job, ScanRequest const& request,
                        Item const& item) {
    bool const single = std::holds_alternative<FrameRequest>(request.what);
    bool const resident = item.full && item.full->resident();
    bool const exact = resident || single;
    Source const source{resident ? item.full
                        : single ? item.files
                                 : item.preview,
                        exact ? 1 : item.step, item.scan, item.disk, device_};
    if (source.scan && exact) return compute(engine, job, request, item, source, true);
    // The whole follows, from the files or once it is loaded.
    bool const more = item.full || !settled(item);
    bool const known = source.scan && job.seen == item.read;
    if (source.scan && !known) compute(engine, job, request, item, source, !more);
    Job next = job;
    if (source.scan) next.seen = item.read;
    if (item.full)
        engine.later(next, Clock::now() + rest);
    else if (more)
        wait(engine, next);
    else if (known)
        engine.done(job);
    else if (!source.scan)
        engine.refuse(job, {item.code, item.message});
}

void Responder::from_stream(Engine& engine, Job const& job, ScanRequest const& request,
                            Item const& item) {
    bool const more = item.full && (!request.after || item.seen > *request.after);
    if (!more) {
        engine.park(job);
        // It may have come just before it was parked.
        auto const now = catalog_.now(item.id);
        bool const news = !now || now->state != State::live ||
                          (now->full && (!request.after || now->seen > *request.after));
        return news ? engine.changed(item.id) : void();
    }
    auto const start = Clock::now();
    if (request.after && start < next_) return engine.again(job, next_);
    Source source{item.full, 1, item.scan, item.disk, device_};
    source.comes = true;
    compute(engine, job, request, item, source, true);
    if (request.after) next_ = Clock::now() + pause_over_work * (Clock::now() - start);
}

void Responder::find_disk(Engine& engine, Job const& job, Item const& item) {
    auto const& scan = item.full ? item.full : item.preview;
    if (!scan)
        return engine.refuse(job, {Code::unavailable,
                                   "nothing of the scan is there yet; look for "
                                   "the disk when there is"});
    auto const disk = stem4d::find_disk_of_sample(*scan, device_);
    if (!disk) return engine.refuse(job, disk.error());
    catalog_.change(item.id, [&](Item& i) {
        i.disk = *disk;
        if (!i.series) return;
        auto const [rows, cols] = item.scan;
        i.series->disk_points = item.live ? static_cast<index>(item.seen) : rows * cols;
    });
    Json header = header_of(job);
    header.update(scan_fields(engine, job, 0));
    engine.finish(job, text_message(header));
}

void Responder::wait(Engine& engine, Job const& job) {
    engine.park(job);
    // What it waits for may have come just before it was parked.
    auto const item = catalog_.get(job.work->subject);
    if (!item || has_news(*item, job.seen)) engine.changed(job.work->subject);
}

void Responder::from_files(Engine& engine, Job const& job, ScanRequest const& request,
                           Item const& item) {
    Source source{item.full, 1, item.scan, item.disk, device_};
    auto const start = Clock::now();
    auto last = start;
    source.progress = [&](std::uint64_t done, std::uint64_t total) {
        if (auto const now = Clock::now(); now - last > report_every) {
            last = now;
            double const seconds = milliseconds_since(start) / 1e3;
            engine.report(job, progress_message(job, done, total, seconds));
        }
        return engine.newest(job);
    };
    compute(engine, job, request, item, source, true);
}

void Responder::compute(Engine& engine, Job const& job, ScanRequest const& request,
                        Item const& item, Source const& source, bool last) {
    auto const start = Clock::now();
    auto const computed = [&]() -> Result<Answer> {
        if (auto const* image = std::get_if<ImageRequest>(&request.what))
            return answer_image(source, *image, moments_);
        if (auto const* frame = std::get_if<FrameRequest>(&request.what))
            return answer_frame(source, *frame);
        return answer_pattern(source, std::get<PatternRequest>(request.what));
    }();
    // A subset may lack what the whole has: the points of a small region, say.
    if (!computed) return last ? engine.refuse(job, computed.error()) : void();
    Json header = header_of(job);
    header.update(scan_fields(engine, job, source.step));
    header["ms"] = milliseconds_since(start);
    header.update(place_of(item));
    if (item.state == State::live) {
        auto const* point = std::get_if<FrameRequest>(&request.what);
        header["live"] = live_mark(item, point && has_come(*item.full, point->row, point->col));
    }
    header.update(computed->fields);
    auto message = computed->arrays.finish(std::move(header));
    // A pass over the files takes long enough for its question to be out of date.
    if (source.progress)
        engine.finish(job, std::move(message));
    else
        engine.show(job, std::move(message), last);
}

}  // namespace sluice::app
