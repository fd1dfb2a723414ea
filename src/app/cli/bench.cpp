// `sluice bench`: times loading and analyses, beside the floors of this machine.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/cli/command.h"
#include "app/cli/data_options.h"
#include "app/cli/outputs.h"
#include "app/cli/terminal.h"
#include "domain/stem4d/touched_bytes.h"
#include "scan/floor.h"
#include "sluice/stem4d.h"

namespace sluice::cli {
namespace {

struct Command {
    DataOptions data;
    std::vector<std::string> detectors;
    std::string out;
    int rounds = 7;
    bool json = false, serve = false;
};

/// Something that can be timed: its name, and what it does.
struct Job {
    std::string name;
    std::function<Status()> run;
};

double median(std::vector<double> v) {
    std::ranges::sort(v);
    return v[v.size() / 2];
}

// One name per line on stdin, one line of JSON per run on stdout: how another program puts our
// rounds between its own.
Status serve(std::vector<Job> const& jobs, Json ready) {
    for (Job const& job : jobs) ready["jobs"].push_back(job.name);
    std::cout << ready.dump() << std::endl;
    for (std::string name; std::getline(std::cin, name);) {
        auto const job = std::ranges::find(jobs, name, &Job::name);
        if (job == jobs.end()) return Error{Code::invalid_argument, "no job '" + name + "'"};
        double const start = now();
        SLUICE_CHECK(job->run());
        std::cout << Json{{"job", name}, {"seconds", now() - start}}.dump() << std::endl;
    }
    return {};
}

// Rounds of all jobs, so that the machine's moods meet all of them.
Result<std::vector<double>> time_jobs(std::vector<Job> const& jobs, int rounds) {
    std::vector<std::vector<double>> seconds(jobs.size());
    for (int round = 0; round <= rounds; ++round)
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            double const start = now();
            SLUICE_CHECK(jobs[j].run());
            if (round > 0) seconds[j].push_back(now() - start);  // the first one warms up
        }
    std::vector<double> medians;
    for (auto const& s : seconds) medians.push_back(median(s));
    return medians;
}

Result<Dataset> open_one(DataOptions const& data) {
    SLUICE_TRY(Series series, data.open());
    if (series.members.size() != 1)
        return Error{Code::invalid_argument, "a benchmark takes one acquisition"};
    return std::move(series.members.front());
}

Status run_load(Command const& c) {
    SLUICE_TRY(LoadOptions const options, c.data.load_options(1));
    int const threads = options.device.threads();
    SLUICE_TRY(Dataset const dataset, open_one(c.data));
    SLUICE_TRY(stream::DecodeFloor const floor, stream::DecodeFloor::read(dataset));
    Memory memory;
    std::vector<Job> const jobs{
        {"load",
         [&]() -> Status {
             SLUICE_TRY(Dataset fresh, open_one(c.data));
             SLUICE_TRY(Scan const scan, Scan::load(std::move(fresh), options));
             memory = scan.memory();
             return {};
         }},
        {"floor", [&]() -> Status {
             SLUICE_TRY([[maybe_unused]] double const s, floor.seconds(0, dataset.rows, threads));
             return {};
         }}};
    Json ready{{"frames", dataset.frames},
               {"threads", threads},
               {"isa", options.device.name()},
               {"source_bytes", dataset.bytes()},
               {"copy_bandwidth", stream::copy_bandwidth(threads)}};
    if (c.serve) return serve(jobs, ready);
    SLUICE_TRY(auto const seconds, time_jobs(jobs, c.rounds));
    auto const frames = static_cast<double>(dataset.frames);
    double const copy = ready["copy_bandwidth"].get<double>();
    double const rate = static_cast<double>(dataset.bytes()) / seconds[0];
    if (c.json) {
        ready["load_seconds"] = seconds[0];
        ready["floor_seconds"] = seconds[1];
        ready["resident_bytes"] = memory.resident;
        ready["float32_bytes"] = memory.float32;
        fmt::print("{}\n", text_of(ready));
        return {};
    }
    fmt::print("{} frames on {} threads, {}\n", dataset.frames, threads, options.device.name());
    fmt::print(
        "load            {:8.1f} ms  {:8.0f} frames/s  {:5.1f} GB/s of pixels, {:.0f} % of "
        "copying\n",
        1e3 * seconds[0], frames / seconds[0], rate / 1e9, 100 * rate / copy);
    fmt::print("LZ4 alone       {:8.1f} ms  {:8.0f} frames/s\n", 1e3 * seconds[1],
               frames / seconds[1]);
    fmt::print("load / LZ4      {:8.2f}\n", seconds[0] / seconds[1]);
    fmt::print("resident        {:8.1f} MB, {:.1f} x smaller than float32\n",
               static_cast<double>(memory.resident) / 1e6,
               static_cast<double>(memory.float32) / static_cast<double>(memory.resident));
    return {};
}

std::vector<stem4d::Detector> sixteen_rings(stem4d::Disk const& disk, std::array<index, 2> shape) {
    std::vector<stem4d::Detector> rings;
    double const reach = static_cast<double>(std::min(shape[0], shape[1])) / 2;
    for (int i = 0; i < 16; ++i) {
        stem4d::Detector d;
        d.name = fmt::format("ring {}", i);
        d.shape = stem4d::Detector::Shape::annulus;
        d.center = disk.center;
        d.inner = reach * i / 16 + (i > 0 ? 1e-3 : 0);
        d.outer = reach * (i + 1) / 16;
        rings.push_back(d);
    }
    return rings;
}

// Sixteen wide annuli that look at much the same pixels, as a gallery of detectors does.
std::vector<stem4d::Detector> sixteen_annuli(stem4d::Disk const& disk, std::array<index, 2> shape) {
    std::vector<stem4d::Detector> annuli;
    double const reach = static_cast<double>(std::min(shape[0], shape[1])) / 2;
    for (int i = 0; i < 16; ++i) {
        stem4d::Detector d;
        d.name = fmt::format("annulus {}", i);
        d.shape = stem4d::Detector::Shape::annulus;
        d.center = disk.center;
        d.inner = reach * (0.35 + 0.01 * i);
        d.outer = reach * (0.80 + 0.01 * i);
        annuli.push_back(d);
    }
    return annuli;
}

Status run_virtual(Command const& c) {
    SLUICE_TRY(LoadOptions const load, c.data.load_options(1));
    SLUICE_TRY(Dataset dataset, open_one(c.data));
    index const frames = dataset.frames;
    SLUICE_TRY(Scan const scan, Scan::load(std::move(dataset), load));
    stem4d::Options options;
    SLUICE_TRY(options.device, c.data.chosen_device());
    SLUICE_TRY(options.disk, stem4d::find_disk(scan));
    std::vector<stem4d::Detector> detectors;
    for (std::string const& text : c.detectors) {
        SLUICE_TRY(stem4d::Detector d, stem4d::parse_detector(text));
        detectors.push_back(std::move(d));
    }
    auto const rings = sixteen_rings(*options.disk, scan.detector_shape());
    auto const annuli = sixteen_annuli(*options.disk, scan.detector_shape());
    stem4d::VirtualImages last;
    stem4d::CenterOfMass com;
    stem4d::DiffractionPattern pattern;
    auto const images = [&](std::span<stem4d::Detector const> which) -> Status {
        SLUICE_TRY(last, stem4d::virtual_image(scan, which, options));
        return {};
    };
    std::vector<Job> jobs;
    std::vector<std::uint64_t> bytes;
    for (stem4d::Detector const& d : detectors) {
        jobs.push_back({d.name, [&, which = &d] { return images({which, 1}); }});
        SLUICE_TRY(std::uint64_t const b, stem4d::touched_bytes(scan, d, *options.disk));
        bytes.push_back(b);
    }
    jobs.push_back({"one ring of sixteen", [&] { return images(std::span(rings).subspan(8, 1)); }});
    jobs.push_back({"sixteen rings", [&] { return images(rings); }});
    jobs.push_back(
        {"one annulus of sixteen", [&] { return images(std::span(annuli).subspan(8, 1)); }});
    jobs.push_back({"sixteen annuli", [&] { return images(annuli); }});
    jobs.push_back({"center of mass", [&]() -> Status {
                        SLUICE_TRY(com, stem4d::center_of_mass(scan, {}, options));
                        return {};
                    }});
    jobs.push_back({"mean pattern", [&]() -> Status {
                        SLUICE_TRY(pattern, stem4d::diffraction_pattern(scan, stem4d::Pattern::mean,
                                                                        {}, options));
                        return {};
                    }});
    Json ready{{"frames", frames},
               {"threads", options.device.threads()},
               {"device", options.device.name()},
               {"layout", scan.layout()},
               {"disk", {options.disk->center.row, options.disk->center.col, options.disk->radius}},
               {"touched_bytes", bytes},
               {"resident_bytes", scan.memory().resident},
               {"float32_bytes", scan.memory().float32},
               {"read_bandwidth", stream::read_bandwidth(options.device.threads())}};
    if (!c.out.empty()) {
        // The answers, for whoever compares them before timing anything.
        SLUICE_CHECK(images(detectors));
        SLUICE_CHECK(save_npy(c.out + "_images.npy", last.values));
        SLUICE_TRY(com, stem4d::center_of_mass(scan, {}, options));
        SLUICE_CHECK(save_npy(c.out + "_com_row.npy", com.row));
        SLUICE_CHECK(save_npy(c.out + "_com_col.npy", com.col));
        std::vector<float> masks;
        for (stem4d::Detector const& d : detectors) {
            SLUICE_TRY(Array<float> const m, stem4d::rasterize(scan, d, *options.disk));
            masks.insert(masks.end(), m.values.begin(), m.values.end());
        }
        SLUICE_CHECK(save_npy(c.out + "_masks.npy",
                              Array<float>{{std::ssize(detectors), scan.detector_shape()[0],
                                            scan.detector_shape()[1]},
                                           masks}));
    }
    if (c.serve) return serve(jobs, ready);
    SLUICE_TRY(auto const seconds, time_jobs(jobs, c.rounds));
    if (c.json) {
        for (std::size_t j = 0; j < jobs.size(); ++j) ready["seconds"][jobs[j].name] = seconds[j];
        fmt::print("{}\n", text_of(ready));
        return {};
    }
    double const bandwidth = ready["read_bandwidth"].get<double>();
    fmt::print("{} frames on {} threads, {}, {}; this machine reads {:.1f} GB/s\n", frames,
               options.device.threads(), options.device.name(), scan.layout(), bandwidth / 1e9);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        fmt::print("{:<24} {:8.2f} ms  {:10.0f} frames/s", jobs[j].name, 1e3 * seconds[j],
                   static_cast<double>(frames) / seconds[j]);
        if (j < bytes.size()) {
            double const rate = static_cast<double>(bytes[j]) / seconds[j];
            fmt::print("  {:7.1f} MB touched, {:5.1f} GB/s, {:3.0f} % of reading",
                       static_cast<double>(bytes[j]) / 1e6, rate / 1e9, 100 * rate / bandwidth);
        }
        fmt::print("\n");
    }
    return {};
}

// A virtual detector straight from the files, beside LZ4's time for the blocks it touches.
Status run_stream(Command const& c) {
    SLUICE_TRY(LoadOptions load, c.data.load_options(1));
    load.residency = Residency::stream;
    SLUICE_TRY(Dataset dataset, open_one(c.data));
    SLUICE_TRY(stream::DecodeFloor const floor, stream::DecodeFloor::read(dataset));
    SLUICE_TRY(Scan const scan, Scan::load(std::move(dataset), load));
    stem4d::Options options;
    SLUICE_TRY(options.device, c.data.chosen_device());
    SLUICE_TRY(options.disk, stem4d::find_disk(scan));
    auto const frames = static_cast<double>(scan.dataset().frames);
    Json out = Json::array();
    for (std::string const& text : c.detectors) {
        SLUICE_TRY(stem4d::Detector const d, stem4d::parse_detector(text));
        SLUICE_TRY(Array<float> const mask, stem4d::rasterize(scan, d, *options.disk));
        index first = scan.detector_shape()[0], last = 0;
        for (index i = 0; i < mask.size(); ++i)
            if (mask.values[static_cast<std::size_t>(i)] != 0) {
                first = std::min(first, i / mask.shape[1]);
                last = std::max(last, i / mask.shape[1] + 1);
            }
        std::vector<Job> const jobs{{"stream",
                                     [&]() -> Status {
                                         SLUICE_TRY([[maybe_unused]] auto const r,
                                                    stem4d::virtual_image(scan, {&d, 1}, options));
                                         return {};
                                     }},
                                    {"floor", [&]() -> Status {
                                         SLUICE_TRY(
                                             [[maybe_unused]] double const s,
                                             floor.seconds(first, last, options.device.threads()));
                                         return {};
                                     }}};
        SLUICE_TRY(auto const seconds, time_jobs(jobs, c.rounds));
        out.push_back(
            {{"detector", d.name}, {"seconds", seconds[0]}, {"floor_seconds", seconds[1]}});
        if (!c.json)
            fmt::print(
                "{:<24} {:8.1f} ms  {:8.0f} frames/s; LZ4 of the touched blocks {:8.0f} frames/s; "
                "{:.2f} of it\n",
                d.name, 1e3 * seconds[0], frames / seconds[0], frames / seconds[1],
                seconds[1] / seconds[0]);
    }
    if (c.json) fmt::print("{}\n", text_of(out));
    return {};
}

void add(CLI::App& bench, char const* name, char const* title, bool with_detectors,
         Status (*run)(Command const&), int& exit_code) {
    CLI::App* const app = bench.add_subcommand(name, title);
    auto const c = std::make_shared<Command>();
    c->detectors = {"disk:r=20", "annulus:r=40..90"};
    c->data.add_opening(*app);
    c->data.add_loading(*app);
    c->data.add_device(*app);
    if (with_detectors) {
        app->add_option("--detector", c->detectors, "as for virtual-image")->capture_default_str();
        app->add_option("--answers", c->out, "save results, masks and moments as PREFIX_*.npy");
    }
    app->add_option("--rounds", c->rounds, "rounds of which the median is told")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app->add_flag("--json", c->json, "print JSON");
    app->add_flag("--serve", c->serve, "run the jobs named on stdin, one by one");
    app->footer(fmt::format("Example:\n  sluice bench {} scan_master.h5", name));
    app->callback([c, run, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace

void add_bench(CLI::App& parent, int& exit_code) {
    CLI::App* const bench = parent.add_subcommand("bench", "measures this machine and these files");
    bench->require_subcommand(1);
    bench->footer(
        "Examples:\n"
        "  sluice bench load scan_master.h5\n"
        "  sluice bench virtual scan_master.h5 --detector bf\n"
        "  sluice bench stream scan_master.h5 --rounds 3");
    add(*bench, "load", "loading, beside LZ4's own time for the same blocks", false, run_load,
        exit_code);
    add(*bench, "virtual", "analyses in memory, beside the memory's bandwidth", true, run_virtual,
        exit_code);
    add(*bench, "stream", "virtual detectors straight from the files", true, run_stream, exit_code);
}

}  // namespace sluice::cli
