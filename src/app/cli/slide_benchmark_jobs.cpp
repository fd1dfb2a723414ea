// Ways of reading, and the processes that read.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide_benchmark_jobs.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "app/cli/terminal.h"
#include "domain/slide/profile/cache.h"
#include "domain/slide/profile/order.h"
#include "domain/slide/profile/sums.h"
#include "domain/slide/profile/system.h"
#include "sluice/save.h"

namespace sluice::cli {
namespace {

double cpu_of(int who) {
    rusage u{};
    ::getrusage(who, &u);
    auto const s = [](timeval const& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return s(u.ru_utime) + s(u.ru_stime);
}

double cpu_now() {
    return cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN);
}

Status save_item(Worker const& worker, Pattern pattern, Json const& request) {
    SLUICE_TRY(slide::Image const image, worker.item(pattern, request["item"].get<index>()));
    Elements e;
    e.dtype = czi::name_of(image.shape.sample);
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
    slide::sum_up(times, begin, end, false, [&](std::int32_t tile) {
        auto const entry =
            static_cast<std::size_t>(s.tiles()[static_cast<std::size_t>(tile)].entry);
        return czi::name_of(s.file().entries()[entry].compression);
    });
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
    double const start = now(), cpu = cpu_now();
    SLUICE_TRY(Done const done, worker.run(pattern, request.value("sums", false)));
    double const wall = now() - start;
    Json j = to_json(done);
    j["wall_s"] = wall;
    j["cpu_s"] = cpu_now() - cpu;
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

void add_ways(Pattern pattern, Settings const& s, std::vector<Way>& ways) {
    bool const more = s.depth != Thoroughness::quick;
    bool const regions = pattern != Pattern::mosaic && pattern != Pattern::tiles;
    ways.push_back({"sequential", "give --threads 1", 0, 1, 0, 1, false, false});
    index const batch = s.batches.front();
    int most = 1;
    for (int const t : s.workers) {
        if (t <= s.processors) most = std::max(most, t);
        if (t > 1)
            ways.push_back({pattern == Pattern::tiles && s.every_batch
                                ? fmt::format("{} threads, batches of {}", t, batch)
                                : fmt::format("{} threads", t),
                            fmt::format("give --threads {}", t), 1, t, 0, batch, false, false});
    }
    if (regions)
        for (int const t : std::set{1, most})
            ways.push_back({fmt::format("{} thread{}, tile cache", t, t == 1 ? "" : "s"),
                            fmt::format("keep a TileCache, with --threads {}", t), 2, t, 0, 1,
                            false, true});
    if (pattern == Pattern::tiles && (more || s.every_batch))
        for (int const t : s.grid ? s.workers : std::vector{most})
            for (index const b : s.batches) {
                // That is one of the ways above, but for the sequential one, which has no batches.
                if (b == batch && t > 1) continue;
                if (t == 1 && b <= 1) continue;
                ways.push_back(
                    {fmt::format("{} thread{}, batches of {}", t, t == 1 ? "" : "s", b),
                     fmt::format("give read_tiles {} tiles at a time, with --threads {}", b, t), 2,
                     t, 0, b, false, false});
            }
    if (!more) return;
    for (int const t : std::set{1, most})
        ways.push_back({fmt::format("{} thread{}, mmap", t, t == 1 ? "" : "s"),
                        fmt::format("give --mmap --threads {}", t), 3, t, 0, batch, true, false});
    for (int const p : s.workers)
        if (p > 1 && (s.depth == Thoroughness::full || p == std::max(2, most)))
            ways.push_back({fmt::format("{} processes", p),
                            fmt::format("start {} processes with a part each", p), 4, 1, p, batch,
                            false, false});
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
        plane[std::string(1, czi::dimension_letters[d])] = load.region.plane[d];
    Json j{{"do", "open"},      {"api", api},
           {"path", load.path}, {"rects", rects_json(load, pattern)},
           {"plane", plane},    {"cache_bytes", load.cache_bytes}};
    j["scene"] = load.region.scene ? Json(*load.region.scene) : Json();
    return j;
}

Status add_rivals(Workload const& load, Pattern pattern, Settings const& s, Json& versions,
                  std::vector<std::string>& notes, std::vector<Job>& jobs) {
    // Nothing of theirs gives many tiles as they are stored.
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
        jobs.push_back({pattern, way, true, "same", std::move(process)});
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

}  // namespace

void Settings::defaults() {
    grid = !workers.empty() && !batches.empty();
    if (workers.empty()) {
        workers = depth == Thoroughness::quick ? std::vector{1, std::max(2, processors)}
                                               : std::vector{1, 2, 4, 8};
        if (processors > 8) workers.push_back(processors);
    }
    std::sort(workers.begin(), workers.end());
    workers.erase(std::unique(workers.begin(), workers.end()), workers.end());
    every_batch = !batches.empty();
    if (batches.empty())
        batches = depth == Thoroughness::full ? std::vector<index>{25, 10, 50, 100}
                                              : std::vector<index>{25, 100};
}

Json to_json(Settings const& s) {
    constexpr std::string_view names[] = {"quick", "medium", "full"};
    return {{"depth", names[static_cast<std::size_t>(s.depth)]},
            {"rounds", s.rounds},
            {"workers", s.workers},
            {"batches", s.batches},
            {"max_tiles", s.max_tiles},
            {"cold", s.cold}};
}

Result<std::vector<Job>> jobs_of(Workload const& load, std::vector<Pattern> const& patterns,
                                 Settings const& settings, Json& versions,
                                 std::vector<std::string>& notes) {
    std::vector<Job> jobs;
    for (Pattern const pattern : patterns) {
        std::vector<Way> ways;
        add_ways(pattern, settings, ways);
        for (Way const& way : ways) {
            SLUICE_TRY(Process process, start(load, pattern, way));
            jobs.push_back({pattern, way, false, "same", std::move(process)});
        }
        SLUICE_CHECK(add_rivals(load, pattern, settings, versions, notes, jobs));
    }
    return jobs;
}

Error error_of(Job const& job, Error error) {
    // A benchmark of filled tiles would compare the speed of not reading.
    if (std::size_t const at = error.message.find("; --fill-bad"); at != std::string::npos)
        error.message = error.message.substr(0, at) + "; sluice slide check --pixels names all";
    error.message =
        fmt::format("'{}' of {} stopped: {}", job.way.name, name_of(job.pattern), error.message);
    return error;
}

void leave_out(Job& job, Error const& error, std::vector<std::string>& notes) {
    job.failed = true;
    notes.push_back(
        fmt::format("{} is left out of {}: {}", job.way.name, name_of(job.pattern), error.message));
}

Status compare_answers(std::vector<Job>& jobs, Workload const& load,
                       std::vector<std::string>& notes) {
    ProgressBar progress("comparing the answers");
    Job* first = nullptr;
    std::vector<std::uint64_t> sums;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        Job& job = jobs[j];
        Result<Json> const answer = job.process.ask({{"do", "run"}, {"sums", true}});
        if (!answer) {
            if (!job.rival) return error_of(job, answer.error());
            leave_out(job, answer.error(), notes);
            continue;
        }
        Done const done = done_of(*answer);
        if (!first || first->pattern != job.pattern) {
            first = &job;
            sums = done.sums;
        }
        auto const [a, b] =
            std::mismatch(sums.begin(), sums.end(), done.sums.begin(), done.sums.end());
        if (a != sums.end() || b != done.sums.end()) {
            auto const item = static_cast<std::size_t>(a - sums.begin());
            if (!job.rival)
                return Error{Code::corrupt,
                             fmt::format("'{}' and '{}' give different pixels in item {} of {} "
                                         "(the file is being written, or this is a mistake of "
                                         "sluice); nothing was timed",
                                         first->way.name, job.way.name, item, name_of(job.pattern)),
                             load.path};
            auto const told = difference(*first, job, item);
            if (!told) {
                leave_out(job, told.error(), notes);
                continue;
            }
            job.pixels = *told;
            notes.push_back(fmt::format("{} gives other pixels for {} {}: {}", job.way.name,
                                        name_of(job.pattern), item, job.pixels));
        }
        if (!progress(j + 1, jobs.size()))
            return Error{Code::cancelled, "interrupted; nothing was written"};
    }
    return {};
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
    SLUICE_TRY(slide::Slide const slide, slide::Slide::open(load.path, {load.recover}));
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
