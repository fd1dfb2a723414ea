// `sluice doctor`: what this machine can do, and what is wrong with it.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/doctor.h"

#include <fmt/format.h>

#include <memory>

#include "app/cli/command.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "bench/machine.h"
#include "doctor/amounts.h"

namespace sluice::cli {
namespace {

struct Command {
    ExamineOptions options;
    CommonOptions common;
};

Json to_json(MachineRow const& row) {
    Json j{{"part", row.part}, {"name", row.name},          {"text", row.text},
           {"value", nullptr}, {"unit", row.unit},          {"expected", nullptr},
           {"rule", row.rule}, {"not_taken", row.not_taken}};
    if (row.value) j["value"] = *row.value;
    if (row.expected) j["expected"] = *row.expected;
    if (row.spread.max > 0)
        j["spread"] = {{"min", row.spread.min},
                       {"lower_quartile", row.spread.lower_quartile},
                       {"median", row.spread.median},
                       {"upper_quartile", row.spread.upper_quartile},
                       {"max", row.spread.max}};
    return j;
}

Json to_json(Examination const& found) {
    Json j{{"machine", bench::machine(found.facts.folder)},
           {"quick", found.quick},
           {"seconds", found.seconds},
           {"rows", Json::array()},
           {"findings", Json::array()}};
    for (MachineRow const& row : found.rows) j["rows"].push_back(to_json(row));
    for (Finding const& f : found.findings)
        j["findings"].push_back(
            {{"rule", f.rule}, {"text", f.text}, {"advice", f.advice}, {"evidence", f.evidence}});
    return j;
}

// "at least 19.2 GB/s: half of one channel"
std::string expectation(MachineRow const& row) {
    if (!row.expected) return row.rule;
    bool const bytes = row.unit == "B" || row.unit == "B/s" || row.unit == "FLOP/s" ||
                       row.unit == "steps/s" || row.unit == "pages/s" || row.unit == "reads/s";
    std::string const least =
        bytes ? doctor::amount(*row.expected, row.unit) : fmt::format("{:.3g}", *row.expected);
    return fmt::format("at least {}: {}", least, row.rule);
}

void print(Examination const& found) {
    std::string part;
    for (MachineRow const& row : found.rows) {
        if (row.part != part) say("{}{}\n", part.empty() ? "" : "\n", row.part);
        part = row.part;
        std::string const value = row.text.empty() ? std::string("not taken") : row.text;
        say("  {:<42} {:<16} {}\n", row.name, value, expectation(row));
        if (!row.not_taken.empty()) say("  {:<42} {}\n", "", row.not_taken);
    }
    say("\n");
    if (found.findings.empty()) say("Nothing is wrong that these rules know.\n");
    for (Finding const& f : found.findings)
        say("* {} {}\n  (rule \"{}\": {})\n", f.text, f.advice, f.rule, f.evidence);
    say("{} rows and {} in {:.1f} s.\n", found.rows.size(),
        plural(found.findings.size(), "finding"), found.seconds);
}

Status run(Command& c) {
    ProgressBar bar("measuring this machine", ProgressBar::Counts::steps);
    c.options.progress = bar.callback();
    SLUICE_TRY(Examination const found, examine(c.options));
    bar.clear();
    if (c.common.json)
        say("{}\n", text_of(to_json(found)));
    else
        print(found);
    return {};
}

}  // namespace

void add_doctor(Verb const& program, int& exit_code) {
    Verb const app = program.add_subcommand(
        "doctor", "what this machine can do, what is wrong with it, and what to do");
    auto const c = std::make_shared<Command>();
    app->add_flag("--quick", c->options.quick, "in seconds: fewer and shorter rounds");
    app->add_option("--folder", c->options.folder, "on the disk to measure; nothing is left there")
        ->capture_default_str();
    c->common.add(*app, {.threads = refused("measures one thread and all"),
                         .device = refused("measures every device that is there"),
                         .json = applies(),
                         .memory_limit = refused("takes an eighth of the free memory at most"),
                         .trace = refused("notes no steps")});
    app->footer(
        "It exits with 0, whatever it finds. A rate that other programs disturbed is marked, and\n"
        "no rule judges it.\n"
        "Examples:\n"
        "  sluice doctor\n"
        "  sluice doctor --quick --json\n"
        "  sluice doctor --folder /data");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
