// orientation(): how the crystal under each pattern of a scan lies, and which one it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/crystal_calibration.h"
#include "sluice/orientation_library.h"

namespace sluice::stem4d {

struct MatchOptions {
    index least_disks = 4;    ///< a pattern with fewer, but for the direct beam, is not indexed
    index grains = 1;         ///< crystals that may overlap in a pattern, at most
    bool exhaustive = false;  ///< look at all zones, not only where a coarse search finds something
    bool refine = true;       ///< fit the orientation to places and intensities
    index candidates = 8;     ///< orientations of a pattern that are refined and compared
    /// 1/ångström within which a disk is a reflection's.
    double tolerance = 0.04;
    /// What disks miss theory by beyond their own errors: 1/ångström in each direction, and a part
    /// of the root of the intensity. 0: measured on a sample of patterns.
    double place_error = 0, intensity_error = 0;
    /// 1/ångström over which intensities fall off Ewald's sphere, in the fit: the sigma of a
    /// Gaussian or the half width of slabs, whichever explains the sample better. 0: measured on
    /// the sample.
    double fit_sigma = 0;
    /// A match that is right with a lower probability is not indexed.
    double least_probability = 0.9;
};

/// Positions and intensities of disks against the library: the vectors must be calibrated. Work is
/// shared out by groups of patterns; the answer does not depend on the number of threads. Errors:
/// no pixel size, no origins, a scan or detector that is not the calibration's.
Result<OrientationMap> orientation(BraggVectors const& vectors, Calibration const& calibration,
                                   OrientationLibrary const& library,
                                   MatchOptions const& options = {}, Options const& run = {});
Result<OrientationMap> orientation(CalibratedVectors const& vectors,
                                   OrientationLibrary const& library,
                                   MatchOptions const& options = {}, Options const& run = {});

/// A reflection that a candidate predicts.
struct PredictedSpot {
    TheorySpot theory;
    Point detector;  ///< px, where the pattern has it: descan and distortion are in it
};
/// An orientation that was fitted to the disks of a pattern.
struct OrientationCandidate {
    index phase = 0;
    Orientation orientation;
    std::array<double, 6> covariance{};  ///< as in OrientationMap
    /// The logarithm of how much likelier the disks are by it than by chance.
    double log_odds = 0;
    float score = 0, residual = 0, explained = 0;  ///< as in OrientationMap
    index matched = 0;                             ///< disks that its reflections explain
    Indices zone{};           ///< [uvw] with indices up to 5, nearest to the zone axis
    double zone_degrees = 0;  ///< from there to the zone axis
    std::vector<PredictedSpot> spots = {};  ///< as in OrientationLibrary::pattern()
};
/// What competes for a pattern.
struct PatternOrientations {
    OrientationReason reason = OrientationReason::no_disks;  ///< of the first, as in the map
    /// That the first one is right, as in the map; NaN: there is none. Of the others the odds tell
    /// how far behind they are.
    float probability = std::numeric_limits<float>::quiet_NaN();
    index disks = 0;  ///< that took part
    /// The likeliest first; of one phase they are 3 degrees apart.
    std::vector<OrientationCandidate> candidates;
};

/// orientation() of single patterns: the first candidate is the map's, bit by bit. Of where
/// crystals overlap it is the first crystal.
class OrientationMatcher {
  public:
    /// Measures what orientation() measures. Errors: those of orientation().
    static Result<OrientationMatcher> begin(CalibratedVectors vectors,
                                            OrientationLibrary const& library,
                                            MatchOptions const& options = {},
                                            Options const& run = {});
    OrientationMatcher(OrientationMatcher&&) noexcept;
    OrientationMatcher& operator=(OrientationMatcher&&) noexcept;
    ~OrientationMatcher();

    /// From any thread. Errors: no such pattern.
    Result<PatternOrientations> of(index row, index col) const;

  private:
    struct State;
    explicit OrientationMatcher(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};
/// The same of one pattern. The sample of the scan is measured each time.
Result<PatternOrientations> orientation_of_pattern(CalibratedVectors const& vectors, index row,
                                                   index col, OrientationLibrary const& library,
                                                   MatchOptions const& options = {},
                                                   Options const& run = {});

/// orientation() in parts, for several processes: the same bits as in one. Everyone who takes part
/// begins with the same vectors, library and options; the library must outlive the parts.
class OrientationParts {
  public:
    /// Errors: those of orientation().
    static Result<OrientationParts> begin(CalibratedVectors vectors,
                                          OrientationLibrary const& library,
                                          MatchOptions const& options = {},
                                          Options const& run = {});
    OrientationParts(OrientationParts&&) noexcept;
    OrientationParts& operator=(OrientationParts&&) noexcept;
    ~OrientationParts();

    /// How many groups there are; it depends on the scan alone.
    index groups() const;
    /// Matches the patterns of groups [first, first + count), and packs the answers.
    Result<std::vector<std::byte>> part(index first, index count);
    /// Takes what part() packed. Errors: damaged, of another scan's shape, groups that have come.
    Status add(Bytes part);
    /// What orientation() returns. Errors: groups are missing.
    Result<OrientationMap> finish() &&;

  private:
    struct State;
    explicit OrientationParts(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sluice::stem4d
