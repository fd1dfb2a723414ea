// `sluice proton`: its verbs and examples.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/command.h"

namespace sluice::cli {

void add_proton(Verb const& program, int& exit_code) {
    Verb const group = *program.add_subcommand("proton", "proton beams: dose and LET");
    group.require_subcommand(1);
    group.footer(
        "Examples:\n"
        "  sluice proton run beam.toml --out dose\n"
        "  sluice proton dose plan.dcm --ct ct_folder --machine machine.toml --out dose\n"
        "  sluice proton place-spots --ct ct_folder --structures RS.dcm --target PTV --machine "
        "machine.toml --out plan.csv\n"
        "  sluice proton converge beam.toml --accuracy \"0.1 mm\" --dose 1 --out study\n"
        "  sluice proton batch beams.toml --out library\n"
        "  sluice proton dvh RD.dcm --structures RS.dcm --out dvh\n"
        "  sluice proton rbe RD.dcm let.nrrd --model mcnamara --alpha-beta 2 --out weighted.dcm\n"
        "  sluice proton gamma planned/dose.npy other/dose.npy --spacing 0.5,0.5\n"
        "  sluice proton base-data --from \"70 MeV\" --to \"200 MeV\" --count 40 --out "
        "protons_mine.mat");
    add_proton_run(group, exit_code);
    add_proton_dose(group, exit_code);
    add_proton_place_spots(group, exit_code);
    add_proton_dvh(group, exit_code);
    add_proton_rbe(group, exit_code);
    add_proton_gamma(group, exit_code);
    add_proton_converge(group, exit_code);
    add_proton_benchmark(group, exit_code);
    add_proton_base_data(group, exit_code);
    add_proton_batch(group, exit_code);
}

}  // namespace sluice::cli
