// `sluice validate`: every kernel on every device of this machine beside its plain twin.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/file.h"
#include "base/plural.h"
#include "bench/machine.h"

namespace sluice::cli {
namespace {

struct Command {
    ValidateOptions options;
    std::string out;
    CommonOptions common;
};

Json json_of(ValidationRow const& r) {
    return {{"domain", r.domain},       {"check", r.check},     {"device", r.device},
            {"data", r.data},           {"values", r.values},   {"difference", r.difference},
            {"tolerance", r.tolerance}, {"why", r.why},         {"not_finite", r.not_finite},
            {"repeats", r.repeats},     {"seconds", r.seconds}, {"error", r.error},
            {"passed", r.passed()}};
}

Json json_of(Validation const& v) {
    Json j{{"passed", v.passed()},
           {"seconds", v.seconds},
           {"machine", bench::machine(".")},
           {"provenance", to_json(provenance_of({}))},
           {"devices", v.devices},
           {"rows", Json::array()},
           {"notes", v.notes}};
    for (ValidationRow const& r : v.rows) j["rows"].push_back(json_of(r));
    return j;
}

std::string verdict(ValidationRow const& r) {
    if (!r.error.empty()) return "could not run: " + r.error;
    if (r.not_finite > 0) return plural(r.not_finite, "value") + " not finite on one side";
    if (!r.repeats) return "two runs differ";
    if (r.difference > r.tolerance) return "differs by more than the tolerance";
    return "passed";
}

std::string text_of(Validation const& v) {
    std::string text = fmt::format("devices: {}\n\n", fmt::join(v.devices, ", "));
    text += fmt::format("{:<13}{:<42}{:<14}{:>9}{:>12}{:>11}  {}\n", "domain", "check", "device",
                        "values", "difference", "tolerance", "verdict");
    for (ValidationRow const& r : v.rows)
        text += fmt::format("{:<13}{:<42}{:<14}{:>9}{:>12.2g}{:>11.2g}  {}\n", r.domain, r.check,
                            r.device, r.values, r.difference, r.tolerance, verdict(r));
    auto const failed = std::ranges::count_if(v.rows, [](auto const& r) { return !r.passed(); });
    text += fmt::format(
        "\n{} of {} passed, in {:.1f} s. Differences are parts of the reference's "
        "largest magnitude, or of each value's own where the reason says so (--json); a tolerance "
        "of 0 means the same bits.\n",
        std::ssize(v.rows) - failed, std::ssize(v.rows), v.seconds);
    for (std::string const& n : v.notes) text += fmt::format("note: {}\n", n);
    return text;
}

// Exit code 1: something did not pass.
Result<int> run(Command& c) {
    c.options.threads = c.common.threads;
    ProgressBar bar("validating", ProgressBar::Counts::steps);
    c.options.progress = bar.callback();
    SLUICE_TRY(Validation const v, validate(c.options));
    bar.clear();
    Json const json = json_of(v);
    std::string const text = text_of(v);
    if (!c.out.empty()) {
        SLUICE_CHECK(make_folder(c.out));
        SLUICE_CHECK(save_text(c.out + "/validation.json", cli::text_of(json) + "\n"));
        SLUICE_CHECK(save_text(c.out + "/validation.txt", text));
    }
    if (c.common.json)
        say("{}\n", cli::text_of(json));
    else
        say("{}", text);
    return v.passed() ? 0 : 1;
}

}  // namespace

void add_validate(Verb const& program, int& exit_code) {
    Verb const app = program.add_subcommand(
        "validate", "whether every kernel says here what its plain twin says");
    auto const c = std::make_shared<Command>();
    app->add_option("scan", c->options.data,
                    "a scan of yours: a part of it is checked beside simulated data");
    app->add_option("--out", c->out, "a folder for the report: validation.txt and validation.json");
    app->add_option("--folder", c->options.folder,
                    "where simulated scans are written, and removed [the system's]");
    c->common.add(*app, {.threads = applies(),
                         .device = refused("takes all devices that are here"),
                         .json = applies(),
                         .memory_limit = refused("takes some megabytes"),
                         .trace = refused("notes no steps")});
    app->footer(
        "Each check runs on every instruction set and device that is here, twice and on one\n"
        "thread, and is compared with plain loops. The exit code is 1 where a check does not "
        "pass.\n"
        "Examples:\n"
        "  sluice validate\n"
        "  sluice validate scan_master.h5 --out report\n"
        "  sluice validate --json");
    app->callback([c, &exit_code] {
        auto const code = run(*c);
        exit_code = code ? *code : report(code.error());
    });
}

}  // namespace sluice::cli
