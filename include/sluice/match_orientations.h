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
