// The command line of `sluice synth`.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/synth.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/shell/common_options.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "format/nxmx/writer_words.h"

namespace sluice::cli {
namespace {

/// What the options were given as, before they mean something.
struct Texts {
    std::string scan = "64x64", detector = "192x192", dtype = "uint16";
    CommonOptions common = {};
    bool sentinel = false, mask_to_zero = false, no_companion = false;
};

Status apply(Texts const& t, SynthCommand& c) {
    SLUICE_TRY(c.simulation.scan, synthetic::parse_shape(t.scan));
    SLUICE_TRY(c.simulation.detector, synthetic::parse_shape(t.detector));
    SLUICE_TRY(c.simulation.dtype, synthetic::parse_dtype(t.dtype));
    c.file.threads = t.common.threads;
    c.simulation.sentinel = !t.mask_to_zero;
    c.file.companion = !t.no_companion;
    return {};
}

void print_summary(std::vector<std::string> const& written) {
    std::uintmax_t bytes = 0;
    for (std::string const& path : written) {
        std::error_code failed;
        auto const size = std::filesystem::file_size(path, failed);
        if (!failed) bytes += size;
    }
    fmt::print("wrote {} ({:.1f} MB), last {}\n", plural(written.size(), "file"),
               static_cast<double>(bytes) / 1e6, written.back());
}

Status run(Texts const& texts, SynthCommand command) {
    SLUICE_CHECK(apply(texts, command));
    ProgressBar progress("writing");
    SLUICE_TRY(auto const written, run_synth(command, progress.callback()));
    print_summary(written);
    return {};
}

void add_simulation(Verb const& app, SynthCommand& c, Texts& t) {
    SyntheticOptions& o = c.simulation;
    app.add_option("--scan", t.scan, "scan rows x columns")->capture_default_str();
    app.add_option("--detector", t.detector, "detector rows x columns")->capture_default_str();
    app.add_option("--dose", o.dose, "mean electrons per frame")->capture_default_str();
    app.add_option("--bragg", o.bragg, "share of them in Bragg disks")->capture_default_str();
    app.add_option("--diffuse", o.diffuse, "share in the background")->capture_default_str();
    app.add_option("--disk-radius", o.disk_radius, "pixels; 0: 0.104 of the smaller side");
    app.add_option("--wobble", o.wobble, "descan error in pixels")->capture_default_str();
    app.add_option("--lattice", o.lattice, "period in scan points; 0: an empty specimen")
        ->capture_default_str();
    app.add_option("--dtype", t.dtype, "uint8, uint16 or uint32")->capture_default_str();
    app.add_option("--seed", o.seed, "of the random numbers")->capture_default_str();
    app.add_option("--masked", o.masked, "number of bad pixels")->capture_default_str();
    auto const zero = app.add_flag("--mask-to-zero", t.mask_to_zero, "bad pixels hold 0");
    app.add_flag("--sentinel", t.sentinel, "bad pixels hold all-ones (the default)")
        ->excludes(zero);
    t.common.add(app, {.threads = applies()});
}

void add_files(Verb const& app, SynthCommand& c, Texts& t) {
    app.add_word("--file-layout", c.file.layout, "of the files");
    app.add_word("--compression", c.file.compression, "of the frames");
    app.add_option("--frames-per-file", c.file.frames_per_file, "frames in one data file")
        ->capture_default_str();
    app.add_option("--channels", c.channels, "thresholds (v2024)")->capture_default_str();
    app.add_option("--series", c.series, "members of a 5-D series; OUT is then a folder");
    app.add_flag("--no-companion", t.no_companion, "leave out OUT.h5 with the scan's shape");
    app.add_word("--damage", c.file.damage, "what is broken");
}

}  // namespace

void add_synth(Verb const& parent, int& exit_code) {
    Verb const synth = parent.add_subcommand("synth", "write simulated acquisitions");
    synth->require_subcommand(1);
    synth->footer(
        "Examples:\n"
        "  sluice synth arina demo/si --scan 256x256\n"
        "  sluice synth npy demo/si.npy --scan 64x64 --detector 96x96\n"
        "  sluice synth raw demo/si.raw --scan 64x64 --dtype uint8");
    using Kind = SynthCommand::Kind;
    auto const add = [&](Kind kind, std::string const& name, std::string const& title) {
        auto const command = std::make_shared<SynthCommand>();
        auto const texts = std::make_shared<Texts>();
        command->kind = kind;
        command->simulation.dose = 5000;
        Verb const app = synth->add_subcommand(name, title);
        app->add_option("OUT", command->out, kind == Kind::arina ? "prefix of the files" : "file")
            ->required();
        add_simulation(*app, *command, *texts);
        if (kind == Kind::arina) add_files(*app, *command, *texts);
        app->footer(fmt::format("Example:\n  sluice synth {} {} --scan 128x128 --dose 6100", name,
                                kind == Kind::arina ? "demo/si" : "demo/si." + name));
        app->callback([command, texts, &exit_code] {
            if (auto s = run(*texts, *command); !s) exit_code = report(s.error());
        });
    };
    add(Kind::arina, "arina", "DECTRIS master and data files, as an ARINA writes them");
    add(Kind::npy, "npy", "one 4-D NumPy array");
    add(Kind::raw, "raw", "raw binary frames");
}

}  // namespace sluice::cli
