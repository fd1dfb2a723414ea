// OrientationMap: which crystal every pattern of a scan is, how it lies, and how sure that is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "sluice/orientation.h"
#include "sluice/provenance.h"
#include "sluice/scan_map.h"
#include "sluice/unit_cell.h"

namespace sluice::stem4d {

/// Why a pattern is not indexed.
enum class OrientationReason : std::uint8_t {
    indexed,
    no_disks,   ///< the pattern has none; BraggVectors::reason says why
    too_few,    ///< fewer than `least_disks`
    no_match,   ///< no zone of the library explains its disks
    ambiguous,  ///< another orientation or phase explains them as well
    unreliable  ///< the probability that the match is right is below the least
};
inline constexpr std::size_t orientation_reasons = 6;
/// As in "another orientation explains the disks as well".
std::string_view name_of(OrientationReason reason);

/// A crystal of a map.
struct CrystalPhase {
    std::string name;
    UnitCell cell;
    CrystalSymmetry symmetry;
};

/// [pattern] is [row][col] of the scan. A match that is not believed keeps its numbers, but its
/// reason is not `indexed`: whoever draws or counts takes indexed patterns alone.
struct OrientationMap {
    std::array<index, 2> scan_shape{};
    double step_nm = 0;    ///< between scan positions; 0: not known
    double kilovolts = 0;  ///< that the electrons fell through; 0: not known
    std::vector<CrystalPhase> phases;
    std::vector<OrientationReason> reason;
    std::vector<std::int32_t> phase;  ///< in `phases`; -1: no match
    std::vector<Orientation> orientation;
    /// Covariance of a small rotation of the sample about its x, y, z, in square radian (xx, yy,
    /// zz, xy, xz, yz); NaN: not refined.
    std::vector<std::array<double, 6>> covariance;
    std::vector<float> score;         ///< correlation, 0 to 1, of the match
    std::vector<float> second_score;  ///< of the best match that is another orientation or phase
    /// Rms distance of the disks from theory, in 1/ångström; those that no reflection explains
    /// count as MatchOptions::tolerance away.
    std::vector<float> residual;
    /// Counts of the disks that reflections explain, over those of all disks (without the direct
    /// beam) and of the reflections that should have one.
    std::vector<float> explained;
    std::vector<std::int32_t> disks;  ///< that took part
    std::vector<float> probability;   ///< that the match is right
    /// What places are farther out than theory, by a factor that all indexed patterns share; NaN:
    /// not known. A wrong pixel size shows here.
    double common_factor = std::numeric_limits<double>::quiet_NaN();
    double common_factor_error = std::numeric_limits<double>::quiet_NaN();
    /// The second, third, ... crystal of each pattern, where they were asked for; without notes.
    std::vector<OrientationMap> overlapping;
    std::vector<std::string> notes;  ///< frames and conventions among them
    Provenance provenance;

    index patterns() const { return scan_shape[0] * scan_shape[1]; }
};
/// Errors: columns of unlike lengths, indexed patterns without a phase or a rotation, phases
/// without symmetry; likewise of overlapping crystals, which are of the same scan and phases.
Status check_orientations(OrientationMap const& map);
/// Those that are indexed.
index indexed_patterns(OrientationMap const& map);

}  // namespace sluice::stem4d
