// sluice proton batch: each beam of a list or sweep on its own.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/command.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "domain/proton/config/fields.h"
#include "sluice/proton_batch.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string config, out;
    proton::BatchOptions options;
    CommonOptions common;
};

Json summary(Command const& c, proton::BatchReport const& r) {
    return {{"config", c.config},
            {"assumed", r.assumed},
            {"beams", r.beams},
            {"marched", r.marched},
            {"done_before", r.before},
            {"seconds", r.seconds},
            {"library", Json::parse(r.library)}};
}

Status run(Command const& c) {
    proton::BatchOptions options = c.options;
    options.threads = c.common.threads;
    ProgressBar progress("marching", ProgressBar::Counts::steps);
    options.progress = progress.callback();
    SLUICE_TRY(proton::BatchReport const r, proton::batch(c.config, c.out, options));
    if (c.common.json) {
        say("{}\n", text_of(summary(c, r)));
        return {};
    }
    say("{}: {}, {} marched in {:.1f} s, {} done before\n", c.config, plural(r.beams, "beam"),
        r.marched, r.seconds, r.before);
    if (r.warned > 0)
        say(stderr, "sluice: warning: {} warnings; see {}/library.csv\n",
            plural(r.warned, "beam has", "beams have"), c.out);
    say("{0}/library.csv has a line for each, {0}/NNN.csv its depth dose\n", c.out);
    return {};
}

}  // namespace

void add_proton_batch(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("batch", "each beam of a list or sweep on its own");
    auto const c = std::make_shared<Command>();
    app->add_option("config", c->config, "a TOML file")->required();
    app->add_option("--out", c->out, "a folder for the results; what is done there is kept")
        ->required();
    app->add_fields(proton::batch_fields(), c->options);
    c->common.add(*app,
                  {.threads = applies(),
                   .json = applies("print the library as JSON"),
                   .memory_limit = refused("takes what its grid takes; a coarser grid takes less"),
                   .trace = refused("notes no steps; `sluice proton run` does")});
    app->footer(
        "A configuration (or [beams] with file = \"beams.csv\"):\n"
        "  [grid]\n"
        "  depth = \"280 mm\"\n"
        "  width = \"60 mm\"\n"
        "  [sweep]\n"
        "  energy = {from = \"70 MeV\", to = \"200 MeV\", count = 14}\n"
        "  sigma_x = [\"3 mm\", \"5 mm\"]\n\n"
        "Examples:\n"
        "  sluice proton batch sweep.toml --out library\n"
        "  sluice proton batch sweep.toml --out library     after Ctrl-C: goes on\n"
        "  sluice proton batch sweep.toml --out library --force --json");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
