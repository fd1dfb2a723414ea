// One live scan: from its stream to its results.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/live/record.h"
#include "app/cli/live/watch.h"
#include "app/cli/stem4d/coordinates.h"
#include "app/cli/stem4d/image_output.h"
#include "app/cli/stem4d/moment_output.h"
#include "app/cli/stem4d/pattern_output.h"
#include "base/file.h"
#include "base/plural.h"
#include "domain/stem4d/parse_places.h"
#include "net/held_frames.h"

namespace sluice::cli {
namespace {

using net::Receiver;
using net::Series;

constexpr std::uint64_t usual_budget = std::uint64_t{1} << 30;
constexpr std::size_t most_runs = 1000;  // of gaps that a report lists

/// The thread that receives: it ends with the ring, which ends with this.
class Receiving {
  public:
    Receiving(Receiver& receiver, net::FrameRing& ring)
        : ring_(ring),
          thread_([&receiver, &ring] { receiver.receive(ring, [] { return !interrupted(); }); }) {}
    ~Receiving() { ring_.end("the work on its frames ended"); }
    Receiving(Receiving const&) = delete;
    Receiving& operator=(Receiving const&) = delete;
    /// The series may go on when all frames of the scan are there.
    void wait() {
        if (thread_.joinable()) thread_.join();
    }

  private:
    net::FrameRing& ring_;
    std::jthread thread_;
};

Result<std::shared_ptr<net::FrameRing>> make_ring(LiveCommand const& c, Receiver& receiver,
                                                  LivePath const& path, net::Recorder* recorder) {
    auto const [rows, cols] = path.path.scan;
    net::RingOptions options{.name = c.address,
                             .frames = rows * cols,
                             .budget = budget_of(c),
                             .reorder = c.reorder,
                             .frame_of = frame_of(path.path)};
    if (recorder)
        options.tee = [recorder](index image, EncodedFrame const& frame,
                                 std::shared_ptr<void const> const& owner) {
            recorder->put(image, frame, owner);
        };
    options.spoiled = [&receiver](index image, Error const& why) {
        receiver.problems().tell("images that cannot be decoded",
                                 fmt::format("image {}: {}", image, why.message));
    };
    return std::make_shared<net::FrameRing>(std::move(options));
}

bool needs_disk(stem4d::AnalysisPlan const& plan) {
    auto const its = [](stem4d::Detector const& d) { return stem4d::needs_disk(d); };
    return std::ranges::any_of(plan.images[0].detectors, its) ||
           (plan.moments[0].within && its(*plan.moments[0].within));
}

// Given, or measured on the first frames, which stay in the ring.
Result<std::optional<stem4d::Disk>> disk_for(LiveCommand const& c, stem4d::AnalysisPlan const& plan,
                                             Dataset const& dataset, net::FrameRing const& ring,
                                             LoadOptions const& load, JobReport& report) {
    if (!c.job.disk.empty()) {
        SLUICE_TRY(stem4d::Disk const disk, stem4d::parse_disk(c.job.disk));
        return std::optional(disk);
    }
    if (!needs_disk(plan)) return std::optional<stem4d::Disk>();
    auto frames = ring.first_frames(c.disk_frames);
    index const count = std::ssize(frames);
    if (count == 0)
        return Error{Code::incomplete,
                     fmt::format("none of the first {} frames came, on which the bright-field disk "
                                 "is measured; give it by --disk",
                                 c.disk_frames),
                     c.address};
    SLUICE_TRY(Scan const head, Scan::load(net::held_dataset(dataset, std::move(frames)), load));
    SLUICE_TRY(stem4d::Disk const disk, stem4d::find_disk(head, load.device));
    report.notes.push_back(fmt::format("the disk was measured on the first {}",
                                       plural(count, "frame that came", "frames that came")));
    return std::optional(disk);
}

Json to_json(std::vector<FrameRun> const& gaps) {
    Json runs = Json::array();
    for (std::size_t i = 0; i < std::min(gaps.size(), most_runs); ++i)
        runs.push_back({gaps[i].first, gaps[i].count});
    return runs;
}

// What happened on the way, in the report and as warnings.
void tell(LiveCommand const& c, Receiver& receiver, Series const& series,
          net::FrameRing const& ring, Json live, JobReport& report) {
    auto const warn = [&](std::string const& text) {
        report.notes.push_back(text);
        fmt::print(stderr, "sluice: warning: {}\n", text);
    };
    FeedState const state = ring.state();
    live["series"] = series.name;
    live["ended"] = ring.why_ended().empty() ? Json("complete") : Json(ring.why_ended());
    live["gaps"] = to_json(ring.gaps());
    live["problems"] = Json::array();
    if (std::string const why = ring.why_ended(); !why.empty())
        warn("the scan ended early: " + why);
    if (state.gaps > 0)
        warn(fmt::format("{} of {} frames are lost", state.gaps, live["frames"].get<index>()));
    for (net::Problem const& p : receiver.problems().list()) {
        live["problems"].push_back({{"what", p.what}, {"count", p.count}, {"first", p.first}});
        warn(text_of(p));
    }
    report.lines.push_back(fmt::format(
        "{} of {} frames came; the one that waited longest waited {:.0f} ms, {} "
        "waited at once",
        live["received"].get<index>(), live["frames"].get<index>(),
        live["lag_ms"]["most"].get<double>(), live["most_frames_waiting"].get<index>()));
    live["most_bytes_allowed"] = budget_of(c);
    report.json["live"] = std::move(live);
}

Result<std::vector<ResultGroup>> results_of(LiveCommand const& c, Stem4dJob const& job,
                                            stem4d::AnalysisPlan const& plan,
                                            stem4d::Analyzed const& found, Scan const& scan,
                                            JobReport& report) {
    std::vector<ResultImage> images(plan.images[0].detectors.size());
    ImageOutput const out{plan.images[0].detectors, c.images.mean, job.output};
    SLUICE_CHECK(out.add(found.images[0], scan, 0, images, report.json));
    report.notes.insert(report.notes.end(), found.images[0].notes.begin(),
                        found.images[0].notes.end());
    MomentOutput moments(job, {});
    SLUICE_CHECK(
        moments.add(found.moments[0].com, found.moments[0].phase, scan, 0, report.json, report));
    std::vector<ResultImage> patterns(1);
    SLUICE_CHECK(add_pattern(found.patterns[0][0], stem4d::Pattern::sum, {}, scan, 0, job.output,
                             patterns[0]));
    return std::vector<ResultGroup>{{"virtual_images", std::move(images)},
                                    {"center_of_mass", std::move(moments).take()},
                                    {"diffraction_pattern", std::move(patterns)}};
}

struct Seen {
    Scan scan;
    stem4d::Analyzed found;
};

Result<Seen> look(LiveCommand const& c, stem4d::AnalysisPlan const& plan, Dataset dataset,
                  net::FrameRing const& ring, LoadOptions const& load,
                  stem4d::Options const& options, JobReport& report) {
    stem4d::Decided decided;
    SLUICE_TRY(decided.disk, disk_for(c, plan, dataset, ring, load, report));
    if (decided.disk) report.add(*decided.disk, 0);
    SLUICE_TRY(Scan scan, Scan::load(std::move(dataset), load));
    SLUICE_TRY(stem4d::Analyzed found, stem4d::analyze_live(scan, plan, decided, options));
    return Seen{std::move(scan), std::move(found)};
}

}  // namespace

std::uint64_t budget_of(LiveCommand const& c) {
    std::uint64_t const limit = c.job.data.common.memory_limit;
    return (limit > 0 ? limit : usual_budget) / (c.record.empty() ? 1 : 2);
}

Status run_live_scan(LiveCommand& c, Receiver& receiver, Series const& series,
                     std::string const& folder, index number) {
    double const begin = now();
    Stem4dJob job = c.job;
    job.output.folder = folder;
    SLUICE_CHECK(make_folder(folder));
    SLUICE_TRY(stem4d::AnalysisPlan const plan, live_plan(c));
    SLUICE_TRY(LivePath path, live_path(c, series));
    auto const recorder = make_recorder(c, series, path, record_prefix(c, number));
    SLUICE_TRY(auto const ring, make_ring(c, receiver, path, recorder.get()));
    Dataset dataset = live_dataset(series, path.path.scan, path.scan_from, ring);
    dataset.notes.insert(dataset.notes.end(), path.notes.begin(), path.notes.end());
    JobReport report;
    report.json["series"] = 1;
    report.json["coordinates"] = coordinates;
    SLUICE_TRY(LoadOptions load, job.data.load_options(1));
    load.residency = Residency::stream;
    stem4d::Options options;
    SLUICE_TRY(options.device, job.data.common.chosen_device());
    SLUICE_TRY(options.trace, job.data.common.trace.on(options.device.threads()));
    load.trace = options.trace;

    Receiving receiving(receiver, *ring);
    LiveWatch watch(*ring, dataset.frames);
    auto seen = look(c, plan, std::move(dataset), *ring, load, options, report);
    // A picture that failed is no reason to lose the recording.
    if (!seen && recorder) {
        fmt::print(stderr, "sluice: warning: the scan is recorded, and no more looked at: {}\n",
                   seen.error().text());
        ring->discard();
    }
    if (seen || recorder) receiving.wait();
    if (recorder) finish_record(c, *recorder, ring->why_ended(), report);
    if (!seen) return std::move(seen).error();
    auto const& [scan, found] = *seen;
    tell(c, receiver, series, *ring, watch.stop(), report);
    report.json["members"].push_back(description_of(scan));
    report.provenance = provenance_of(scan, {});
    SLUICE_TRY(auto const groups, results_of(c, job, plan, found, scan, report));
    report.json["seconds"] = now() - begin;
    return finish(job, groups, report);
}

}  // namespace sluice::cli
