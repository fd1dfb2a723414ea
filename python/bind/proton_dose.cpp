// The dose of a plan on a CT.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_dose.h"

#include "base/of_file.h"
#include "bind/proton.h"
#include "domain/proton/cube/fields.h"
#include "sluice/dicom.h"

namespace sluice::python {
namespace {

using proton::DoseOptions;
using proton::PatientOptions;
using proton::PlanDose;

using Overrides = std::vector<std::pair<std::string, double>>;

PatientOptions patient_options(std::string const& table, std::string const& density_table,
                               std::optional<std::string> const& quantity,
                               std::string const& external, bool whole_image,
                               Overrides const& overrides, std::string const& water) {
    PatientOptions o{.table = table, .density_table = density_table};
    if (quantity) o.quantity = choice<proton::ImageQuantity>("quantity", *quantity);
    o.external = external;
    o.whole_image = whole_image;
    for (auto const& [structure, hu] : overrides) o.overrides.push_back({structure, hu});
    o.water = choice<proton::WaterTable>("water", water);
    return o;
}

DoseOptions dose_options(std::string const& engine, std::string const& to, bool let, bool error,
                         bool each_beam, std::vector<double> const& spacing, double pixel,
                         double step, double accuracy, double protons_per_mu,
                         std::optional<double> energy_spread, bool single_fraction,
                         std::string const& kernels, bool keep_kernels, std::string const& device,
                         int threads) {
    DoseOptions o{.engine = choice<proton::DoseEngine>("engine", engine),
                  .to = choice<proton::DoseTo>("dose_to", to),
                  .let = let,
                  .error = error,
                  .each_beam = each_beam};
    o.spacing = spacing;
    o.pixel = pixel;
    o.step = step;
    o.accuracy = accuracy;
    o.protons_per_mu = protons_per_mu;
    o.energy_spread = energy_spread;
    o.single_fraction = single_fraction;
    o.kernels = kernels;
    o.keep_kernels = keep_kernels;
    o.device = device_named(device, threads);
    o.threads = threads;
    unwrap(config::check_fields(o, proton::dose_fields()));
    return o;
}

nb::object volume_or_none(Volume v) {
    return v.image.values.empty() ? nb::none() : nb::cast(std::move(v));
}

nb::dict dict_of(proton::BeamDose b) {
    nb::dict out;
    out["number"] = b.number;
    out["name"] = b.name;
    out["layers"] = b.layers;
    out["spots"] = b.spots;
    out["protons"] = b.protons;
    out["energy"] = b.energy;
    out["deposited"] = b.deposited;
    out["highest"] = b.highest;
    out["water_before"] = b.water_before;
    out["dose"] = volume_or_none(std::move(b.dose));
    return out;
}

nb::dict dict_of(PlanDose d) {
    nb::dict out;
    out["dose"] = nb::cast(std::move(d.dose));
    out["let"] = volume_or_none(std::move(d.let));
    out["error"] = volume_or_none(std::move(d.error));
    nb::list beams;
    for (proton::BeamDose& b : d.beams) beams.append(dict_of(std::move(b)));
    out["beams"] = beams;
    out["fractions"] = d.fractions;
    out["notes"] = d.notes;
    out["guards"] = list_of(d.guards);
    return out;
}

/// Files that the arguments came from; empty: none.
struct Names {
    std::string plan, ct, structures;
};

nb::dict dose(proton::IonPlan const& plan, Volume const& ct, proton::Machine const* machine,
              StructureSet const* structures, PatientOptions const& patient_options,
              DoseOptions options, std::array<std::string, 3> const& files, nb::object progress) {
    Names const names{files[0], files[1], files[2]};
    return dict_of(work(progress, [&](Telling& telling) -> Result<PlanDose> {
        options.progress = telling.progress();
        if (structures)
            SLUICE_CHECK(of_file(names.structures,
                                 proton::same_coordinates(plan, structures->frame_of_reference)));
        if (!names.ct.empty()) {
            SLUICE_TRY(std::string const frame, frame_of_reference(names.ct));
            SLUICE_CHECK(of_file(names.ct, proton::same_coordinates(plan, frame)));
        }
        SLUICE_TRY(proton::Patient const patient,
                   of_file(names.ct, proton::patient_of(ct, patient_options, structures)));
        return of_file(names.plan, proton::dose(plan, patient, machine, options));
    }));
}

}  // namespace

void add_proton_dose(nb::module_& m) {
    nb::class_<PatientOptions>(m, "ProtonPatientOptions");
    nb::class_<DoseOptions>(m, "ProtonDoseOptions");
    m.def("proton_patient_options", patient_options, "table"_a, "density_table"_a,
          "quantity"_a.none(), "external"_a, "whole_image"_a, "override"_a, "water"_a);
    m.def("proton_dose_options", dose_options, "engine"_a, "dose_to"_a, "let"_a, "error"_a,
          "each_beam"_a, "spacing"_a, "pixel"_a, "step"_a, "accuracy"_a, "protons_per_mu"_a,
          "energy_spread"_a.none(), "single_fraction"_a, "kernels"_a, "keep_kernels"_a, "device"_a,
          "threads"_a);
    m.def("proton_dose", dose, "plan"_a, "ct"_a, "machine"_a.none(), "structures"_a.none(),
          "patient"_a, "options"_a, "files"_a, "progress"_a.none());
}

}  // namespace sluice::python
