// RT ion plans (PS3.3 A.49, C.8.8.25): beams, fractions, how the patient lies.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "domain/proton/plan/dicom.h"
#include "format/dicom/apart_files.h"
#include "format/dicom/mark.h"

namespace sluice::proton {
namespace {

using dicom::Values;
namespace tags = dicom::tags;

constexpr int any_number = 1'000'000;
// A list of 250 000 spots.
constexpr std::uint64_t most_list = 64 << 20;

Status check_class(Values const& v) {
    std::string const sop_class = v.text(tags::sop_class);
    if (sop_class == dicom::classes::ion_plan) return {};
    return v.error(
        fmt::format("is {}, not an RT ion plan; give one", dicom::describe_class(sop_class)),
        Code::unsupported);
}

// All setups of a plan have the same position, or spots would be where they are not.
Status read_position(Values const& v, PlanDefaults const& defaults, IonPlan& plan) {
    for (Values const& setup : v.items(tags::patient_setups, "patient setup")) {
        std::string const p = setup.text(tags::patient_position);
        if (p.empty()) continue;
        if (!is_position(p))
            return setup.wrong(tags::patient_position, "HFS, HFP, FFS and FFP are read",
                               "plan on a patient on his back or front", Code::unsupported);
        if (!plan.patient_position.empty() && p != plan.patient_position)
            return setup.wrong(tags::patient_position,
                               fmt::format("another setup has '{}'", plan.patient_position),
                               "export a plan for each", Code::unsupported);
        plan.patient_position = p;
    }
    if (!plan.patient_position.empty()) return {};
    if (defaults.patient_position.empty() && defaults.incomplete) {
        plan.notes.push_back(to_be_given(v, tags::patient_position, "patient_position"));
        return {};
    }
    if (defaults.patient_position.empty())
        return v.missing(tags::patient_position,
                         "give patient_position, as in HFS, or export the plan again with it");
    plan.patient_position = defaults.patient_position;
    plan.notes.push_back(fmt::format("{} is missing; {} is taken, as given.",
                                     dicom::name_of(tags::patient_position),
                                     plan.patient_position));
    return {};
}

Result<Values> fraction_group(Values const& v) {
    auto const groups = v.items(tags::fraction_groups, "fraction group");
    if (groups.empty()) return v.missing(tags::fraction_groups);
    if (groups.size() > 1)
        return v.error(fmt::format("{} has {} items (which one is meant?) export a plan for each",
                                   dicom::name_of(tags::fraction_groups), groups.size()),
                       Code::unsupported);
    return groups[0];
}

// Of one fraction.
Result<double> meterset_of(Values const& group, int beam) {
    for (Values const& of_beam : group.items(tags::ref_beams, "beam")) {
        SLUICE_TRY(int const number, of_beam.needed_whole(tags::ref_beam, 0, any_number));
        if (number != beam) continue;
        SLUICE_TRY(double const meterset, of_beam.needed_number(tags::beam_meterset));
        if (!(meterset > 0)) return of_beam.wrong(tags::beam_meterset, "it is above 0");
        return meterset;
    }
    return group.error(
        fmt::format("{} has no item for beam {}, so that {} is missing; export the "
                    "plan again with it",
                    dicom::name_of(tags::ref_beams), beam, dicom::name_of(tags::beam_meterset)));
}

Status read_unit(Values const& beam, bool first, IonPlan& plan) {
    if (!beam.has(tags::dosimeter_unit)) return beam.missing(tags::dosimeter_unit);
    std::string const unit = beam.text(tags::dosimeter_unit);
    if (unit != "MU" && unit != "NP")
        return beam.wrong(tags::dosimeter_unit, "MU and NP are read", "export the plan in MU",
                          Code::unsupported);
    MetersetUnit const here = unit == "MU" ? MetersetUnit::mu : MetersetUnit::protons;
    if (!first && here != plan.unit)
        return beam.wrong(tags::dosimeter_unit, "another beam has another unit",
                          "export the plan in one", Code::unsupported);
    plan.unit = here;
    return {};
}

// Beams that only set the patient up deliver nothing.
bool is_treatment(Values const& beam) {
    std::string const delivery = beam.text(tags::delivery);
    return delivery.empty() || delivery == "TREATMENT" || delivery == "CONTINUATION";
}

Status read_beams(Values const& v, PlanDefaults const& defaults, IonPlan& plan) {
    auto const beams = v.items(tags::beams, "beam");
    if (beams.empty()) return v.missing(tags::beams);
    SLUICE_TRY(Values const group, fraction_group(v));
    SLUICE_TRY(auto const fractions, group.number(tags::fractions));
    if (fractions) {
        SLUICE_TRY(plan.fractions, group.needed_whole(tags::fractions, 1, any_number));
    } else {
        plan.notes.push_back(
            fmt::format("{} is missing; 1 is taken.", dicom::name_of(tags::fractions)));
    }
    for (Values const& unnamed : beams) {
        SLUICE_TRY(int const number, unnamed.needed_whole(tags::beam_number, 0, any_number));
        std::string const name = unnamed.text(tags::beam_name);
        Values const beam = unnamed.at(name.empty() ? fmt::format("beam {}: ", number)
                                                    : fmt::format("beam {} '{}': ", number, name));
        if (!is_treatment(beam)) {
            plan.notes.push_back(fmt::format("Beam {} is left out ({} is {}).", number,
                                             dicom::name_of(tags::delivery),
                                             beam.text(tags::delivery)));
            continue;
        }
        if (std::ranges::find(plan.beams, number, &IonBeam::number) != plan.beams.end())
            return beam.wrong(tags::beam_number, "another beam has it, too");
        SLUICE_CHECK(read_unit(beam, plan.beams.empty(), plan));
        SLUICE_TRY(double const meterset, meterset_of(group, number));
        SLUICE_TRY(IonBeam one, read_beam(beam, meterset, defaults, plan.notes));
        plan.beams.push_back(std::move(one));
    }
    if (plan.beams.empty())
        return v.error("has no beam that treats; give another plan", Code::unsupported);
    return {};
}

}  // namespace

std::string to_be_given(Values const& v, dicom::Tag tag, std::string_view names) {
    return fmt::format("{}{} is missing: give {}.", v.where(), dicom::name_of(tag), names);
}

bool is_position(std::string_view p) {
    return p == "HFS" || p == "HFP" || p == "FFS" || p == "FFP";
}

std::optional<std::array<double, 2>> both(std::vector<double> const& given) {
    if (given.empty()) return {};
    return std::array{given.front(), given.back()};
}

Status check_defaults(PlanDefaults const& d) {
    auto const bad = [](std::string_view name, std::string_view wanted) {
        return Error{Code::invalid_argument, fmt::format("{} {}", name, wanted)};
    };
    auto const lengths = [](std::vector<double> const& v) {
        return v.size() <= 2 && std::ranges::all_of(v, [](double l) { return l > 0 && l < 1e6; });
    };
    if (!lengths(d.source)) return bad("source", "is one length or two, above 0 mm");
    if (!lengths(d.fwhm)) return bad("fwhm", "is one length or two, above 0 mm");
    if (d.shifter_water && !(*d.shifter_water > 0 && *d.shifter_water < 1e4))
        return bad("shifter_water", "is above 0 mm");
    if (d.shifter_distance && !(*d.shifter_distance >= 0 && *d.shifter_distance < 1e5))
        return bad("shifter_distance", "is at least 0 mm");
    if (!d.patient_position.empty() && !is_position(d.patient_position))
        return bad("patient_position", "is HFS, HFP, FFS or FFP");
    return {};
}

Result<IonPlan> plan_of(dicom::Dataset const& dataset, std::string const& file,
                        PlanDefaults const& defaults) {
    SLUICE_CHECK(check_defaults(defaults));
    Values const v(dataset, file);
    SLUICE_CHECK(check_class(v));
    IonPlan plan;
    plan.label = v.text(tags::plan_label);
    plan.uid = v.text(tags::sop_instance);
    plan.frame_of_reference = v.text(tags::frame_of_reference);
    SLUICE_CHECK(read_position(v, defaults, plan));
    SLUICE_CHECK(read_beams(v, defaults, plan));
    return plan;
}

Result<IonPlan> read_plan(std::string const& path, PlanDefaults const& defaults) {
    if (dicom::class_of(path)) {
        SLUICE_TRY(dicom::Dataset const dataset, dicom::read_dataset(path));
        return plan_of(dataset, path, defaults);
    }
    SLUICE_TRY(auto const bytes, read_file(path, most_list));
    return parse_plan_list({reinterpret_cast<char const*>(bytes.data()), bytes.size()}, path,
                           defaults);
}

index IonPlan::spots() const {
    index n = 0;
    for (IonBeam const& b : beams)
        for (PlanLayer const& l : b.layers) n += std::ssize(l.spots);
    return n;
}

double IonPlan::meterset() const {
    double sum = 0;
    for (IonBeam const& b : beams)
        for (PlanLayer const& l : b.layers)
            for (PlanSpot const& s : l.spots) sum += s.meterset;
    return sum;
}

}  // namespace sluice::proton
