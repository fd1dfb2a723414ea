// Plans of scanned beams, structures, and doses as DICOM.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_plan.h"

#include "bind/proton.h"
#include "sluice/dicom.h"
#include "sluice/structures.h"

namespace sluice::python {
namespace {

using proton::IonBeam;
using proton::IonPlan;
using proton::PlanDefaults;
using proton::PlanLayer;
using proton::PlanSpot;
using proton::RangeShifter;

using ShifterNumbers = std::tuple<std::string, double, double>;

nb::object spots_array(PlanLayer const& l) {
    std::vector<double> out;
    for (PlanSpot const& s : l.spots) out.insert(out.end(), {s.x, s.y, s.meterset});
    return to_numpy(std::move(out), {std::ssize(l.spots), 3});
}

nb::dict dict_of(PlanLayer const& l) {
    nb::dict out;
    out["energy"] = l.energy;
    out["fwhm"] = l.fwhm;
    out["paintings"] = l.paintings;
    std::vector<ShifterNumbers> shifters;
    for (RangeShifter const& s : l.shifters) shifters.emplace_back(s.name, s.water, s.distance);
    out["shifters"] = shifters;
    out["spots"] = spots_array(l);
    return out;
}

nb::dict dict_of(IonBeam const& b) {
    nb::dict out;
    out["number"] = b.number;
    out["name"] = b.name;
    out["gantry"] = b.gantry;
    out["couch"] = b.couch;
    out["isocentre"] = b.isocentre;
    out["source"] = b.source;
    out["snout"] = b.snout;
    nb::list layers;
    for (PlanLayer const& l : b.layers) layers.append(dict_of(l));
    out["layers"] = layers;
    return out;
}

}  // namespace

nb::dict dict_of(IonPlan const& p) {
    nb::dict out;
    out["label"] = p.label;
    out["uid"] = p.uid;
    out["frame_of_reference"] = p.frame_of_reference;
    out["patient_position"] = p.patient_position;
    out["unit"] = p.unit == proton::MetersetUnit::mu ? "mu" : "protons";
    out["fractions"] = p.fractions;
    nb::list beams;
    for (IonBeam const& b : p.beams) beams.append(dict_of(b));
    out["beams"] = beams;
    out["notes"] = p.notes;
    return out;
}

namespace {

nb::dict read_plan(std::string const& path, std::vector<double> const& source,
                   std::vector<double> const& fwhm, std::optional<double> shifter_water,
                   std::optional<double> shifter_distance, std::string const& patient_position,
                   bool incomplete) {
    PlanDefaults const defaults{source,           fwhm,      shifter_water, shifter_distance,
                                patient_position, incomplete};
    return python::dict_of(
        work(nb::none(), [&](Telling&) { return proton::read_plan(path, defaults); }));
}

// A layer without its spots, and these.
using LayerNumbers =
    std::tuple<double, std::array<double, 2>, int, std::vector<ShifterNumbers>, Dense<double, 2>>;
// number, name, gantry, couch, isocentre, source, snout, layers
using BeamParts =
    std::tuple<int, std::string, double, double, std::array<double, 3>, std::array<double, 2>,
               std::optional<double>, std::vector<LayerNumbers>>;

PlanLayer layer_of(LayerNumbers const& n) {
    auto const& [energy, fwhm, paintings, shifters, spots] = n;
    if (spots.shape(1) != 3)
        raise({Code::invalid_argument, "spots are an array [spot, 3] of x, y and meterset"});
    PlanLayer l{energy, fwhm, paintings};
    for (auto const& [name, water, distance] : shifters)
        l.shifters.push_back({name, water, distance});
    for (std::size_t i = 0; i < spots.shape(0); ++i)
        l.spots.push_back({spots(i, 0), spots(i, 1), spots(i, 2)});
    return l;
}

// label, uid, frame of reference, patient position, unit, fractions, beams, notes
using PlanParts = std::tuple<std::string, std::string, std::string, std::string, std::string, int,
                             std::vector<BeamParts>, std::vector<std::string>>;

IonPlan plan_of(PlanParts const& parts) {
    auto const& [label, uid, frame, position, unit, fractions, beams, notes] = parts;
    IonPlan p{label, uid, frame, position};
    p.unit = choice<proton::MetersetUnit>(
        "unit", unit,
        {{"mu", proton::MetersetUnit::mu}, {"protons", proton::MetersetUnit::protons}});
    p.fractions = fractions;
    p.notes = notes;
    for (auto const& [number, name, gantry, couch, isocentre, source, snout, layers] : beams) {
        IonBeam b{number, name, gantry, couch, isocentre, source, snout};
        for (LayerNumbers const& l : layers) b.layers.push_back(layer_of(l));
        p.beams.push_back(std::move(b));
    }
    return p;
}

void save_plan_list(std::string const& path, IonPlan const& plan) {
    work(nb::none(), [&](Telling&) { return proton::save_plan_list(path, plan); });
}

nb::list contours_of(std::vector<Contour> const& contours) {
    nb::list out;
    for (Contour const& c : contours) {
        std::vector<double> flat;
        for (auto const& p : c) flat.insert(flat.end(), p.begin(), p.end());
        out.append(to_numpy(std::move(flat), {std::ssize(c), 3}));
    }
    return out;
}

nb::list dicts_of(StructureSet const& set) {
    nb::list out;
    for (Structure const& s : set.structures) {
        nb::dict one;
        one["number"] = s.number;
        one["name"] = s.name;
        one["type"] = s.type;
        one["contours"] = contours_of(s.contours);
        one["points"] = contours_of(s.points);
        one["volume"] = volume_cm3(s);
        one["frame_of_reference"] = set.frame_of_reference;
        out.append(one);
    }
    return out;
}

StructureSet load_structure_set(std::string const& path) {
    return work(nb::none(), [&](Telling&) { return sluice::load_structures(path); });
}

using Corners = Dense<double, 2>;

std::vector<Contour> contours_from(std::vector<Corners> const& from) {
    std::vector<Contour> out;
    for (Corners const& corners : from) {
        if (corners.shape(1) != 3)
            raise({Code::invalid_argument, "contours are arrays [corner, 3] in mm, x first"});
        Contour& c = out.emplace_back();
        for (std::size_t i = 0; i < corners.shape(0); ++i)
            c.push_back({corners(i, 0), corners(i, 1), corners(i, 2)});
    }
    return out;
}

// number, name, type, contours, points
using StructureArrays =
    std::tuple<int, std::string, std::string, std::vector<Corners>, std::vector<Corners>>;

StructureSet structure_set(std::vector<StructureArrays> const& parts, std::string const& frame) {
    StructureSet set;
    set.frame_of_reference = frame;
    for (auto const& [number, name, type, contours, points] : parts)
        set.structures.push_back(
            {number, name, type, contours_from(contours), contours_from(points)});
    return set;
}

void save_dose(std::string const& path, Volume const& dose, std::string const& ct,
               std::string const& plan, bool effective, std::string const& description,
               std::string const& comment) {
    work(nb::none(), [&](Telling&) -> Status {
        SLUICE_TRY(DicomReference const of, dicom_reference(ct, plan));
        return save_dicom_dose(path, dose, of, {effective, description, comment});
    });
}

}  // namespace

void add_proton_plan(nb::module_& m) {
    m.def("proton_read_plan", read_plan, "path"_a, "source"_a, "fwhm"_a, "shifter_water"_a.none(),
          "shifter_distance"_a.none(), "patient_position"_a, "incomplete"_a);
    nb::class_<IonPlan>(m, "ProtonPlan");
    m.def("proton_plan", plan_of, "parts"_a);
    m.def("proton_save_plan_list", save_plan_list, "path"_a, "plan"_a);
    nb::class_<StructureSet>(m, "StructureSet").def_prop_ro("structures", dicts_of);
    m.def("load_structure_set", load_structure_set, "path"_a);
    m.def("structure_set", structure_set, "structures"_a, "frame_of_reference"_a);
    m.def("save_dicom_dose", save_dose, "path"_a, "dose"_a, "ct"_a, "plan"_a, "effective"_a,
          "description"_a, "comment"_a);
}

}  // namespace sluice::python
