// `sluice stem4d`: its verbs and examples. Ptychography has a folder of its own.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/ptychography/command.h"
#include "app/cli/stem4d/command.h"

namespace sluice::cli {

void add_stem4d(Verb const& program, int& exit_code) {
    Verb const group = *program.add_subcommand("stem4d", "4D-STEM: virtual detectors and moments");
    group.require_subcommand(1);
    group.footer(
        "Examples:\n"
        "  sluice stem4d overview scan_master.h5 --out overview\n"
        "  sluice stem4d virtual-image scan_master.h5 --detector bf --detector adf --out images\n"
        "  sluice stem4d center-of-mass scan_master.h5 --out com\n"
        "  sluice stem4d diffraction-pattern scan_master.h5 --at 10:20 --out pattern\n"
        "  sluice stem4d tables scan_master.h5\n"
        "  sluice stem4d disks scan_master.h5 --out disks.npy\n"
        "  sluice stem4d orientation disks.h5 --crystal Au.cif --energy 200 --out orientation\n"
        "  sluice stem4d analyze survey.toml --out survey\n"
        "  sluice stem4d convert scan.mib scan.zarr --verify\n"
        "  sluice stem4d ptychography scan_master.h5 --energy 300 --semiangle 21 --out "
        "ptychography");
    add_overview(group, exit_code);
    add_virtual_image(group, exit_code);
    add_center_of_mass(group, exit_code);
    add_diffraction_pattern(group, exit_code);
    add_tables(group, exit_code);
    add_drift(group, exit_code);
    add_disks(group, exit_code);
    add_calibrate(group, exit_code);
    add_strain(group, exit_code);
    add_orientation(group, exit_code);
    add_analyze(group, exit_code);
    add_stem4d_convert(group, exit_code);
    add_ptychography(group, exit_code);
    add_stem4d_benchmark(group, exit_code);
}

}  // namespace sluice::cli
