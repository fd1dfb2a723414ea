// The processes that read, and what they answer.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/benchmark_jobs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "bench/answers.h"
#include "domain/slide/profile/cache.h"
#include "domain/slide/profile/order.h"
#include "domain/slide/profile/sums.h"
#include "domain/slide/profile/system.h"
#include "sluice/save.h"

namespace sluice::cli {
namespace {

Status save_item(Worker const& worker, Pattern pattern, Json const& request) {
    SLUICE_TRY(slide::Image const image, worker.item(pattern, request["item"].get<index>()));
    Elements e;
    e.dtype = image.shape.sample;
    e.shape = {image.shape.height, image.shape.width, image.shape.samples};
    e.bytes = image.pixels.span();
    return save_npy(request["path"].get<std::string>(), e);
}

// Shares of one thread's time: what the profile measures, without the profile's repetitions.
Result<Json> traced(Worker const& worker, Pattern pattern) {
    slide::ReadTimes times;
    Trace trace(1);
    slide::SystemClock const system;
    std::int64_t const begin = trace.now();
    SLUICE_TRY(Done const done, worker.run(pattern, false, &trace));
    std::int64_t const end = trace.now();
    times.system = system.counts();
    times.spans = trace.spans();
    slide::Slide const& s = worker.slide();
    slide::sum_up(times, begin, end, false, [&](std::int32_t tile) { return s.compression(tile); });
    Json j{{"wall_s", times.wall_s},
           {"cpu_s", std::max(times.cpu_s, times.system.cpu_s)},
           {"bytes_read", done.stats.bytes_read},
           {"hidden", done.stats.tiles_hidden}};
    for (slide::StepTime const& step : times.steps) j["steps"][step.name] = step.seconds;
    return j;
}

Result<Json> answer(Worker const& worker, Pattern pattern, Json const& request) {
    std::string const what = request.value("do", "");
    if (what == "save") {
        SLUICE_CHECK(save_item(worker, pattern, request));
        return Json::object();
    }
    if (what == "forget") {
        worker.forget();
        return Json::object();
    }
    if (what == "trace") return traced(worker, pattern);
    bench::Stopwatch const watch;
    SLUICE_TRY(Done const done, worker.run(pattern, request.value("sums", false)));
    bench::Lap const lap = watch.lap();
    Json j = to_json(done);
    j["wall_s"] = lap.wall_s;
    j["cpu_s"] = lap.cpu_s;
    j["waited_s"] = lap.waited_s;
    return j;
}

Result<Process> start(Workload const& load, Pattern pattern, Way const& way) {
    auto const worker = std::make_shared<std::optional<Worker>>();
    return Process::fork([=, &load](Json const& request) -> Result<Json> {
        if (!*worker) {
            SLUICE_TRY(*worker, Worker::open(load, way));
        }
        return answer(**worker, pattern, request);
    });
}

Json rects_json(Workload const& load, Pattern pattern) {
    std::vector<slide::Rect> const& rects = pattern == Pattern::mosaic
                                                ? std::vector{*load.region.rect}
                                            : pattern == Pattern::rectangles ? load.rectangles
                                            : pattern == Pattern::regions    ? load.squares
                                                                             : load.small;
    Json out = Json::array();
    for (slide::Rect const& r : rects) out.push_back({r.x, r.y, r.width, r.height});
    return out;
}

Json opening(Workload const& load, Pattern pattern, std::string const& api) {
    Json plane = Json::object();
    for (std::size_t d = 0; d < load.region.plane.size(); ++d)
        plane[std::string(1, slide::dimension_letters[d])] = load.region.plane[d];
    Json j{{"do", "open"},      {"api", api},
           {"path", load.path}, {"rects", rects_json(load, pattern)},
           {"plane", plane},    {"cache_bytes", load.cache_bytes}};
    j["scene"] = load.region.scene ? Json(*load.region.scene) : Json();
    return j;
}

Status add_rivals(Workload const& load, Pattern pattern, Settings const& s, Json& versions,
                  std::vector<std::string>& notes, std::vector<Job>& jobs) {
    // Rivals have no call that gives many tiles as they are stored.
    if (s.rivals.empty() || pattern == Pattern::tiles) return {};
    for (std::string const& api : s.beside) {
        // Nothing is read twice in a mosaic.
        if (pattern == Pattern::mosaic && api.ends_with("with cache")) continue;
        // It has no regions.
        if (pattern != Pattern::mosaic && api == "czifile") continue;
        SLUICE_TRY(Process process, Process::start({s.rivals, s.driver}));
        Result<Json> const opened = process.ask(opening(load, pattern, api));
        if (!opened) {
            std::string const note = fmt::format("{} is left out: {}", api, opened.error().message);
            if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
            continue;
        }
        versions[(*opened)["name"].get<std::string>()] = (*opened)["version"];
        Way way;
        way.name = api;
        jobs.push_back({pattern, way, true, std::move(process), {}});
    }
    return {};
}

// How the pixels of a rival differ, in the first item that does.
Result<std::string> difference(Job& ours, Job& rival, std::size_t item) {
    std::string const path =
        fmt::format("{}/sluice-benchmark-{}.npy",
                    std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp", ::getpid());
    SLUICE_CHECK(ours.process.ask({{"do", "save"}, {"item", item}, {"path", path}}));
    Result<Json> const told =
        rival.process.ask({{"do", "compare"}, {"item", item}, {"path", path}});
    ::unlink(path.c_str());
    SLUICE_TRY(Json const j, told);
    return j["difference"].get<std::string>();
}

// A benchmark of filled tiles would compare the speed of not reading: that advice is not for here.
Error without_filling(Error error) {
    if (std::size_t const at = error.message.find("; --fill-bad"); at != std::string::npos)
        error.message = error.message.substr(0, at) + "; sluice slide check --pixels names all";
    return error;
}

Result<Json> ask_to_run(Job& job, bool with_sums) {
    Result<Json> answer = job.process.ask({{"do", "run"}, {"sums", with_sums}});
    if (!answer) return without_filling(std::move(answer).error());
    job.done = done_of(*answer);
    return answer;
}

Result<bench::Lap> round_of(Job& job) {
    SLUICE_TRY(Json const answer, ask_to_run(job, false));
    return bench::Lap{answer.value("wall_s", 0.0), answer.value("cpu_s", 0.0),
                      answer.value("waited_s", 0.0)};
}

Result<bench::Answer> answer_of(Job& job) {
    SLUICE_TRY([[maybe_unused]] Json const answer, ask_to_run(job, true));
    return job.done.sums;
}

Json details_of(Job const& job) {
    Done const& d = job.done;
    Json j{{"pixels", d.pixels}, {"samples", d.samples}, {"peak_bytes", d.peak_bytes}};
    if (job.rival) return j;
    j["bytes_read"] = d.stats.bytes_read;
    j["tiles_decoded"] = d.stats.tiles_decoded;
    j["decoded_per_pixel"] =
        d.pixels > 0 ? static_cast<double>(d.stats.pixels_decoded) / static_cast<double>(d.pixels)
                     : 0;
    return j;
}

}  // namespace

Result<std::vector<Job>> jobs_of(Workload const& load, std::vector<Pattern> const& patterns,
                                 Settings const& settings, Json& versions,
                                 std::vector<std::string>& notes) {
    std::vector<Job> jobs;
    for (Pattern const pattern : patterns) {
        for (Way const& way : ways_of(pattern, settings)) {
            SLUICE_TRY(Process process, start(load, pattern, way));
            jobs.push_back({pattern, way, false, std::move(process), {}});
        }
        SLUICE_CHECK(add_rivals(load, pattern, settings, versions, notes, jobs));
    }
    return jobs;
}

std::vector<bench::Contestant> contestants_of(std::vector<Job>& jobs, Workload const& load) {
    std::vector<bench::Contestant> all;
    Job* first = nullptr;
    for (Job& job : jobs) {
        if (!first || first->pattern != job.pattern) first = &job;
        bench::Contestant who;
        who.contest = config::word_of(job.pattern);
        who.name = job.way.name;
        who.rival = job.rival;
        who.threads = std::max(job.way.threads, job.way.processes);
        who.items = static_cast<double>(load.items(job.pattern));
        who.details = {{"options", job.way.options}, {"cold", false}};
        who.run = [&job] { return round_of(job); };
        who.answer = [&job] { return answer_of(job); };
        if (job.rival)
            who.difference = [&job, first](std::size_t item) {
                return difference(*first, job, item);
            };
        who.tell = [&job] { return details_of(job); };
        all.push_back(std::move(who));
    }
    return all;
}

Status forget(std::vector<Job>& jobs, std::string const& path) {
    for (Job& job : jobs)
        if (!job.rival) SLUICE_CHECK(job.process.ask({{"do", "forget"}}));
    SLUICE_TRY([[maybe_unused]] double const cached, slide::forget_file(path));
    return {};
}

Result<slide::Facts> facts_of_jobs(std::vector<Job>& jobs, Workload const& load) {
    slide::Facts f;
    f.tiles = f.tiles_in_region = std::ssize(load.tiles);
    SLUICE_TRY(slide::Slide const slide, slide::Slide::open(load.path, load.open));
    f.levels = std::ssize(slide.levels());
    f.amplification = slide::amplification_of(slide, load.region, 0, load.tiles).per_tile;
    auto const job = std::find_if(jobs.begin(), jobs.end(), [](Job const& j) {
        return j.pattern == Pattern::mosaic && j.way.name == "sequential";
    });
    if (job == jobs.end()) return f;
    SLUICE_TRY(Json const t, job->process.ask({{"do", "trace"}}));
    double const cpu = t["cpu_s"].get<double>();
    double most = 0;
    for (auto const& [name, value] : t["steps"].items()) {
        double const share = cpu > 0 ? value.get<double>() / cpu : 0;
        if (name == slide::step::copy) f.copy = share;
        if (name == slide::step::compose) f.compose = share;
        if (name == slide::step::outside) f.outside = share;
        if (!name.starts_with("decode ")) continue;
        f.decode += share;
        if (share >= most) f.codec = name.substr(7);
        most = std::max(most, share);
    }
    f.bytes_read = t["bytes_read"].get<double>();
    f.hidden = t["hidden"].get<index>();
    return f;
}

}  // namespace sluice::cli
