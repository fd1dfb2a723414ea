// Files of orientation maps: HDF5 that keeps all, and ANG and CTF for other programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation_map.h"

namespace sluice::stem4d {

/// By the end of the path:
/// - .h5 or .hdf5: all columns, those of overlapping crystals too, the phases with their atoms, and
///   the provenance;
/// - .ang: EDAX's columns. Euler angles of crystals with x along a and z along c*. CI is the
///   probability, -1 where a pattern is not indexed.
/// - .ctf: Oxford's columns. Euler angles of crystals with x along a* and z along c, as Oxford and
///   MTEX have them: of hexagonal cells x is 30 degrees beside a. Phase 0: not indexed.
/// In both x runs along the columns of the scan and y along its rows, in µm (1 a pattern where the
/// step is not known), and the angles are those of that frame: no turn is needed to plot them.
/// Patterns that are not indexed have neither phase nor angles there. Errors: another end, those of
/// check_orientations().
Status save_orientations(std::string const& path, OrientationMap const& map);

/// Of HDF5. Errors: other files, damaged ones.
Result<OrientationMap> load_orientations(std::string const& path);

/// What `sluice info` tells.
struct OrientationInfo {
    std::array<index, 2> scan_shape{};
    double step_nm = 0;    ///< 0: not known
    double kilovolts = 0;  ///< likewise
    std::vector<std::string> phases;
    index indexed = 0;                         ///< patterns
    std::vector<index> indexed_of_phase = {};  ///< of them
};
Result<OrientationInfo> inspect_orientations(std::string const& path);

}  // namespace sluice::stem4d
