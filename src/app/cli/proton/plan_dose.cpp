// sluice proton dose: the dose of a plan on a CT.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli/proton/command.h"
#include "app/cli/proton/gamma_criterion.h"
#include "app/cli/proton/plan_dose_files.h"
#include "app/cli/proton/plan_inputs.h"
#include "app/cli/proton/report.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/terminal.h"
#include "base/file.h"
#include "base/of_file.h"
#include "base/plural.h"
#include "domain/proton/cube/fields.h"
#include "domain/proton/words.h"
#include "sluice/dicom.h"
#include "sluice/load_volume.h"
#include "sluice/proton_structure_dvh.h"
#include "sluice/save.h"

namespace sluice::cli {
namespace {

struct Command {
    PlanFiles input;
    proton::DoseOptions options;
    PlanDoseFiles files;
    CommonOptions common;
    bool judge = false;
};

/// How the pencils' dose compares with the march's, the reference.
struct Judgement {
    GammaCriterion criterion;
    double largest_told = 0;
    proton::VolumeGamma gamma;
};

Result<Judgement> judge(PlanInputs const& in, proton::DoseOptions options,
                        proton::PlanDose const& pencils) {
    Judgement j;
    options.engine = proton::DoseEngine::march;
    options.let = options.error = options.each_beam = false;
    ProgressBar progress("march in slices", ProgressBar::Counts::steps);
    options.progress = progress.callback();
    SLUICE_TRY(proton::PlanDose const slices,
               proton::dose(in.plan, in.patient, in.machine_or_none(), options));
    progress.clear();
    proton::GammaOptions const o = j.criterion.options(options.threads);
    j.largest_told = o.most;
    SLUICE_TRY(j.gamma, proton::gamma_index(slices.dose, pencils.dose, o));
    return j;
}

/// The doses of a structure; why not, where there are none.
struct StructureDose {
    std::string name, why_not = {};
    proton::StructureDvh dvh = {};
};

std::vector<StructureDose> structure_doses(PlanInputs const& in, proton::PlanDose const& d) {
    std::vector<StructureDose> all;
    if (!in.structures) return all;
    for (Structure const& s : in.structures->structures) {
        if (s.contours.empty()) continue;
        StructureDose& one = all.emplace_back(StructureDose{.name = s.name});
        if (auto dvh = proton::structure_dvh(d.dose, s))
            one.dvh = *std::move(dvh);
        else
            one.why_not = dvh.error().message;
    }
    return all;
}

Json json_of(StructureDose const& s) {
    Json j = {{"name", s.name}};
    if (!s.why_not.empty()) {
        j["error"] = s.why_not;
        return j;
    }
    proton::Dvh const& v = s.dvh.dvh;
    j["volume_cm3"] = s.dvh.volume_cm3;
    j["inside_cm3"] = s.dvh.inside_cm3;
    j["mean_Gy"] = v.mean;
    j["D98_Gy"] = v.coverage(0.98);
    j["D50_Gy"] = v.coverage(0.5);
    j["D2_Gy"] = v.coverage(0.02);
    j["highest_Gy"] = v.most;
    return j;
}

void print(std::vector<StructureDose> const& all) {
    if (all.empty()) return;
    say("\n{:<24}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "structure", "cm3", "mean Gy", "D98",
        "D50", "D2", "highest");
    for (StructureDose const& s : all) {
        proton::Dvh const& v = s.dvh.dvh;
        if (!s.why_not.empty())
            say("{:<24}{}\n", s.name, s.why_not);
        else
            say("{:<24}{:>10.4g}{:>10.4g}{:>10.4g}{:>10.4g}{:>10.4g}{:>10.4g}{}\n", s.name,
                s.dvh.volume_cm3, v.mean, v.coverage(0.98), v.coverage(0.5), v.coverage(0.02),
                v.most,
                s.dvh.inside_cm3 < 0.999 * s.dvh.volume_cm3
                    ? fmt::format("  of the {:.4g} cm3 in the dose's grid", s.dvh.inside_cm3)
                    : "");
    }
}

Json report_of(Command const& c, std::vector<StructureDose> const& structures,
               proton::PlanDose const& d, Judgement const* judged, double seconds,
               std::vector<std::string> const& files) {
    Json j;
    j["plan"] = c.input.plan;
    j["ct"] = c.input.ct;
    if (!c.input.machine.empty()) j["machine"] = c.input.machine;
    j["provenance"] = to_json(provenance_of(c.files.sources));
    j["fractions"] = d.fractions;
    for (proton::BeamDose const& b : d.beams)
        j["beams"].push_back({{"number", b.number},
                              {"name", b.name},
                              {"layers", b.layers},
                              {"spots", b.spots},
                              {"protons", b.protons},
                              {"energy_J", b.energy},
                              {"deposited_J", b.deposited},
                              {"highest_Gy", b.highest},
                              {"range_shifters_mm", b.water_before}});
    HighestDose const most = highest_dose(d);
    j["dose"] = {{"to", config::word_of(c.options.to)},
                 {"highest_Gy", most.dose},
                 {"at_mm", most.place},
                 {"shape", d.dose.image.shape},
                 {"spacing_mm", d.dose.spacing}};
    if (!d.error.image.values.empty())
        j["predicted_error_percent"] = *std::ranges::max_element(d.error.image.values);
    if (judged) {
        j["judged_by_march"] = judged->criterion.json();
        j["judged_by_march"].update(to_json(judged->gamma, judged->largest_told));
    }
    for (StructureDose const& s : structures) j["structures"].push_back(json_of(s));
    j["notes"] = d.notes;
    j["warnings"] = warnings(d.guards);
    j["guards"] = to_json(d.guards);
    j["device"] = c.options.device.name();
    j["seconds"] = seconds;
    j["files"] = files;
    return j;
}

void print(Command const& c, std::vector<StructureDose> const& structures,
           proton::PlanDose const& d, Judgement const* judged, double seconds,
           std::vector<std::string> const& files) {
    say("{}: {}; {}\n", c.input.plan, plural(d.beams.size(), "beam"),
        d.fractions == 1 ? "one fraction" : fmt::format("all {} fractions", d.fractions));
    say("{:>6}  {:<20}{:>8}{:>8}{:>12}{:>12}{:>14}\n", "beam", "name", "layers", "spots", "protons",
        "highest Gy", "deposited %");
    for (proton::BeamDose const& b : d.beams)
        say("{:>6}  {:<20}{:>8}{:>8}{:>12.4g}{:>12.4g}{:>14.2f}\n", b.number, b.name, b.layers,
            b.spots, b.protons, b.highest, 100 * b.deposited / b.energy);
    HighestDose const most = highest_dose(d);
    say("\nhighest dose to {}: {:.4g} Gy at ({:.1f}, {:.1f}, {:.1f}) mm\n",
        config::word_of(c.options.to), most.dose, most.place[0], most.place[1], most.place[2]);
    if (!d.error.image.values.empty())
        say("largest predicted error: {:.1f} % of it\n",
            *std::ranges::max_element(d.error.image.values));
    if (judged)
        say("beside the march in slices: {}: {}\n", judged->criterion.words(),
            words_of(judged->gamma, judged->largest_told));
    print(structures);
    if (!structures.empty()) say("\n");
    for (std::string const& note : d.notes) say("  {}\n", note);
    say("\n{:.1f} s; {}: {}\n", seconds, c.files.folder, fmt::join(files, ", "));
}

Status run(Command& c) {
    SLUICE_TRY(c.options.device, c.common.chosen_device());
    c.options.threads = c.common.threads;
    if (c.judge && c.options.engine == proton::DoseEngine::march)
        return Error{Code::invalid_argument,
                     "--judge compares the pencils with the march; leave out --engine march"};
    bool const only_dicom =
        std::ranges::all_of(c.files.formats, [](auto& f) { return f == "dcm"; });
    if (c.options.each_beam && only_dicom)
        return Error{Code::invalid_argument,
                     "doses of single beams are written as nrrd, mha or npy; add one to --format"};
    double const start = now();
    // What cannot be written is said before minutes of work.
    SLUICE_CHECK(whose_dose(c.input.ct, c.input.plan));
    SLUICE_TRY(PlanInputs const in, c.input.read());
    c.files.sources = {c.input.plan, c.input.ct};
    if (!c.input.machine.empty()) c.files.sources.push_back(c.input.machine);
    if (!c.input.structures.empty()) c.files.sources.push_back(c.input.structures);
    ProgressBar progress("dose", ProgressBar::Counts::steps);
    c.options.progress = progress.callback();
    SLUICE_TRY(
        proton::PlanDose const dose,
        of_file(c.input.plan, proton::dose(in.plan, in.patient, in.machine_or_none(), c.options)));
    progress.clear();
    std::optional<Judgement> judged;
    if (c.judge) {
        SLUICE_TRY(judged, of_file(c.input.plan, judge(in, c.options, dose)));
    }
    std::vector<StructureDose> const structures = structure_doses(in, dose);
    double const seconds = now() - start;
    print_guards(dose.guards);
    SLUICE_CHECK(make_folder(c.files.folder));
    SLUICE_TRY(std::vector<std::string> files,
               save_plan_dose(c.files, c.input.ct, c.input.plan, dose));
    Judgement const* const told = judged ? &*judged : nullptr;
    if (told) {
        Provenance provenance = provenance_of(c.files.sources);
        provenance.add("criterion",
                       told->criterion.words() + ", the march in slices is the reference");
        SLUICE_CHECK(save_nrrd(c.files.folder + "/gamma.nrrd", told->gamma.gamma, provenance));
        files.emplace_back("gamma.nrrd");
    }
    Json const report = report_of(c, structures, dose, told, seconds, files);
    SLUICE_CHECK(save_text(c.files.folder + "/dose.json", text_of(report) + "\n"));
    files.emplace_back("dose.json");
    if (c.common.json)
        say("{}\n", text_of(report));
    else
        print(c, structures, dose, told, seconds, files);
    return {};
}

}  // namespace

void add_proton_dose(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("dose", "the dose, LET and predicted error of a plan on a CT");
    auto const c = std::make_shared<Command>();
    app->add_option("plan", c->input.plan, "an RT ion plan (DICOM), or a list of spots (CSV)")
        ->required();
    c->input.add(*app);
    app->add_option("--out", c->files.folder, "a folder for the results")->required();
    app->add_option("--format", c->files.formats,
                    "one or several with commas between: dcm (RT dose), nrrd, mha, npy")
        ->delimiter(',')
        ->check(one_of({"dcm", "nrrd", "mha", "npy"}))
        ->capture_default_str();
    app->add_flag("--judge", c->judge,
                  "compute it by the march in slices, too (minutes), and tell gamma of both");
    c->files.pictures.add(*app);
    app->add_fields(proton::dose_fields(), c->options);
    app->add_fields(proton::patient_fields(), c->input.patient);
    app->add_fields(proton::plan_default_fields(), c->input.defaults);
    c->common.add(*app,
                  {.threads = applies(),
                   .device = applies("cpu, an instruction set as cpu:avx2, or reference: slow, to "
                                     "compare with"),
                   .json = applies(),
                   .memory_limit = refused("takes what its grids take; larger pixels take less")});
    app->footer(
        "Examples:\n"
        "  sluice proton dose plan.dcm --ct ct_folder --machine machine.toml --out dose\n"
        "  sluice proton dose plan.dcm --ct ct.mha --energy-spread \"0.8 MeV\" "
        "--protons-per-mu 1e8 --out dose\n"
        "  sluice proton dose spots.csv --ct ct.nrrd --machine protons_Generic.mat --spacing "
        "\"2 mm\" --format npy,nrrd --out dose\n"
        "  sluice proton dose plan.dcm --ct ct_folder --structures RS.dcm --override "
        "\"Implant=3000\" --machine BDL.txt --out dose --json");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
