// `sluice stem4d benchmark`: times loading and analyses, beside the floors of this machine.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/cli/shell/benchmark_output.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/data_options.h"
#include "base/plural.h"
#include "bench/machine.h"
#include "bench/serve.h"
#include "device/copy_bandwidth.h"
#include "domain/stem4d/benchmark/contests.h"
#include "domain/stem4d/touched_bytes.h"
#include "store/words.h"

namespace sluice::cli {
namespace {

struct Command {
    DataOptions data;
    std::vector<std::string> detectors;
    std::string out;
    std::string beside;  ///< a layout
    int rounds = 7;
    bool serve = false;
};

/// What is timed, and of what.
struct Subject {
    std::string what;  ///< "load", "virtual" or "stream"
    std::vector<bench::Contestant> all;
    Device device;
    Json facts;
};

Result<Dataset> open_one(DataOptions const& data) {
    SLUICE_TRY(Series series, data.open());
    if (series.members.size() != 1)
        return Error{Code::invalid_argument,
                     fmt::format("a benchmark takes one acquisition, and these are {}; name one "
                                 "file",
                                 series.members.size())};
    return std::move(series.members.front());
}

bench::Layout layout_of(bench::Report const& report) {
    bench::Layout l;
    Json const& s = report.subject;
    l.heading =
        fmt::format("{} on {}, {}\n", plural(s["frames"].get<index>(), "frame"),
                    plural(s["threads"].get<int>(), "thread"), s["device"].get<std::string>());
    l.item = "frame";
    l.columns = {{"frames/s", [](bench::Measured const& m) {
                      return fmt::format("{:.0f}", m.items / m.wall_s());
                  }}};
    if (std::ranges::any_of(report.results, [](auto const& m) { return m.bytes > 0; }))
        l.legend =
            "GB/s: pixels that loading delivers, or bytes in memory that an image has to look at;\n"
            "of copying: beside this machine's speed of copying memory, reads and writes "
            "counted.\n";
    return l;
}

// The numbers that are counted and not timed.
void add_memory(bench::Report& report) {
    for (bench::Measured const& m : report.results)
        if (m.details.contains("resident_bytes")) {
            auto const resident = m.details["resident_bytes"].get<double>();
            report.findings.push_back(
                {"memory",
                 fmt::format("In memory it takes {:.1f} MB, {:.1f} times less than as float32.",
                             resident / 1e6, m.details["float32_bytes"].get<double>() / resident),
                 ""});
        }
}

Status run(Command const& c, Subject subject) {
    bench::Report report;
    report.benchmark = "stem4d " + subject.what;
    report.machine = bench::machine(c.data.paths.front());
    report.settings = {{"rounds", c.rounds}, {"threads", subject.device.threads()}};
    subject.facts["threads"] = subject.device.threads();
    subject.facts["device"] = subject.device.name();
    report.subject = subject.facts;
    report.copy_bandwidth = copy_bandwidth(subject.device);
    if (c.serve) {
        Json ready = report.subject;
        ready["copy_bandwidth"] = report.copy_bandwidth.value_or(0);
        return bench::serve(subject.all, ready, std::cin, std::cout);
    }
    ProgressBar progress("measuring", ProgressBar::Counts::steps);
    SLUICE_CHECK(bench::measure(report, subject.all, {1, c.rounds, progress.callback()}));
    bench::add_doubts(report);
    for (Finding& f : stem4d::ratios(report.results)) report.findings.push_back(std::move(f));
    add_memory(report);
    print(report, layout_of(report), c.data.common.json);
    return {};
}

Status run_load(Command const& c) {
    SLUICE_CHECK(c.data.expect_processor());
    SLUICE_TRY(LoadOptions const options, c.data.load_options(1));
    SLUICE_TRY(Dataset const dataset, open_one(c.data));
    SLUICE_TRY(auto all, stem4d::load_contestants([&] { return open_one(c.data); }, options));
    return run(c, {"load",
                   std::move(all),
                   options.device,
                   {{"frames", dataset.frames}, {"source_bytes", dataset.bytes()}}});
}

Result<std::vector<stem4d::Detector>> detectors_of(Command const& c) {
    std::vector<stem4d::Detector> detectors;
    for (std::string const& text : c.detectors) {
        SLUICE_TRY(stem4d::Detector d, stem4d::parse_detector(text));
        detectors.push_back(std::move(d));
    }
    return detectors;
}

// The answers, to be compared with those of other programs before anything is timed.
Status save_answers(std::string const& prefix, Scan const& scan,
                    std::vector<stem4d::Detector> const& detectors,
                    stem4d::Options const& options) {
    SLUICE_TRY(auto const images, stem4d::virtual_image(scan, detectors, options));
    SLUICE_CHECK(save_npy(prefix + "_images.npy", images.values));
    SLUICE_TRY(auto const com, stem4d::center_of_mass(scan, {}, options));
    SLUICE_CHECK(save_npy(prefix + "_com_row.npy", com.row));
    SLUICE_CHECK(save_npy(prefix + "_com_col.npy", com.col));
    for (auto const kind : {stem4d::Pattern::sum, stem4d::Pattern::variance}) {
        SLUICE_TRY(auto const pattern, stem4d::diffraction_pattern(scan, kind, {}, options));
        char const* const name = kind == stem4d::Pattern::sum ? "_sum.npy" : "_variance.npy";
        SLUICE_CHECK(save_npy(prefix + name, pattern.values));
    }
    std::vector<float> masks;
    for (stem4d::Detector const& d : detectors) {
        SLUICE_TRY(Array<float> const m, stem4d::rasterize(scan, d, *options.disk));
        masks.insert(masks.end(), m.values.begin(), m.values.end());
    }
    auto const [rows, cols] = scan.detector_shape();
    return save_npy(prefix + "_masks.npy",
                    Array<float>{{std::ssize(detectors), rows, cols}, masks});
}

// The same scan in another layout; questions to both take turns.
Result<Scan> load_beside(Command const& c, LoadOptions const& load) {
    SLUICE_TRY(Dataset dataset, open_one(c.data));
    return Scan::load(std::move(dataset), load);
}

Status run_virtual(Command const& c) {
    SLUICE_TRY(LoadOptions const load, c.data.load_options(1));
    LoadOptions beside = load;
    if (!c.beside.empty()) {
        SLUICE_TRY(beside.layout, config::read_word<Layout>("--beside", c.beside));
    }
    SLUICE_TRY(Dataset dataset, open_one(c.data));
    SLUICE_TRY(Scan const scan, Scan::load(std::move(dataset), load));
    SLUICE_CHECK(stem4d::expect_in_memory(scan));
    stem4d::Options options;
    SLUICE_TRY(options.device, c.data.common.chosen_device());
    SLUICE_TRY(options.disk, stem4d::find_disk(scan));
    SLUICE_TRY(auto const detectors, detectors_of(c));
    if (!c.out.empty()) SLUICE_CHECK(save_answers(c.out, scan, detectors, options));
    SLUICE_TRY(auto all, stem4d::memory_contestants(scan, detectors, options));
    std::optional<Scan> other;
    if (!c.beside.empty()) {
        SLUICE_TRY(other, load_beside(c, beside));
        SLUICE_CHECK(stem4d::expect_in_memory(*other));
        all = stem4d::layout_contestants(scan, *other, detectors, options);
    }
    stem4d::Disk const& disk = *options.disk;
    Json facts{{"frames", scan.dataset().frames},
               {"layout", scan.layout()},
               {"disk", {disk.center.row, disk.center.col, disk.radius}},
               {"touched_bytes", Json::array()},
               {"resident_bytes", scan.memory().resident},
               {"float32_bytes", scan.memory().float32}};
    if (other)
        facts["beside"] = {{"layout", other->layout()},
                           {"resident_bytes", other->memory().resident}};
    for (stem4d::Detector const& d : detectors) {
        SLUICE_TRY(std::uint64_t const bytes, stem4d::touched_bytes(scan, d, disk));
        facts["touched_bytes"].push_back(static_cast<double>(bytes));
    }
    return run(c, {"virtual", std::move(all), options.device, std::move(facts)});
}

Status run_stream(Command const& c) {
    SLUICE_TRY(LoadOptions load, c.data.load_options(1));
    load.residency = Residency::stream;
    SLUICE_TRY(Dataset dataset, open_one(c.data));
    SLUICE_TRY(stem4d::DecodeFloor const floor, stem4d::DecodeFloor::read(dataset));
    SLUICE_TRY(Scan const scan, Scan::load(std::move(dataset), load));
    stem4d::Options options;
    SLUICE_TRY(options.device, c.data.common.chosen_device());
    SLUICE_TRY(options.disk, stem4d::find_disk(scan));
    SLUICE_TRY(auto const detectors, detectors_of(c));
    SLUICE_TRY(auto all, stem4d::stream_contestants(scan, floor, detectors, options));
    return run(c, {"stream", std::move(all), options.device, {{"frames", scan.dataset().frames}}});
}

void add(Verb const& bench, char const* name, char const* title, bool with_detectors,
         Status (*run)(Command const&), int& exit_code) {
    Verb const app = bench.add_subcommand(name, title);
    auto const c = std::make_shared<Command>();
    c->detectors = {"disk:r=20", "annulus:r=40..90"};
    c->data.add(*app);
    if (with_detectors) {
        app->add_option("--detector", c->detectors, "as for virtual-image")->capture_default_str();
        c->data.add_detector_step(*app);
    }
    if (std::string_view(name) == "virtual") {
        app->add_option("--beside", c->beside,
                        "only questions to the scan in this layout and in --layout, in turns");
        app->add_option("--answers", c->out, "save results, masks and moments as PREFIX_*.npy");
    }
    app->add_option("--rounds", c->rounds, "rounds, of which the median is told")
        ->check(in_range(1, 1000))
        ->capture_default_str();
    CommonUse use = DataOptions::use();
    use.trace = refused("notes no steps; the verbs that it times do");
    c->data.common.add(*app, use);
    app->add_flag("--serve", c->serve, "run the jobs named on stdin, one by one");
    app->footer(fmt::format("Example:\n  sluice stem4d benchmark {} scan_master.h5", name));
    app->callback([c, run, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace

void add_stem4d_benchmark(Verb const& parent, int& exit_code) {
    Verb const bench =
        parent.add_subcommand("benchmark", "how long loading and analyses take on this machine");
    bench->require_subcommand(1);
    bench->footer(
        "Examples:\n"
        "  sluice stem4d benchmark load scan_master.h5\n"
        "  sluice stem4d benchmark virtual scan_master.h5 --detector bf\n"
        "  sluice stem4d benchmark stream scan_master.h5 --rounds 3");
    add(*bench, "load", "loading, beside LZ4's own time for the same blocks", false, run_load,
        exit_code);
    add(*bench, "virtual", "analyses in memory, beside the speed of copying it", true, run_virtual,
        exit_code);
    add(*bench, "stream", "virtual detectors straight from the files, beside LZ4", true, run_stream,
        exit_code);
}

}  // namespace sluice::cli
