// sluice proton place-spots: a plan for a target.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/proton/command.h"
#include "app/cli/proton/report.h"
#include "app/cli/proton/structures.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/of_file.h"
#include "base/plural.h"
#include "domain/proton/cube/fields.h"
#include "sluice/dicom.h"
#include "sluice/load_volume.h"
#include "sluice/proton_target.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string ct, structures, target, machine, out;
    proton::PatientOptions patient;
    proton::TargetOptions options;
    CommonOptions common;
};

Result<proton::TargetPlan> placed(Command const& c) {
    SLUICE_TRY(proton::Machine const machine, proton::read_machine(c.machine));
    SLUICE_TRY(StructureSet const set, load_structures(c.structures));
    SLUICE_TRY(NamedStructures const named, read_named_structures(c.structures));
    SLUICE_TRY(auto const found, chosen(named, {c.target}));
    if (found.size() != 1)
        return Error{Code::invalid_argument, "--target names several structures; name one"};
    SLUICE_TRY(InCoordinates const of_ct, in_coordinates(c.ct));
    SLUICE_CHECK(same_coordinates({c.structures, set.frame_of_reference}, of_ct));
    SLUICE_TRY(Volume const ct, load_volume(c.ct));
    SLUICE_TRY(proton::Patient const patient,
               of_file(c.ct, proton::patient_of(ct, c.patient, &set)));
    ProgressBar progress("spots", ProgressBar::Counts::steps);
    proton::TargetOptions o = c.options;
    o.progress = progress.callback();
    SLUICE_TRY(proton::TargetPlan plan,
               proton::place_spots(patient, ct, found.front()->structure, machine, o));
    plan.plan.frame_of_reference = set.frame_of_reference;
    return plan;
}

Json report_of(Command const& c, proton::TargetPlan const& p) {
    Json j = {{"target", c.target},
              {"out", c.out},
              {"dose_Gy", c.options.dose},
              {"fractions", p.plan.fractions}};
    for (std::size_t i = 0; i < p.beams.size(); ++i) {
        proton::IonBeam const& b = p.plan.beams[i];
        j["beams"].push_back({{"gantry_deg", b.gantry},
                              {"couch_deg", b.couch},
                              {"isocentre_mm", b.isocentre},
                              {"layers", p.beams[i].layers},
                              {"spots", p.beams[i].spots},
                              {"highest_MeV", b.layers.front().energy},
                              {"lowest_MeV", b.layers.back().energy},
                              {"shallowest_mm", p.beams[i].shallowest},
                              {"deepest_mm", p.beams[i].deepest}});
    }
    j["protons"] = p.plan.meterset();
    j["warnings"] = warnings(p.guards);
    return j;
}

Status run(Command& c) {
    c.options.threads = c.common.threads;
    SLUICE_TRY(proton::TargetPlan const p, placed(c));
    print_guards(p.guards);
    SLUICE_CHECK(proton::save_plan_list(c.out, p.plan));
    if (c.common.json) {
        say("{}\n", text_of(report_of(c, p)));
        return {};
    }
    for (std::size_t i = 0; i < p.beams.size(); ++i) {
        proton::IonBeam const& b = p.plan.beams[i];
        say("beam {}: gantry {:g}, couch {:g}; {}, {}, {:g} to {:g} MeV; the target with its "
            "margin "
            "is {:.1f} to {:.1f} mm of water deep\n",
            b.number, b.gantry, b.couch, plural(p.beams[i].layers, "layer"),
            plural(p.beams[i].spots, "spot"), b.layers.front().energy, b.layers.back().energy,
            p.beams[i].shallowest, p.beams[i].deepest);
    }
    say("{}: {:.4g} protons a fraction for {:g} Gy by depth doses; `sluice proton dose` says what "
        "the "
        "target gets\n",
        c.out, p.plan.meterset(), c.options.dose);
    return {};
}

}  // namespace

void add_proton_place_spots(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("place-spots", "a plan of spots that cover a target");
    auto const c = std::make_shared<Command>();
    app->add_option("--ct", c->ct, "a CT series (its folder), MetaImage or NRRD")->required();
    app->add_option("--structures", c->structures, "an RT structure set")->required();
    app->add_option("--target", c->target, "the structure to cover")->required();
    app->add_option("--machine", c->machine,
                    "what the beam line makes of spots: TOML, matRad's .mat, MCsquare's model")
        ->required();
    app->add_option("--gantry", c->options.gantry, "degrees (IEC 61217); a beam each")
        ->delimiter(',')
        ->capture_default_str();
    app->add_option("--couch", c->options.couch, "degrees, for all beams or for each")
        ->delimiter(',')
        ->capture_default_str();
    app->add_option("--out", c->out, "the list of spots (.csv) that `sluice proton dose` reads")
        ->required();
    app->add_fields(proton::target_fields(), c->options);
    app->add_fields(proton::patient_fields(), c->patient);
    c->common.add(*app, {.threads = applies(), .json = applies()});
    app->footer(
        "Examples:\n"
        "  sluice proton place-spots --ct ct --structures RS.dcm --target PTV --machine "
        "gantry.toml "
        "--out plan.csv\n"
        "  sluice proton place-spots --ct ct --structures RS.dcm --target PTV --machine "
        "protons_Generic.mat --gantry 0,90 --dose 2 --fractions 30 --margin \"3 mm\" --out "
        "plan.csv");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
