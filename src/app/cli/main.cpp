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
#include "version.h"

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
    cli::add_overview(*stem4d, exit_code);
    cli::add_virtual_image(*stem4d, exit_code);
    cli::add_center_of_mass(*stem4d, exit_code);
    cli::add_diffraction_pattern(*stem4d, exit_code);
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
    cli::add_proton_run(*proton, exit_code);
    cli::add_proton_dvh(*proton, exit_code);
    cli::add_proton_gamma(*proton, exit_code);
    cli::add_proton_converge(*proton, exit_code);
    cli::add_proton_benchmark(*proton, exit_code);
    cli::add_proton_base_data(*proton, exit_code);
    cli::add_proton_batch(*proton, exit_code);
    cli::add_view(app, exit_code);
    cli::add_synth(app, exit_code);
    cli::add_bench(app, exit_code);
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& error) {
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
