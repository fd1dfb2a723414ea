// DICOM files as lines and as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/dicom_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "format/dicom/ct.h"
#include "format/dicom/dose.h"
#include "format/dicom/load.h"
#include "sluice/proton_plan.h"
#include "sluice/structures.h"

namespace sluice::cli {
namespace {

struct Grid {
    std::vector<index> sides;
    std::vector<double> spacing;
    dicom::Vector3 origin;
    AxisDirections direction;
};

void tell_grid(Grid const& g, Json* json) {
    if (json) {
        (*json)["sides"] = g.sides;
        (*json)["spacing_mm"] = g.spacing;
        (*json)["origin_mm"] = g.origin;
        (*json)["turned"] = !is_straight(g.direction);
        (*json)["direction"] = g.direction;
        return;
    }
    print_line("elements", fmt::format("{} (x first)", fmt::join(g.sides, " x ")));
    print_line("spacing", fmt::format("{:.6g} mm", fmt::join(g.spacing, " x ")));
    print_line("origin", fmt::format("{:.6g} mm", fmt::join(g.origin, ", ")));
    if (!is_straight(g.direction)) print_line("axes", describe(g.direction, 3));
}

Status ct_info(std::string const& path, std::string const& files, Json* json) {
    SLUICE_TRY(dicom::CtSeries const s, dicom::find_ct(files));
    dicom::Frame const& f = s.slices[0].frame;
    Grid const grid{{f.columns, f.rows, std::ssize(s.slices)},
                    {f.column_spacing, f.row_spacing, s.spacing},
                    f.position,
                    f.direction};
    if (json) {
        *json = Json{{"path", path},
                     {"format", "DICOM CT series"},
                     {"content", "CT, HU"},
                     {"patient_position", s.patient_position},
                     {"description", s.description},
                     {"series", s.series_uid},
                     {"frame_of_reference", s.frame_of_reference}};
        tell_grid(grid, json);
        return {};
    }
    say("{}\n", path);
    print_line("format", fmt::format("DICOM CT series of {}", plural(s.slices.size(), "image")));
    if (!s.description.empty()) print_line("series", s.description);
    tell_grid(grid, json);
    print_line("patient", s.patient_position.empty() ? "the images do not say how he lies"
                                                     : s.patient_position);
    return {};
}

Status rt_dose_info(std::string const& path, std::string const& file, Json* json) {
    SLUICE_TRY(dicom::DoseFile const d, dicom::find_dose(file));
    Grid const grid{{d.frame.columns, d.frame.rows, d.frames},
                    {d.frame.column_spacing, d.frame.row_spacing, d.spacing},
                    d.frame.position,
                    d.frame.direction};
    if (json) {
        *json = Json{{"path", path},
                     {"format", "DICOM RT dose"},
                     {"content", d.type == "EFFECTIVE" ? "effective dose, Gy" : "dose, Gy"},
                     {"summation", d.summation},
                     {"plan", d.plan_uid},
                     {"frame_of_reference", d.frame_of_reference}};
        tell_grid(grid, json);
        return {};
    }
    say("{}\n", path);
    print_line("format", "DICOM RT dose");
    tell_grid(grid, json);
    print_line("content",
               fmt::format("{} dose in Gy, {}", d.type == "EFFECTIVE" ? "effective" : "physical",
                           d.summation.empty() ? "sum not told" : d.summation));
    return {};
}

index spots_of(proton::IonBeam const& b) {
    index n = 0;
    for (proton::PlanLayer const& l : b.layers) n += std::ssize(l.spots);
    return n;
}

double meterset_of(proton::IonBeam const& b) {
    double sum = 0;
    for (proton::PlanLayer const& l : b.layers)
        for (proton::PlanSpot const& s : l.spots) sum += s.meterset;
    return sum;
}

// Of all layers of a beam, each once.
std::vector<std::string> shifters_of(proton::IonBeam const& b) {
    std::vector<std::string> out;
    for (proton::PlanLayer const& l : b.layers)
        for (proton::RangeShifter const& s : l.shifters) {
            std::string text = fmt::format("{} ({:g} mm of water, {:g} mm from the isocentre)",
                                           s.name, s.water, s.distance);
            if (std::ranges::find(out, text) == out.end()) out.push_back(std::move(text));
        }
    return out;
}

Json json_of(proton::IonBeam const& b) {
    auto const [least, most] = std::ranges::minmax(b.layers, {}, &proton::PlanLayer::energy);
    Json j{{"number", b.number},
           {"name", b.name},
           {"gantry_deg", b.gantry},
           {"couch_deg", b.couch},
           {"isocentre_mm", b.isocentre},
           {"source_mm", b.source},
           {"layers", b.layers.size()},
           {"spots", spots_of(b)},
           {"meterset", meterset_of(b)},
           {"energy_mev", {least.energy, most.energy}},
           {"range_shifters", shifters_of(b)}};
    if (b.snout) j["snout_mm"] = *b.snout;
    return j;
}

void print_beam(proton::IonBeam const& b, char const* unit) {
    auto const [least, most] = std::ranges::minmax(b.layers, {}, &proton::PlanLayer::energy);
    std::string text =
        fmt::format("{}, {}, {:.6g} {}; {:g} to {:g} MeV", plural(b.layers.size(), "layer"),
                    plural(spots_of(b), "spot"), meterset_of(b), unit, least.energy, most.energy);
    text += fmt::format("; gantry {:g}, couch {:g} degrees", b.gantry, b.couch);
    text += fmt::format("; isocentre {:g} mm", fmt::join(b.isocentre, ", "));
    for (std::string const& s : shifters_of(b)) text += "; range shifter " + s;
    print_line(fmt::format("beam {}", b.number),
               b.name.empty() ? text : fmt::format("'{}': {}", b.name, text));
}

Result<proton::IonPlan> read_to_look(std::string const& path) {
    proton::PlanDefaults defaults;
    defaults.incomplete = true;
    return proton::read_plan(path, defaults);
}

}  // namespace

Status dicom_info(std::string const& path, Json* json) {
    SLUICE_TRY(dicom::VolumeFiles const files, dicom::volume_in(path));
    return files.is_ct ? ct_info(path, files.path, json) : rt_dose_info(path, files.path, json);
}

Status plan_info(std::string const& path, Json* json) {
    SLUICE_TRY(proton::IonPlan const p, read_to_look(path));
    bool const mu = p.unit == proton::MetersetUnit::mu;
    if (json) {
        *json = Json{{"path", path},
                     {"format", "plan"},
                     {"label", p.label},
                     {"patient_position", p.patient_position},
                     {"unit", mu ? "MU" : "NP"},
                     {"fractions", p.fractions},
                     {"beams", Json::array()},
                     {"spots", p.spots()},
                     {"meterset", p.meterset()},
                     {"notes", p.notes}};
        for (proton::IonBeam const& b : p.beams) (*json)["beams"].push_back(json_of(b));
        return {};
    }
    say("{}\n", path);
    print_line("format", "DICOM RT ion plan");
    if (!p.label.empty()) print_line("label", p.label);
    print_line("plan", fmt::format("{}, {}, {}; patient {}", plural(p.beams.size(), "beam"),
                                   plural(p.spots(), "spot"), plural(p.fractions, "fraction"),
                                   p.patient_position));
    for (proton::IonBeam const& b : p.beams) print_beam(b, mu ? "MU" : "protons");
    for (std::string const& note : p.notes) print_line("note", note);
    return {};
}

Status structures_info(std::string const& path, Json* json) {
    SLUICE_TRY(StructureSet const set, load_structures(path));
    if (json) {
        *json = Json{{"path", path},
                     {"format", "structures"},
                     {"label", set.label},
                     {"frame_of_reference", set.frame_of_reference},
                     {"structures", Json::array()}};
        for (Structure const& s : set.structures)
            (*json)["structures"].push_back(Json{{"number", s.number},
                                                 {"name", s.name},
                                                 {"type", s.type},
                                                 {"contours", s.contours.size()},
                                                 {"volume_cm3", volume_cm3(s)}});
        return {};
    }
    say("{}\n", path);
    print_line("format", fmt::format("DICOM RT structure set of {}",
                                     plural(set.structures.size(), "structure")));
    if (!set.label.empty()) print_line("label", set.label);
    for (Structure const& s : set.structures)
        print_line(
            "structure",
            fmt::format("'{}'{}: {}", s.name, s.type.empty() ? "" : " (" + s.type + ")",
                        s.contours.empty()
                            ? "no closed contours"
                            : fmt::format("{}, {:.4g} cm3", plural(s.contours.size(), "contour"),
                                          volume_cm3(s))));
    return {};
}

}  // namespace sluice::cli
