// The layers of a beam: values that control points change, and keep until one changes them again.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "domain/proton/plan/dicom.h"

namespace sluice::proton {
namespace {

using dicom::Tag;
using dicom::Values;
namespace tags = dicom::tags;

// Sums of floats and of decimals that were written with six digits.
constexpr double rounding = 1e-3;
constexpr int most_spots = 10'000'000, most_paintings = 100'000;
constexpr double most_energy = 1000;  // MeV

/// What counts at a control point.
struct Now {
    double energy = 0;
    std::array<double, 2> fwhm{};
    int paintings = 1;
    std::vector<double> positions, weights;
    std::map<int, RangeShifter> shifters;  ///< by number, those in the beam
    bool shifters_told = false;
};

/// Range shifters that a beam has, by their numbers.
using Names = std::map<int, std::string>;

Result<Names> shifter_names(Values const& beam) {
    Names names;
    for (Values const& s : beam.items(tags::shifters, "range shifter")) {
        SLUICE_TRY(int const number, s.needed_whole(tags::shifter_number, 0, 1'000'000));
        std::string const name = s.text(tags::shifter_name);
        names[number] = name.empty() ? fmt::format("{}", number) : name;
    }
    return names;
}

Result<double> shifter_value(Values const& s, Tag tag, PlanDefaults const& d, std::string_view name,
                             std::vector<std::string>& notes) {
    SLUICE_TRY(auto const value, s.number(tag));
    if (value) return *value;
    auto const& given = tag == tags::shifter_water ? d.shifter_water : d.shifter_distance;
    if (!given && d.incomplete) {
        notes.push_back(to_be_given(s, tag, name));
        return 0.0;
    }
    if (!given)
        return s.missing(tag, fmt::format("give {}, or export the plan again with it", name));
    std::string note =
        fmt::format("{} is missing; {:g} mm are taken, as given.", dicom::name_of(tag), *given);
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
    return *given;
}

Status read_shifters(Values const& point, Names const& names, PlanDefaults const& d, Now& now,
                     std::vector<std::string>& notes) {
    for (Values const& s : point.items(tags::shifter_settings, "range shifter setting")) {
        now.shifters_told = true;
        SLUICE_TRY(int const number, s.needed_whole(tags::ref_shifter, 0, 1'000'000));
        auto const name = names.find(number);
        if (name == names.end()) return s.wrong(tags::ref_shifter, "no range shifter has it");
        SLUICE_TRY(std::string const setting, s.needed_text(tags::shifter_setting));
        if (setting == "OUT") {
            now.shifters.erase(number);
            continue;
        }
        RangeShifter in{name->second};
        SLUICE_TRY(in.water, shifter_value(s, tags::shifter_water, d, "shifter_water", notes));
        SLUICE_TRY(in.distance,
                   shifter_value(s, tags::shifter_distance, d, "shifter_distance", notes));
        if (in.water < 0) return s.wrong(tags::shifter_water, "it is at least 0");
        now.shifters[number] = in;
    }
    return {};
}

// A beam that has range shifters says at its first control point which are in. Where it does not,
// who reads it may.
Status check_shifters(Values const& beam, Values const& point, Names const& names,
                      PlanDefaults const& d, Now& now, std::vector<std::string>& notes) {
    if (names.empty() || now.shifters_told) return {};
    bool const given = d.shifter_water && d.shifter_distance && names.size() == 1;
    if (!given && d.incomplete) {
        now.shifters_told = true;
        notes.push_back(
            to_be_given(point, tags::shifter_settings, "shifter_water and shifter_distance"));
        return {};
    }
    if (!given)
        return point.missing(tags::shifter_settings,
                             "give shifter_water and shifter_distance of its one range shifter, or "
                             "export the plan again with it");
    now.shifters_told = true;
    now.shifters[names.begin()->first] = {names.begin()->second, *d.shifter_water,
                                          *d.shifter_distance};
    notes.push_back(
        fmt::format("{}{} is missing; range shifter '{}' of {:g} mm of water, {:g} mm "
                    "from the isocentre, is taken to be in.",
                    beam.where(), dicom::name_of(tags::shifter_settings), names.begin()->second,
                    *d.shifter_water, *d.shifter_distance));
    return {};
}

Status read_spots(Values const& p, Now& now) {
    if (p.has(tags::spot_positions)) {
        SLUICE_TRY(now.positions, p.numbers(tags::spot_positions));
    }
    if (p.has(tags::spot_weights)) {
        SLUICE_TRY(now.weights, p.numbers(tags::spot_weights));
    }
    std::size_t count = now.weights.size();
    if (p.has(tags::spot_count)) {
        SLUICE_TRY(int const told, p.needed_whole(tags::spot_count, 0, most_spots));
        count = static_cast<std::size_t>(told);
    }
    if (now.weights.size() != count || now.positions.size() != 2 * count)
        return p.error(
            fmt::format("{} has {} numbers and {} has {} ({} spots are declared) export "
                        "the plan again",
                        dicom::name_of(tags::spot_positions), now.positions.size(),
                        dicom::name_of(tags::spot_weights), now.weights.size(), count));
    for (double const w : now.weights)
        if (!(w >= 0))
            return p.error(fmt::format("{} has {:g} (weights are at least 0) export the plan again",
                                       dicom::name_of(tags::spot_weights), w));
    return {};
}

Status read_point(Values const& p, Now& now) {
    if (p.has(tags::energy)) {
        SLUICE_TRY(now.energy, p.needed_number(tags::energy));
        if (!(now.energy > 0 && now.energy < most_energy))
            return p.wrong(tags::energy, "it is in MeV");
    }
    if (p.has(tags::spot_size)) {
        SLUICE_TRY(now.fwhm, p.needed_numbers<2>(tags::spot_size));
        if (!(now.fwhm[0] >= 0 && now.fwhm[1] >= 0))
            return p.wrong(tags::spot_size, "widths are above 0");
    }
    if (p.has(tags::paintings)) {
        SLUICE_TRY(now.paintings, p.needed_whole(tags::paintings, 1, most_paintings));
    }
    return read_spots(p, now);
}

void complete_fwhm(Values const& beam, PlanDefaults const& d, PlanLayer& layer,
                   std::vector<std::string>& notes) {
    if (layer.fwhm[0] > 0 && layer.fwhm[1] > 0) return;
    auto const given = both(d.fwhm);
    layer.fwhm = given.value_or(std::array<double, 2>{});
    std::string note =
        given ? fmt::format("{}{} is missing; {:g} and {:g} mm are taken, as given.", beam.where(),
                            dicom::name_of(tags::spot_size), (*given)[0], (*given)[1])
              : fmt::format("{}{} is missing: how wide spots are has to be given.", beam.where(),
                            dicom::name_of(tags::spot_size));
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
}

/// `factor`: meterset of a weight of 1.
PlanLayer layer_of(Now const& now, double factor) {
    PlanLayer layer{now.energy, now.fwhm, now.paintings};
    for (auto const& [number, shifter] : now.shifters)
        if (shifter.water > 0) layer.shifters.push_back(shifter);
    for (std::size_t i = 0; i < now.weights.size(); ++i)
        layer.spots.push_back(
            {now.positions[2 * i], now.positions[2 * i + 1], now.weights[i] * factor});
    return layer;
}

// What a control point delivers until the next one: spots, and the meterset beside them, have to
// say the same. Where it has no weights of its own, the meterset says whether those before count
// again.
Status check_delivered(Values const& p, Now& now, double step, double final_weight) {
    if (!p.has(tags::spot_weights) && std::abs(step) <= rounding * final_weight)
        std::ranges::fill(now.weights, 0.0);
    double const sum = std::accumulate(now.weights.begin(), now.weights.end(), 0.0);
    if (std::abs(sum - step) <= rounding * final_weight) return {};
    return p.error(fmt::format(
        "{} sum to {:g}, and {} grows by {:g} until the next control point; "
        "export the plan again",
        dicom::name_of(tags::spot_weights), sum, dicom::name_of(tags::cumulative_weight), step));
}

}  // namespace

Status read_layers(Values const& beam, double meterset, PlanDefaults const& defaults, IonBeam& into,
                   std::vector<std::string>& notes) {
    SLUICE_TRY(double const final_weight, beam.needed_number(tags::final_weight));
    if (!(final_weight > 0)) return beam.wrong(tags::final_weight, "it is above 0");
    SLUICE_TRY(Names const names, shifter_names(beam));
    auto const points = beam.items(tags::control_points, "control point");
    std::vector<double> cumulative;
    for (Values const& p : points) {
        SLUICE_TRY(double const weight, p.needed_number(tags::cumulative_weight));
        if (weight < 0 || (!cumulative.empty() && weight < cumulative.back()))
            return p.wrong(tags::cumulative_weight, "it begins at 0 and never falls");
        cumulative.push_back(weight);
    }
    if (std::abs(cumulative.back() - final_weight) > rounding * final_weight)
        return points.back().wrong(
            tags::cumulative_weight,
            fmt::format("{} is {:g}", dicom::name_of(tags::final_weight), final_weight),
            "export the plan again with all control points");
    Now now;
    for (std::size_t i = 0; i < points.size(); ++i) {
        SLUICE_CHECK(read_point(points[i], now));
        SLUICE_CHECK(read_shifters(points[i], names, defaults, now, notes));
        SLUICE_CHECK(check_shifters(beam, points[i], names, defaults, now, notes));
        double const step = i + 1 < points.size() ? cumulative[i + 1] - cumulative[i] : 0;
        SLUICE_CHECK(check_delivered(points[i], now, step, final_weight));
        if (std::ranges::all_of(now.weights, [](double w) { return w == 0; })) continue;
        if (now.energy == 0) return points[i].missing(tags::energy);
        PlanLayer& layer = into.layers.emplace_back(layer_of(now, meterset / final_weight));
        complete_fwhm(beam, defaults, layer, notes);
    }
    if (into.layers.empty())
        return beam.missing(tags::spot_weights, "export the plan again with its spots");
    return {};
}

}  // namespace sluice::proton
