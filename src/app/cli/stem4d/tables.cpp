// `sluice stem4d tables`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/data_options.h"
#include "domain/stem4d/parse_places.h"
#include "sluice/stem4d_series.h"
#include "sluice/stem4d_tables.h"

namespace sluice::cli {
namespace {

struct Command {
    DataOptions data;
    std::string center, out;
};

Json json_of(stem4d::TablesMade const& made) {
    Json j{{"file", made.file}, {"bytes", made.bytes}, {"patterns", made.patterns}};
    j["center"] = made.center ? Json{made.center->row, made.center->col} : Json();
    j["notes"] = made.notes;
    return j;
}

void print(stem4d::TablesMade const& made) {
    say("{} ({:.3g} MB)\n", made.file, static_cast<double>(made.bytes) / 1e6);
    if (made.center) say("rings about row {:g}, column {:g}\n", made.center->row, made.center->col);
    for (std::string const& note : made.notes) say("note: {}\n", note);
}

Status run(Command& c) {
    SLUICE_TRY(Series series, c.data.open());
    if (!c.out.empty() && series.members.size() > 1)
        return Error{Code::invalid_argument,
                     fmt::format("--out names one file, and there are {} scans; leave it out, and "
                                 "each has its file beside it",
                                 series.members.size())};
    stem4d::TablesOptions options;
    options.out = c.out;
    if (!c.center.empty()) {
        SLUICE_TRY(options.center, stem4d::parse_center(c.center));
    }
    stem4d::SeriesWork how;
    SLUICE_CHECK(c.data.expect_processor());
    SLUICE_TRY(how.load, c.data.load_options(1));
    how.load.residency = Residency::stream;
    how.load.tables = Tables::none;
    SLUICE_TRY(how.load.trace, c.data.common.trace.on(how.load.device.threads()));
    how.compute.device = options.device = how.load.device;
    options.trace = how.load.trace;
    std::optional<ProgressBar> bar;
    how.progress = [&](index, index) {
        bar.reset();
        bar.emplace("reading");
        return bar->callback();
    };
    how.warn = [](std::string const& text) { say(stderr, "sluice: warning: {}\n", text); };
    Json all = Json::array();
    std::vector<std::string> files;
    SLUICE_CHECK(for_each_scan(std::move(series), how, [&](stem4d::Member const& member) -> Status {
        options.progress = member.options.progress;
        SLUICE_TRY(stem4d::TablesMade const made, stem4d::tables(member.scan, options));
        bar.reset();
        files.push_back(made.file);
        all.push_back(json_of(made));
        if (!c.data.common.json) print(made);
        return {};
    }));
    SLUICE_CHECK(c.data.common.trace.save("unit", files));
    if (!c.data.common.json) return {};
    Json report;
    report["tables"] = all;
    say("{}\n", text_of(report));
    return {};
}

}  // namespace

void add_tables(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand(
        "tables", "a file of sums beside a scan, for answers without its frames");
    auto const c = std::make_shared<Command>();
    c->data.add(*app);
    app->add_option("--center", c->center,
                    "of the rings, ROW:COL of the full, unbinned detector [the disk's]");
    app->add_option("--out", c->out, "the file [SCAN.sluice-tables, beside the scan]");
    CommonUse use = DataOptions::use();
    use.trace = applies();
    c->data.common.add(*app, use);
    app->footer(
        "Virtual images of disks and annuli of whole radii about that centre, centres of mass of\n"
        "the whole detector and mean patterns then come from the file, bit by bit the same, as\n"
        "long as the scan, its masks and bins stay as they were; --tables none does without.\n"
        "\n"
        "Examples:\n"
        "  sluice stem4d tables scan_master.h5\n"
        "  sluice stem4d tables scan_master.h5 --center 95.5:96 --hot-pixels\n"
        "  sluice stem4d tables /read/only/scan_master.h5 --out here.sluice-tables\n"
        "  sluice stem4d virtual-image /read/only/scan_master.h5 --tables-file "
        "here.sluice-tables --out images");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
