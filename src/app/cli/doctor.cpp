// `sluice doctor`: what this machine can do, and what is wrong with it.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/doctor.h"

#include <fmt/format.h>

#include <memory>

#include "app/cli/command.h"
#include "app/cli/page_options.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/view/doctor/examinations.h"
#include "base/plural.h"
#include "doctor/report.h"

namespace sluice::cli {
namespace {

struct Command {
    ExamineOptions options;
    CommonOptions common;
    PageOptions page;
    bool view = false;
};

// "at least 19.2 GB/s: half of one channel"
std::string expectation(MachineRow const& row) {
    return row.expected ? fmt::format("at least {}: {}", row.least, row.rule) : row.rule;
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

Result<Examination> measure(ExamineOptions options) {
    ProgressBar bar("measuring this machine", ProgressBar::Counts::steps);
    options.progress = bar.callback();
    auto found = examine(options);
    bar.clear();
    return found;
}

Status show(Command const& c) {
    auto domain = std::make_unique<app::Examinations>(c.options.folder);
    app::Examinations& page = *domain;
    return serve_page(std::move(domain), c.page, [&]() -> Status {
        SLUICE_TRY(Examination const found, measure(c.options));
        page.show(found);
        return {};
    });
}

Status run(Command const& c) {
    if (c.view && c.common.json)
        return Error{Code::invalid_argument,
                     "--json prints a report and ends, and --view shows it in the browser; leave "
                     "one out"};
    // The browser starts when all is measured: it would be what disturbs.
    if (c.view) return show(c);
    SLUICE_TRY(Examination const found, measure(c.options));
    if (c.common.json)
        say("{}\n", text_of(doctor::report_of(found)));
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
    app->add_flag("--view", c->view,
                  "show what was found in the browser, where it can be measured again");
    c->page.add(*app, "--view");
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
        "  sluice doctor --view --browser\n"
        "  sluice doctor --folder /data");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
