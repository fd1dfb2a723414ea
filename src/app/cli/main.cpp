// The program `sluice`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <system_error>

#include "app/cli/command.h"
#include "app/cli/end_of_output.h"
#include "app/cli/outputs.h"
#include "app/cli/synth.h"
#include "app/cli/terminal.h"
#include "app/cli/words.h"
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
        "  sluice synth arina demo/si --scan 256x256");
    int exit_code = 0;
    cli::remember_command(argc, argv);
    cli::catch_interrupts();
    cli::outlive_readers();
    cli::add_info(app, exit_code);
    CLI::App* const stem4d = app.add_subcommand("stem4d", "4D-STEM: virtual detectors and moments");
    stem4d->require_subcommand(1);
    stem4d->footer(
        "Examples:\n"
        "  sluice stem4d overview scan_master.h5 --out overview\n"
        "  sluice stem4d virtual-image scan_master.h5 --detector bf --detector adf --out images\n"
        "  sluice stem4d center-of-mass scan_master.h5 --out com\n"
        "  sluice stem4d diffraction-pattern scan_master.h5 --at 10:20 --out pattern");
    cli::add_overview(*stem4d, exit_code);
    cli::add_virtual_image(*stem4d, exit_code);
    cli::add_center_of_mass(*stem4d, exit_code);
    cli::add_diffraction_pattern(*stem4d, exit_code);
    cli::add_stem4d_benchmark(*stem4d, exit_code);
    CLI::App* const slide = app.add_subcommand("slide", "microscope slides: CZI files");
    slide->require_subcommand(1);
    slide->footer(
        "Examples:\n"
        "  sluice info x.czi\n"
        "  sluice slide read x.czi --scene 0 --region 0,0,2048,2048 --out region.tiff\n"
        "  sluice slide profile x.czi\n"
        "  sluice slide convert x.czi out.zarr\n"
        "  sluice view x.czi");
    cli::add_slide_read(*slide, exit_code);
    cli::add_slide_check(*slide, exit_code);
    cli::add_slide_convert(*slide, exit_code);
    cli::add_slide_profile(*slide, exit_code);
    cli::add_slide_benchmark(*slide, exit_code);
    CLI::App* const proton = app.add_subcommand("proton", "proton beams: dose and LET");
    proton->require_subcommand(1);
    proton->footer(
        "Examples:\n"
        "  sluice proton run beam.toml --out dose\n"
        "  sluice proton converge beam.toml --accuracy \"0.1 mm\" --dose 1 --out study\n"
        "  sluice proton batch beams.toml --out library\n"
        "  sluice proton gamma planned/dose.npy other/dose.npy --spacing 0.5,0.5\n"
        "  sluice proton base-data --from \"70 MeV\" --to \"200 MeV\" --count 40 --out "
        "protons_mine.mat");
    cli::add_proton_run(*proton, exit_code);
    cli::add_proton_dvh(*proton, exit_code);
    cli::add_proton_gamma(*proton, exit_code);
    cli::add_proton_converge(*proton, exit_code);
    cli::add_proton_benchmark(*proton, exit_code);
    cli::add_proton_base_data(*proton, exit_code);
    cli::add_proton_batch(*proton, exit_code);
    cli::add_view(app, exit_code);
    cli::add_synth(app, exit_code);
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& error) {
        // Help and the version end the parsing, too.
        if (error.get_exit_code() != 0)
            if (auto const text = cli::explain_words(app, argc, argv)) {
                fmt::print(stderr, "sluice: {}\n", *text);
                return 2;
            }
        int const code = app.exit(error);
        return cli::end_of_output(code == 0 ? 0 : 2);
    } catch (std::bad_alloc const&) {
        return cli::report(
            {Code::out_of_memory,
             "the machine is out of memory; use --stream, --det-bin or --memory-limit"});
    } catch (std::system_error const& error) {
        // Output that could not be written ends the work; end_of_output() says why.
        if (std::ferror(stdout)) return cli::end_of_output(1, error.code().value());
        return cli::report({Code::io, error.what()});
    } catch (std::exception const& error) {
        return cli::report({Code::io, error.what()});
    }
    return cli::end_of_output(exit_code);
}
