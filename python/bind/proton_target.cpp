// Spots for a target.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_target.h"

#include "base/of_file.h"
#include "bind/proton.h"
#include "domain/proton/cube/fields.h"
#include "sluice/dicom.h"

namespace sluice::python {
namespace {

using proton::TargetOptions;
using proton::TargetPlan;

TargetOptions target_options(std::vector<double> const& gantry, std::vector<double> const& couch,
                             std::vector<double> const& isocentre, double dose, int fractions,
                             std::array<double, 3> const& lengths, std::string const& position,
                             std::string const& kernels, bool keep_kernels, int threads) {
    device_named("cpu", threads);
    TargetOptions o{.gantry = gantry, .couch = couch, .isocentre = isocentre, .dose = dose};
    o.fractions = fractions;
    o.margin = lengths[0];
    o.spacing = lengths[1];
    o.layer_spacing = lengths[2];
    o.patient_position = position;
    o.kernels = kernels;
    o.keep_kernels = keep_kernels;
    o.threads = threads;
    unwrap(config::check_fields(o, proton::target_fields()));
    return o;
}

Result<Structure const*> named(StructureSet const& set, std::string const& name) {
    for (Structure const& s : set.structures)
        if (s.name == name) return &s;
    return Error{Code::not_found,
                 "there is no structure '" + name + "'; load_structures() lists all"};
}

Status same_space(std::string const& ct, StructureSet const& structures) {
    if (ct.empty()) return {};
    SLUICE_TRY(InCoordinates const of_ct, in_coordinates(ct));
    SLUICE_CHECK(same_coordinates(of_ct, {"the structures", structures.frame_of_reference}));
    return {};
}

/// `file`: that of the CT; empty: none.
nb::dict place_spots(Volume const& ct, std::string const& file, StructureSet const& structures,
                     std::string const& target, proton::Machine const& machine,
                     proton::PatientOptions const& patient_options, TargetOptions options,
                     nb::object progress) {
    TargetPlan const p = work(progress, [&](Telling& telling) -> Result<TargetPlan> {
        options.progress = telling.progress();
        SLUICE_CHECK(same_space(file, structures));
        SLUICE_TRY(Structure const* const chosen, named(structures, target));
        SLUICE_TRY(proton::Patient const patient,
                   proton::patient_of(ct, patient_options, &structures));
        SLUICE_TRY(TargetPlan made, proton::place_spots(patient, ct, *chosen, machine, options));
        made.plan.frame_of_reference = structures.frame_of_reference;
        return made;
    });
    nb::dict out;
    out["plan"] = dict_of(p.plan);
    nb::list beams;
    for (proton::TargetBeam const& b : p.beams)
        beams.append(nb::make_tuple(b.layers, b.spots, b.shallowest, b.deepest));
    out["beams"] = beams;
    out["guards"] = list_of(p.guards);
    return out;
}

}  // namespace

void add_proton_target(nb::module_& m) {
    nb::class_<TargetOptions>(m, "ProtonTargetOptions");
    m.def("proton_target_options", target_options, "gantry"_a, "couch"_a, "isocentre"_a, "dose"_a,
          "fractions"_a, "lengths"_a, "patient_position"_a, "kernels"_a, "keep_kernels"_a,
          "threads"_a);
    m.def("proton_place_spots", place_spots, "ct"_a, "file"_a, "structures"_a, "target"_a,
          "machine"_a, "patient"_a, "options"_a, "progress"_a.none());
}

}  // namespace sluice::python
