// The program `sluice`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
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

int main(int argc, char** argv) {
    using namespace sluice;
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
    cli::add_info(verbs, exit_code);
    cli::add_doctor(verbs, exit_code);
    cli::add_plan(verbs, exit_code);
    cli::add_validate(verbs, exit_code);
    cli::add_acquisition(verbs, exit_code);
    cli::add_benchmark(verbs, exit_code);
    cli::add_stem4d(verbs, exit_code);
    cli::add_slide(verbs, exit_code);
    cli::add_proton(verbs, exit_code);
    cli::add_music(verbs, exit_code);
    cli::add_view(verbs, exit_code);
    cli::add_live(verbs, exit_code);
    cli::add_detector(verbs, exit_code);
    cli::add_synth(verbs, exit_code);
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
