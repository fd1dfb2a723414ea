// One beam of an RT ion plan: what it is, and what stands still within it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/plan/dicom.h"

namespace sluice::proton {
namespace {

using dicom::Tag;
using dicom::Values;
namespace tags = dicom::tags;

// mm, degrees: digits of writers.
constexpr double still = 1e-3;

Status check_kind(Values const& beam) {
    SLUICE_TRY(std::string const radiation, beam.needed_text(tags::radiation));
    if (radiation != "PROTON")
        return beam.wrong(tags::radiation, "beams of protons are read", "give a plan of these",
                          Code::unsupported);
    SLUICE_TRY(std::string const mode, beam.needed_text(tags::scan_mode));
    if (mode != "MODULATED" && mode != "MODULATED_SPEC")
        return beam.wrong(tags::scan_mode,
                          "scanned beams are read (MODULATED), no scattered or uniform ones",
                          "give a plan of scanned beams", Code::unsupported);
    for (Tag const device : {tags::compensators, tags::modulator_count}) {
        SLUICE_TRY(auto const count, beam.number(device));
        if (count && *count > 0)
            return beam.wrong(device, "what it stands for is not followed", "plan without it",
                              Code::unsupported);
    }
    return {};
}

Status note_blocks(Values const& beam, std::vector<std::string>& notes) {
    SLUICE_TRY(auto const blocks, beam.number(tags::blocks));
    if (blocks && *blocks > 0)
        notes.push_back(
            fmt::format("{}{} is {:g}: apertures are left out, and the dose beside them "
                        "is too high.",
                        beam.where(), dicom::name_of(tags::blocks), *blocks));
    return {};
}

Result<std::array<double, 2>> read_source(Values const& beam, PlanDefaults const& defaults,
                                          std::vector<std::string>& notes) {
    if (!beam.has(tags::source_distances)) {
        auto const given = both(defaults.source);
        if (!given && defaults.incomplete) {
            notes.push_back(to_be_given(beam, tags::source_distances, "source"));
            return std::array<double, 2>{};
        }
        if (!given)
            return beam.missing(tags::source_distances,
                                "give source, the distances of the virtual sources, or export the "
                                "plan again with it");
        notes.push_back(fmt::format("{}{} is missing; {:g} and {:g} mm are taken, as given.",
                                    beam.where(), dicom::name_of(tags::source_distances),
                                    (*given)[0], (*given)[1]));
        return *given;
    }
    SLUICE_TRY(auto const source, beam.needed_numbers<2>(tags::source_distances));
    if (!(source[0] > 0 && source[1] > 0))
        return beam.wrong(tags::source_distances, "distances are above 0");
    return source;
}

// A value that the first control point has, and that no other one changes.
template <std::size_t Count>
Result<std::array<double, Count>> read_still(std::vector<Values> const& points, Tag tag,
                                             std::string_view what) {
    SLUICE_TRY(auto const first, points[0].template needed_numbers<Count>(tag));
    for (Values const& p : points) {
        if (!p.has(tag)) continue;
        SLUICE_TRY(auto const here, p.template needed_numbers<Count>(tag));
        for (std::size_t i = 0; i < Count; ++i)
            if (std::abs(here[i] - first[i]) > still)
                return p.wrong(tag, fmt::format("{} within a beam", what),
                               "give a plan in which it stands still", Code::unsupported);
    }
    return first;
}

Status check_turns(std::vector<Values> const& points) {
    for (Values const& p : points) {
        for (Tag const tag : {tags::gantry_rotation, tags::couch_rotation})
            if (std::string const turn = p.text(tag); !turn.empty() && turn != "NONE")
                return p.wrong(tag, "it turns within a beam", "give a plan of fields that stand",
                               Code::unsupported);
        for (Tag const tag : {tags::couch_pitch, tags::couch_roll, tags::gantry_pitch}) {
            SLUICE_TRY(auto const angle, p.number(tag));
            if (angle && std::abs(*angle) > still)
                return p.wrong(tag, "this angle is not followed", "plan with 0 degrees",
                               Code::unsupported);
        }
    }
    return {};
}

Status read_snout(std::vector<Values> const& points, IonBeam& b, std::vector<std::string>& notes) {
    bool moves = false;
    for (Values const& p : points) {
        SLUICE_TRY(auto const here, p.number(tags::snout_position));
        if (!here) continue;
        moves = moves || (b.snout && std::abs(*here - *b.snout) > still);
        if (!b.snout) b.snout = *here;
    }
    if (moves)
        notes.push_back(
            fmt::format("Beam {}: the snout moves; its first position is kept.", b.number));
    return {};
}

}  // namespace

Result<IonBeam> read_beam(Values const& beam, double meterset, PlanDefaults const& defaults,
                          std::vector<std::string>& notes) {
    SLUICE_CHECK(check_kind(beam));
    SLUICE_CHECK(note_blocks(beam, notes));
    IonBeam b;
    SLUICE_TRY(b.number, beam.needed_whole(tags::beam_number, 0, 1'000'000));
    b.name = beam.text(tags::beam_name);
    SLUICE_TRY(b.source, read_source(beam, defaults, notes));
    auto const points = beam.items(tags::control_points, "control point");
    if (points.empty()) return beam.missing(tags::control_points);
    SLUICE_TRY(auto const gantry, read_still<1>(points, tags::gantry, "the gantry turns"));
    SLUICE_TRY(auto const couch, read_still<1>(points, tags::couch, "the couch turns"));
    SLUICE_TRY(b.isocentre, read_still<3>(points, tags::isocentre, "the isocentre moves"));
    b.gantry = gantry[0];
    b.couch = couch[0];
    SLUICE_CHECK(check_turns(points));
    SLUICE_CHECK(read_snout(points, b, notes));
    SLUICE_CHECK(read_layers(beam, meterset, defaults, b, notes));
    return b;
}

}  // namespace sluice::proton
