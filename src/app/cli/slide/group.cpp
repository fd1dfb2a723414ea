// `sluice slide`: its verbs and examples.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/command.h"

namespace sluice::cli {

void add_slide(Verb const& program, int& exit_code) {
    Verb const group = *program.add_subcommand("slide", "microscope slides: CZI files");
    group.require_subcommand(1);
    group.footer(
        "Examples:\n"
        "  sluice info x.czi\n"
        "  sluice slide read x.czi --scene 0 --region 0,0,2048,2048 --out region.tiff\n"
        "  sluice slide profile x.czi\n"
        "  sluice slide convert x.czi out.zarr\n"
        "  sluice view x.czi");
    add_slide_read(group, exit_code);
    add_slide_check(group, exit_code);
    add_slide_convert(group, exit_code);
    add_slide_profile(group, exit_code);
    add_slide_benchmark(group, exit_code);
}

}  // namespace sluice::cli
