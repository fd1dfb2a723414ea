// Puts matches into columns, and says what they have in common.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/map_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "domain/crystal/median.h"

namespace sluice::orient {
namespace {

using stem4d::OrientationMap;
using stem4d::OrientationReason;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

void put(Match const& m, OrientationMap& map) {
    Evidence const& e = m.evidence;
    bool const matched = m.phase >= 0;
    map.reason.push_back(m.reason);
    map.phase.push_back(m.phase);
    map.orientation.push_back(m.orientation);
    map.covariance.push_back(m.covariance);
    map.score.push_back(matched ? e.score : nan);
    map.second_score.push_back(matched ? e.second_score : nan);
    map.residual.push_back(matched ? e.residual : nan);
    map.explained.push_back(matched ? e.explained : nan);
    map.disks.push_back(e.disks);
    map.probability.push_back(matched ? believe(e).probability : nan);
}

std::string reasons_note(OrientationMap const& map) {
    auto const count = [&](OrientationReason r) { return std::ranges::count(map.reason, r); };
    std::string text = fmt::format("{} of {} patterns are indexed",
                                   count(OrientationReason::indexed), map.reason.size());
    char const* between = "; not indexed: ";
    for (std::size_t r = 1; r < stem4d::orientation_reasons; ++r) {
        auto const reason = static_cast<OrientationReason>(r);
        if (count(reason) == 0) continue;
        text += fmt::format("{}{} ({})", between, count(reason), name_of(reason));
        between = ", ";
    }
    return text;
}

// Probabilities are right in simulations: their sum says how many matches are wrong.
void add_wrong_note(OrientationMap& map) {
    index const indexed = stem4d::indexed_patterns(map);
    if (indexed == 0) return;
    double wrong = 0;
    for (std::size_t p = 0; p < map.reason.size(); ++p)
        if (map.reason[p] == OrientationReason::indexed)
            wrong += 1 - static_cast<double>(map.probability[p]);
    map.notes.push_back(
        fmt::format("of {} indexed patterns about {:.1f} are wrong, if their "
                    "probabilities are right",
                    indexed, wrong));
}

// Weighted by their errors: a pixel size that is wrong moves all disks by one factor.
void add_stretch_note(std::vector<std::vector<Match>> const& found, OrientationMap& map) {
    double sum = 0, weights = 0;
    for (auto const& grains : found) {
        Match const& m = grains.front();
        double const error = static_cast<double>(m.evidence.stretch_error);
        if (m.reason != OrientationReason::indexed || !(error > 0)) continue;
        sum += static_cast<double>(m.evidence.stretch) / (error * error);
        weights += 1 / (error * error);
    }
    if (!(weights > 0)) return;
    double const factor = sum / weights, error = 1 / std::sqrt(weights);
    map.common_factor = 1 + factor;
    map.common_factor_error = error;
    if (std::abs(factor) > std::max(0.003, 5 * error))
        map.notes.push_back(fmt::format(
            "disks lie {:.2f} +- {:.2f} % {} the direct beam than theory says: the pixel size or "
            "the cells are wrong by that",
            100 * std::abs(factor), 100 * error, factor > 0 ? "farther from" : "nearer to"));
}

void add_error_notes(MatchRules const& rules, MeasuredErrors const& measured, OrientationMap& map) {
    ErrorModel const& e = measured.errors;
    auto const& library = rules.fit.library.options;
    char const* from = measured.patterns > 0 ? "measured" : "assumed, not measured";
    map.notes.push_back(fmt::format(
        "errors beside those of the disks ({}): {:.2g} 1/ångström in each direction of a place, "
        "{:.2g} of the root of an intensity",
        from, std::sqrt(e.place_variance), e.intensity_part));
    map.notes.push_back(fmt::format(
        "intensities fall off Ewald's sphere {} of {:.3g} 1/ångström ({}); the library searches "
        "with a Gaussian whose sigma is {:.3g}",
        e.envelope == Envelope::slab ? "as those of slabs, to a half at an excitation error"
                                     : "as a Gaussian with a sigma",
        e.excitation_sigma, from, library.excitation_sigma));
    if (measured.better_kilovolts > 0)
        map.notes.push_back(fmt::format(
            "the patterns fit electrons of about {:.0f} kV better than those of {:g} kV: check "
            "the voltage of the library",
            measured.better_kilovolts, library.kilovolts));
    if (index const beyond = rules.fit.reader.beyond(); beyond > 0)
        map.notes.push_back(fmt::format(
            "{} disks lie beyond {:g} 1/ångström, the library's most_frequency, and have no say",
            beyond, library.most_frequency));
}

}  // namespace

OrientationMap map_of(std::vector<std::vector<Match>> const& found,
                      stem4d::CalibratedVectors const& vectors,
                      stem4d::OrientationLibrary const& library, MatchRules const& rules,
                      MeasuredErrors const& measured) {
    OrientationMap map;
    map.scan_shape = vectors.vectors.scan_shape;
    map.phases = library.phases();
    map.kilovolts = library.options().kilovolts;
    for (auto const& grains : found) put(grains.front(), map);
    for (index grain = 1; grain < rules.options.grains; ++grain) {
        OrientationMap under;
        under.scan_shape = map.scan_shape;
        under.phases = map.phases;
        for (auto const& grains : found)
            put(grain < std::ssize(grains) ? grains[static_cast<std::size_t>(grain)] : Match{},
                under);
        map.overlapping.push_back(std::move(under));
    }
    map.notes.push_back(reasons_note(map));
    add_wrong_note(map);
    add_error_notes(rules, measured, map);
    add_stretch_note(found, map);
    auto const& rotation = vectors.calibration.rotation;
    map.notes.push_back(
        rotation ? fmt::format("the detector is turned onto the scan by {:g} degrees{}",
                               rotation->degrees,
                               rotation->transpose ? " after rows and columns are exchanged" : "")
                 : "the calibration has no rotation: the axes of the sample are those of the "
                   "detector");
    map.notes.insert(map.notes.end(), library.notes().begin(), library.notes().end());
    return map;
}

}  // namespace sluice::orient
