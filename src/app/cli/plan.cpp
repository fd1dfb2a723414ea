// `sluice plan`: whether work fits into this machine, and how long it takes.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/plan_devices.h"
#include "app/cli/plan_tasks.h"
#include "app/cli/ptychography/options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "doctor/amounts.h"
#include "domain/conversion/fields.h"
#include "domain/ptychography/settings/input_fields.h"
#include "format/synthetic/options.h"
#include "planning/words.h"

namespace sluice::cli {
namespace {

struct Command {
    DataOptions data;
    PtychographyCommand ptychography;  // of which only settings and geometry are used
    PlanTask task = PlanTask::load;
    std::vector<std::string> detectors = {"bf"};
    std::string folder;
    CrystalPlanning crystal;
    stem4d::ScanConvertOptions convert;
    DosePlanning dose;
    SongPlanning song;
    SyntheticOptions simulated;  // a scan that is not there
    bool memory_only = false;
    bool devices = false;
};

// "512x512x192x192" as (scan rows, columns, detector rows, columns).
bool read_size(std::string const& text, ScanSize& size) {
    std::size_t const middle = text.find('x', text.find('x') + 1);
    if (text.find_first_not_of("0123456789x") != text.npos || middle == text.npos) return false;
    return synthetic::read_shape({"size"}, text.substr(0, middle), size.scan) &&
           synthetic::read_shape({"size"}, text.substr(middle + 1), size.detector);
}

Result<PlanOptions> options_of(Command& c) {
    PlanOptions o;
    o.task = c.task;
    SLUICE_TRY(o.load, c.data.load_options(1));
    if (c.task == PlanTask::images)
        for (std::string const& text : c.detectors) {
            SLUICE_TRY(auto detector, stem4d::parse_detector(text));
            o.detectors.push_back(std::move(detector));
        }
    if (c.task == PlanTask::disks || c.task == PlanTask::strain || c.task == PlanTask::orientation)
        SLUICE_CHECK(c.crystal.read(c.task, c.data, c.ptychography.patterns.kilovolts));
    o.crystal = c.crystal.crystal;
    o.convert = c.convert;
    o.folder = c.folder;
    SLUICE_CHECK(c.ptychography.read_settings());
    o.patterns = c.ptychography.patterns;
    o.ptychography = c.ptychography.options;
    o.ptychography.device = o.load.device;
    o.measure = !c.memory_only;
    return o;
}

// Seconds since the program was started; its 22nd word of /proc/self/stat counts ticks since boot.
double since_start() {
    std::ifstream file("/proc/self/stat");
    std::string word;
    for (int i = 0; i < 21; ++i) file >> word;
    double ticks = 0;
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    if (!(file >> ticks)) return 0;
    double const s = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
                     ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return std::max(0.0, s);
}

// Commands do more than the work that is planned.
void tell_what_comes_on_top(WorkPlan& plan) {
    if (!plan.time || plan.task == PlanTask::load || plan.task == PlanTask::convert) return;
    // Maps of orientations are many; their time is a step of the plan.
    if (plan.task == PlanTask::orientation && plan.steps.back().basis.starts_with("writing"))
        return;
    plan.notes.emplace_back(
        "writing the results and drawing pictures is not in the time: some tenths of a second, "
        "which count where the work takes not much more");
}

Result<WorkPlan> plan_of(Command& c, Progress progress) {
    if (c.data.paths.size() != 1)
        return Error{Code::invalid_argument, "a plan is of one scan; name one file"};
    PlanRun const run{!c.memory_only, since_start(), progress};
    if (c.task == PlanTask::dose || c.task == PlanTask::separate) {
        SLUICE_TRY(Device const device, c.data.common.chosen_device());
        int const threads = c.data.common.threads;
        return c.task == PlanTask::dose ? c.dose.plan(c.data.paths[0], device, threads, run)
                                        : c.song.plan(c.data.paths[0], device, threads, run);
    }
    SLUICE_TRY(PlanOptions options, options_of(c));
    options.progress = std::move(progress);
    ScanSize size;
    size.dtype = c.simulated.dtype;
    size.dose = c.simulated.dose;
    if (read_size(c.data.paths[0], size)) {
        std::string const folder =
            c.folder.empty() ? std::filesystem::temp_directory_path().string() : c.folder;
        return plan_work(size, folder, options);
    }
    SLUICE_TRY(OpenOptions const open, c.data.open_options());
    SLUICE_TRY(Dataset dataset, sluice::open(c.data.paths[0], open));
    options.begun_s = since_start();
    return plan_work(std::move(dataset), options);
}

Json to_json(PlanMemory const& m) {
    return {{"name", m.name}, {"bytes", m.bytes}, {"basis", m.basis}, {"fits", m.fits}};
}
Json to_json(PlanTime const& t) {
    return {{"s", t.s}, {"low_s", t.low_s}, {"high_s", t.high_s}, {"basis", t.basis}};
}

Json to_json(PlanFlow const& f) {
    return {{"name", f.name}, {"bytes", f.bytes}, {"bytes_per_s", f.per_s},
            {"s", f.s},       {"basis", f.basis}, {"not_taken", f.not_taken}};
}

Json to_json(WorkPlan const& p) {
    Json j{{"task", config::word_of(p.task)},
           {"subject", p.subject},
           {"layout", p.layout},
           {"peak_bytes", p.peak},
           {"available_bytes", p.available},
           {"fits", p.fits},
           {"passes", p.passes},
           {"time", nullptr},
           {"forms", Json::array()},
           {"parts", Json::array()},
           {"steps", Json::array()},
           {"flows", Json::array()},
           {"bottlenecks", p.bottlenecks},
           {"advice", p.advice},
           {"notes", p.notes}};
    if (p.time) j["time"] = to_json(*p.time);
    for (PlanMemory const& m : p.forms) j["forms"].push_back(to_json(m));
    for (PlanMemory const& m : p.parts) j["parts"].push_back(to_json(m));
    for (PlanTime const& t : p.steps) j["steps"].push_back(to_json(t));
    for (PlanFlow const& f : p.flows) j["flows"].push_back(to_json(f));
    return j;
}

std::string time_text(PlanTime const& t) {
    return fmt::format("{:.3g} s, {:.3g} to {:.3g} s", t.s, t.low_s, t.high_s);
}

void print_flows(WorkPlan const& p) {
    if (p.flows.empty()) return;
    say("\nthe way of the data, each step by itself\n");
    for (PlanFlow const& f : p.flows) {
        std::string const rate = f.per_s > 0 ? doctor::amount(f.per_s, "B/s") : std::string();
        if (f.not_taken.empty())
            say("  {:<32} {:>9.3g} s  {:>10}  {}\n", f.name, f.s, rate, f.basis);
        else
            say("  {:<32} {}\n", f.name, f.not_taken);
    }
    for (std::string const& text : p.bottlenecks) say("  {}\n", text);
}

void print(WorkPlan const& p) {
    using doctor::bytes_text;
    say("{}: {}\n", config::word_of(p.task), p.subject);
    if (!p.forms.empty()) say("\nthe scan as\n");
    for (PlanMemory const& m : p.forms)
        say("  {:<32} {:>9}  {:<9} {}\n", m.name, bytes_text(m.bytes),
            m.fits ? "fits" : "too large", m.basis);
    say("\nthe peak of the work\n");
    for (PlanMemory const& m : p.parts)
        say("  {:<32} {:>9}  {}\n", m.name, bytes_text(m.bytes), m.basis);
    say("  {:<32} {:>9}  {} ({} are free)\n", "all", bytes_text(p.peak),
        p.fits ? "fits" : "is too large", bytes_text(p.available));
    if (p.time) {
        say("\ntime\n");
        for (PlanTime const& t : p.steps) say("  {:<32} {}\n", time_text(t), t.basis);
        say("  {:<32} all, in {} over the files\n", time_text(*p.time),
            p.passes == 1 ? "one pass" : fmt::format("{} passes", p.passes));
    }
    print_flows(p);
    say("\n");
    for (std::string const& n : p.notes) say("note: {}\n", n);
    for (std::string const& a : p.advice) say("* {}\n", a);
}

Status run(Command& c) {
    ProgressBar bar("measuring", ProgressBar::Counts::steps);
    SLUICE_TRY(WorkPlan p, plan_of(c, bar.callback()));
    tell_what_comes_on_top(p);
    bar.clear();
    if (c.data.common.json) {
        Json j = to_json(p);
        if (c.devices) j["devices"] = devices_to_json(p);
        say("{}\n", text_of(j));
        return {};
    }
    print(p);
    if (c.devices) print_devices(p);
    return {};
}

}  // namespace

void add_plan(Verb const& program, int& exit_code) {
    Verb const app = program.add_subcommand(
        "plan", "whether work fits into this machine, and how long it takes");
    auto const c = std::make_shared<Command>();
    c->data.add(*app);
    c->data.add_detector_step(*app);
    app->add_word("--task", c->task, "what is to be done");
    app->add_option("--detector", c->detectors, "of images: as `stem4d virtual-image` takes them")
        ->capture_default_str();
    app->add_flag("--memory-only", c->memory_only, "measure nothing: no time is told");
    app->add_flag("--devices", c->devices,
                  "also which GPUs hold it, and estimates of how long it takes there");
    for (char const* const name : {"dtype", "dose"})
        app->add_field(*config::find_field(synthetic::fields(), name), c->simulated);
    app->add_option("--folder", c->folder,
                    "where samples are written, and removed: of a scan that is not there, and of "
                    "conversions [the system's temporary folder]");
    c->crystal.add(app);
    for (auto const& field : stem4d::convert_fields())
        if (field.name == "to" || field.name == "codec" || field.name == "verify")
            app->add_field(field, c->convert);
    c->dose.add(app);
    c->song.add(app);
    app->add_fields(ptycho::pattern_fields(), c->ptychography.patterns);
    c->ptychography.add_settings(app);
    CommonUse use = DataOptions::use();
    use.trace = refused("notes no steps");
    c->data.common.add(*app, use);
    app->footer(
        "ROWSxCOLUMNSxROWSxCOLUMNS, of the scan and of the detector, instead of a file plans a "
        "scan\n"
        "that is not there: a simulated sample (--dtype, --dose) is measured.\n"
        "The bar of a time is at least a quarter to both sides; rates are measured on five bands "
        "of\n"
        "the data. --task dose is of a plan of spots (--ct), --task separate of a song, or of\n"
        "seconds as in 240s (--model).\n"
        "Examples:\n"
        "  sluice plan scan_master.h5\n"
        "  sluice plan scan_master.h5 --task images --detector bf --detector adf\n"
        "  sluice plan 512x512x192x192 --dose 5000\n"
        "  sluice plan scan_master.h5 --task ptychography --energy 300 --modes 4 --iterations 50\n"
        "  sluice plan 512x512x256x256 --task ptychography --energy 300 --memory-only --devices\n"
        "  sluice plan scan_master.h5 --task strain\n"
        "  sluice plan scan_master.h5 --task orientation --crystal Au.cif --energy 200\n"
        "  sluice plan scan.mib --task convert --format nxmx --folder /data\n"
        "  sluice plan spots.csv --task dose --ct ct.mha --machine machine.toml\n"
        "  sluice plan song.flac --task separate --model model.ckpt");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
