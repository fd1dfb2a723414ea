// `sluice stem4d analyze`.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/analyze_input.h"
#include "app/cli/stem4d/analyze_output.h"
#include "app/cli/stem4d/command.h"

namespace sluice::cli {
namespace {

struct AnalyzeCommand {
    Stem4dJob job;
    std::string config;
    bool example = false, force = false;
};

// Of a scan in memory nothing is read: the bar is that of the disks, which take long.
Result<stem4d::Analyzed> find(Scan const& scan, stem4d::AnalysisPlan const& plan,
                              stem4d::Decided const& decided, stem4d::Options options) {
    std::optional<ProgressBar> bar;
    if (scan.resident() && !plan.disks.empty())
        options.progress = bar.emplace("analyzing", ProgressBar::Counts::steps).callback();
    return stem4d::analyze(scan, plan, decided, options);
}

Status run(AnalyzeCommand& c, std::vector<Verb::Given> const& given) {
    if (c.example) {
        say("{}", stem4d::example_analysis());
        return {};
    }
    if (c.config.empty())
        return Error{Code::invalid_argument,
                     "no configuration is named; name a TOML file (--example prints one)"};
    SLUICE_TRY(stem4d::AnalysisPlan const plan, read_plan(c.config, given, c.job));
    AnalysisOutput out(c.job, plan);
    if (!c.force) SLUICE_CHECK(out.check_files());
    SLUICE_TRY(JobReport report,
               for_each_scan(c.job,
                             [&](Scan const& scan, stem4d::Options const& options, index member,
                                 JobReport& r) -> Status {
                                 stem4d::Options sample = options;
                                 sample.progress = [](auto, auto) { return !interrupted(); };
                                 double const start = now();
                                 SLUICE_TRY(stem4d::Decided const decided,
                                            stem4d::decide_analysis(scan, plan, sample));
                                 double const pass = now();
                                 SLUICE_TRY(stem4d::Analyzed found,
                                            find(scan, plan, decided, options));
                                 r.json["sample_seconds"].push_back(pass - start);
                                 r.json["pass_seconds"].push_back(now() - pass);
                                 return out.add(std::move(found), decided, scan, member, r);
                             }));
    report.json["config"] = c.config;
    return finish(c.job, std::move(out).take(), report);
}

}  // namespace

void add_analyze(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand(
        "analyze", "images, patterns, moments and disks of a TOML file, in one pass");
    auto const c = std::make_shared<AnalyzeCommand>();
    app->add_option("config", c->config, "a TOML file that says what is to be found");
    c->job.add(*app, false);
    app->add_flag("--force", c->force, "replace files of disks that are there");
    app->add_flag("--example", c->example, "print a configuration with comments, and end");
    app->footer(
        "A configuration has a table for each command, with its options as keys:\n"
        "  scan = \"scan_master.h5\"\n"
        "  [virtual_image]\n"
        "  detector = [\"bf\", \"adf\"]\n"
        "  [diffraction_pattern]\n"
        "  kind = [\"mean\", \"max\"]\n"
        "  [center_of_mass]\n"
        "  [disks]\n"
        "Several tables of one kind have names, as in [virtual_image.ring]. [open] and [load] say\n"
        "how the scan is read; options given here count for more. Without --out the folder is\n"
        "called like the configuration.\n"
        "\n"
        "Examples:\n"
        "  sluice stem4d analyze --example >survey.toml\n"
        "  sluice stem4d analyze survey.toml --out survey\n"
        "  sluice stem4d analyze survey.toml other_master.h5 --stream --out other --json");
    app->callback([c, app, &exit_code] {
        if (auto s = run(*c, app.given()); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
