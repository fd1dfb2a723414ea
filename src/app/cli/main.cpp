// The program `sluice`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string_view>
#include <system_error>

#include "app/cli/command.h"
#include "app/cli/live/command.h"
#include "app/cli/music/command.h"
#include "app/cli/proton/command.h"
#include "app/cli/shell/end_of_output.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/shell/words.h"
#include "app/cli/slide/command.h"
#include "app/cli/synth.h"
#include "base/version.h"

namespace {

using namespace sluice;

struct Command {
    std::string_view name;
    void (*add)(cli::Verb const& program, int& exit_code);
};
constexpr Command commands[] = {
    {"info", cli::add_info},
    {"doctor", cli::add_doctor},
    {"plan", cli::add_plan},
    {"validate", cli::add_validate},
    {"acquisition", cli::add_acquisition},
    {"benchmark", cli::add_benchmark},
    {"stem4d", cli::add_stem4d},
    {"slide", cli::add_slide},
    {"proton", cli::add_proton},
    {"music", cli::add_music},
    {"view", cli::add_view},
    {"live", cli::add_live},
    {"detector", cli::add_detector},
    {"synth", cli::add_synth},
};

// A first word that is a command needs no other: the options of all take ten milliseconds.
void add_commands(cli::Verb const& program, std::string_view first_word, int& exit_code) {
    auto const* const named = std::ranges::find(commands, first_word, &Command::name);
    for (Command const& command : commands)
        if (named == std::end(commands) || &command == named) command.add(program, exit_code);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Turns the raw output of big instruments into answers.", "sluice"};
    app.set_version_flag("--version", fmt::format("sluice {} ({})", version, commit));
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  sluice info scan_master.h5\n"
        "  sluice view scan_master.h5\n"
        "  sluice stem4d overview scan_master.h5 --out overview\n"
        "  sluice stem4d virtual-image scan_master.h5 --detector bf --detector adf --out images\n"
        "  sluice slide read x.czi --scene 0 --region 0,0,2048,2048 --out region.tiff\n"
        "  sluice proton run beam.toml --out dose\n"
        "  sluice music inspect model.ckpt --config model.yaml\n"
        "  sluice doctor --quick\n"
        "  sluice plan scan_master.h5 --task images\n"
        "  sluice synth arina demo/si --scan 256x256");
    cli::Verb const verbs(&app);
    int exit_code = 0;
    cli::remember_command(argc, argv);
    cli::catch_interrupts();
    cli::outlive_readers();
    add_commands(verbs, argc > 1 ? argv[1] : "", exit_code);
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& error) {
        // Help and the version end the parsing, too.
        if (error.get_exit_code() != 0) {
            auto text = cli::explain_words(app, argc, argv);
            if (!text && error.get_exit_code() == cli::unreadable_text) text = error.what();
            if (text) {
                sluice::cli::say(stderr, "sluice: {}\n", *text);
                return 2;
            }
        }
        int const code = app.exit(error);
        return cli::end_of_output(code == 0 ? 0 : 2);
    } catch (std::bad_alloc const&) {
        return cli::report({Code::out_of_memory,
                            "the machine is out of memory; use --stream, --det-bin or "
                            "--memory-limit (`sluice plan` says "
                            "what fits)"});
    } catch (std::system_error const& error) {
        // Output that could not be written ends the work; end_of_output() says why.
        if (std::ferror(stdout)) return cli::end_of_output(1, error.code().value());
        return cli::report({Code::io, error.what()});
    } catch (std::exception const& error) {
        return cli::report({Code::io, error.what()});
    }
    return cli::end_of_output(exit_code);
}
