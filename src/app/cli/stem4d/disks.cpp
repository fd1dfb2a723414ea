// `sluice stem4d disks`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/results.h"
#include "app/cli/stem4d/template_options.h"
#include "domain/crystal/fields.h"

namespace sluice::cli {
namespace {

using stem4d::BraggVectors;
using stem4d::DiskReason;

constexpr std::size_t reasons = 8;  // of DiskReason

struct Command {
    DataOptions data;
    TemplateSource source;
    stem4d::DiskOptions disks;
    std::string out;
    bool force = false;
};

/// What was made, before it is written and told.
struct DisksMade {
    stem4d::FittedTemplate probe;
    stem4d::DiskSetup setup;
    BraggVectors vectors;
    std::vector<std::string> notes;
    Json scan;
    double seconds = 0;
};

Status check_out(Command const& c) {
    std::error_code none;
    if (c.force || !std::filesystem::exists(c.out, none)) return {};
    return Error{Code::invalid_argument,
                 "is there already (it would be replaced) give another name, or --force", c.out};
}

Result<DisksMade> find(Command& c) {
    SLUICE_TRY(Series series, c.data.open());
    if (series.members.size() != 1)
        return Error{Code::invalid_argument,
                     fmt::format("disks are found in one acquisition, and these are {}; name one "
                                 "file",
                                 series.members.size())};
    SLUICE_TRY(LoadOptions load, c.data.load_options(1));
    stem4d::Options run;
    SLUICE_TRY(run.device, c.data.common.chosen_device());
    SLUICE_TRY(run.trace, c.data.common.trace.on(run.device.threads()));
    load.trace = run.trace;
    std::optional<ProgressBar> bar;
    load.progress = bar.emplace("reading").callback();
    SLUICE_TRY(Scan const scan, Scan::load(std::move(series.members.front()), load));
    bar.reset();
    double const start = now();
    DisksMade made;
    run.progress = [](auto, auto) { return !interrupted(); };
    SLUICE_TRY(made.probe, c.source.make(scan, c.data, run));
    SLUICE_TRY(made.setup, stem4d::plan_disks(scan, made.probe.probe, c.disks, run));
    bar.emplace("finding disks",
                scan.resident() ? ProgressBar::Counts::steps : ProgressBar::Counts::bytes);
    run.progress = bar->callback();
    SLUICE_TRY(made.vectors, stem4d::find_disks(scan, made.setup, run));
    bar.reset();
    made.seconds = now() - start;
    made.scan = description_of(scan);
    made.notes = scan.notes();
    made.notes.insert(made.notes.end(), made.probe.notes.begin(), made.probe.notes.end());
    for (std::string const& text : scan.warnings())
        fmt::print(stderr, "sluice: warning: {}\n", text);
    return made;
}

std::array<index, reasons> counts_of(BraggVectors const& v) {
    std::array<index, reasons> counts{};
    for (DiskReason const r : v.reason) ++counts[static_cast<std::size_t>(r)];
    return counts;
}

Json json_of(DisksMade const& made, std::vector<std::string> const& files) {
    auto const& [probe, options, background, why] = made.setup;
    Json j;
    j["scan"] = made.scan;
    j["template"] = {
        {"radius", probe.radius},          {"radius_error", made.probe.radius_error},
        {"edge_width", probe.edge_width},  {"edge_width_error", made.probe.edge_width_error},
        {"residual", made.probe.residual}, {"source", probe.source}};
    for (auto const& [name, text] : config::texts_of(options, stem4d::disk_fields()))
        j["options"][name] = text;
    j["background"] = background.size() > 0 ? "shape" : "plane";
    j["why"] = why;
    j["patterns"] = made.vectors.patterns();
    j["disks"] = made.vectors.size();
    auto const counts = counts_of(made.vectors);
    for (std::size_t r = 0; r < reasons; ++r)
        j["reasons"][stem4d::name_of(static_cast<DiskReason>(r))] = counts[r];
    j["notes"] = made.notes;
    j["files"] = files;
    j["seconds"] = made.seconds;
    return j;
}

void print_text(DisksMade const& made, std::vector<std::string> const& files) {
    print_line("template", made.setup.probe.source);
    BraggVectors const& v = made.vectors;
    print_line("disks",
               fmt::format("{} in {} patterns, {:.1f} in each", v.size(), v.patterns(),
                           static_cast<double>(v.size()) / static_cast<double>(v.patterns())));
    auto const counts = counts_of(v);
    for (std::size_t r = 1; r < reasons; ++r)
        if (counts[r] > 0)
            print_line("none in",
                       fmt::format("{} {}: {}", counts[r], counts[r] == 1 ? "pattern" : "patterns",
                                   stem4d::name_of(static_cast<DiskReason>(r))));
    for (std::string const& sentence : made.setup.why) fmt::print("decided: {}\n", sentence);
    for (std::string const& note : made.notes) fmt::print("note: {}\n", note);
    for (std::string const& file : files) fmt::print("{}\n", file);
    fmt::print("{:.2f} s\n", made.seconds);
}

Status run(Command& c) {
    SLUICE_CHECK(c.data.expect_processor());
    SLUICE_CHECK(check_out(c));
    SLUICE_TRY(DisksMade const made, find(c));
    SLUICE_CHECK(stem4d::save_vectors(c.out, made.vectors));
    std::vector<std::string> files = {c.out};
    if (!c.source.save.empty()) files.push_back(c.source.save);
    SLUICE_CHECK(c.data.common.trace.save("unit", files));
    if (c.data.common.json)
        fmt::print("{}\n", text_of(json_of(made, files)));
    else
        print_text(made, files);
    return {};
}

}  // namespace

void add_disks(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("disks", "Bragg disks of every pattern, with errors");
    auto const c = std::make_shared<Command>();
    c->data.add(*app);
    app->add_option("--out", c->out, "file of the disks")->required();
    app->add_flag("--force", c->force, "replace the file if it is there");
    c->source.add(app);
    app->add_fields(stem4d::disk_fields(), c->disks);
    CommonUse use = DataOptions::use();
    use.trace = applies();
    c->data.common.add(app, use);
    app->footer(
        "Examples:\n"
        "  sluice stem4d disks scan_master.h5 --out disks.npy\n"
        "  sluice stem4d disks scan_master.h5 --vacuum vacuum_master.h5 --save-template probe.json "
        "--out disks.npy\n"
        "  sluice stem4d disks scan_master.h5 --template probe.json --stream --out disks.npy\n"
        "  sluice stem4d disks scan_master.h5 --template-radius 8,1.2 --least-score 16 --json "
        "--out "
        "disks.npy");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
