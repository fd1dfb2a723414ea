// The command line of `sluice synth`.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/synth.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "format/nxmx/writer_fields.h"

namespace sluice::cli {
namespace {

constexpr config::Field<SynthCommand> series_fields[] = {
    config::field<&SynthCommand::channels>("channels", "thresholds (v2024)",
                                           config::between(1, 16)),
    config::field<&SynthCommand::series>(
        "series", "members of a 5-D series; OUT is then a folder; 0: one acquisition",
        config::between(0, 9999)),
};

void print_summary(std::vector<std::string> const& written) {
    std::uintmax_t bytes = 0;
    for (std::string const& path : written) {
        std::error_code failed;
        auto const size = std::filesystem::file_size(path, failed);
        if (!failed) bytes += size;
    }
    say("wrote {} ({:.1f} MB), last {}\n", plural(written.size(), "file"),
        static_cast<double>(bytes) / 1e6, written.back());
}

Status run(SynthCommand command) {
    command.file.threads = command.common.threads;
    ProgressBar progress("writing");
    SLUICE_TRY(auto const written, run_synth(command, progress.callback()));
    print_summary(written);
    return {};
}

void add_options(Verb const& app, SynthCommand& c) {
    app.add_fields(synthetic::fields(), c.simulation);
    // The name of what is usual.
    app.add_flag_callback(
           "--sentinel", [] {}, "bad pixels hold all-ones (the default)")
        ->excludes(app.get_option("--mask-to-zero"));
    c.common.add(app, {.threads = applies()});
    if (c.kind != SynthCommand::Kind::arina) return;
    app.add_fields<nxmx::Acquisition>(nxmx::writer_fields, c.file);
    app.add_fields<SynthCommand>(series_fields, c);
}

}  // namespace

void add_synth(Verb const& parent, int& exit_code) {
    Verb const synth = parent.add_subcommand("synth", "write simulated acquisitions");
    synth->require_subcommand(1);
    synth->footer(
        "Examples:\n"
        "  sluice synth arina demo/si --scan 256x256\n"
        "  sluice synth npy demo/si.npy --scan 64x64 --detector 96x96\n"
        "  sluice synth raw demo/si.raw --scan 64x64 --dtype uint8\n"
        "  sluice synth stream dectris-v2 demo/si_master.h5 --rate 1000");
    using Kind = SynthCommand::Kind;
    auto const add = [&](Kind kind, std::string const& name, std::string const& title) {
        auto const command = std::make_shared<SynthCommand>();
        command->kind = kind;
        command->simulation.dose = 5000;
        command->simulation.detector = {192, 192};
        Verb const app = synth->add_subcommand(name, title);
        app->add_option("OUT", command->out, kind == Kind::arina ? "prefix of the files" : "file")
            ->required();
        add_options(*app, *command);
        app->footer(fmt::format("Example:\n  sluice synth {} {} --scan 128x128 --dose 6100", name,
                                kind == Kind::arina ? "demo/si" : "demo/si." + name));
        app->callback([command, &exit_code] {
            if (auto s = run(*command); !s) exit_code = report(s.error());
        });
    };
    add(Kind::arina, "arina", "DECTRIS master and data files, as an ARINA writes them");
    add(Kind::npy, "npy", "one 4-D NumPy array");
    add(Kind::raw, "raw", "raw binary frames");
    add_synth_stream(synth, exit_code);
}

}  // namespace sluice::cli
