// Requests about orientations (docs/protocol.md): of a scan, and of one pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/crystal/crystal_request.h"
#include "sluice/match_orientations.h"

namespace sluice::app {

/// Where the frequencies of disks come from. `automatic`: the file of the command line, else the
/// angle of a pixel, else the crystal if there is one only.
enum class ScaleBy : std::uint8_t { automatic, file, step, crystal };

/// What the page knows of the detector; in pixels of its arrays.
struct ScaleWish {
    ScaleBy by = ScaleBy::automatic;
    double step_mrad = 0;  ///< of a pixel; 0: as the files say
    std::optional<stem4d::Point> center = {};
    std::optional<stem4d::Rotation> rotation = {};  ///< of the scan against the detector
};

struct OrientationRequest {
    DiskWish disks = {};
    stem4d::LibraryOptions library = {};  ///< 0 kV: as the files say
    stem4d::MatchOptions match = {};
    std::vector<index> crystals = {};  ///< by their numbers in `hello`; empty: all
    ScaleWish scale = {};
};
/// What competes for one pattern of the map.
struct MatchRequest {
    OrientationRequest of = {};
    index row = 0, col = 0;
};

Result<OrientationRequest> orientation_request_of(Fields const& fields);
/// Everything that the answer depends on, defaults included.
Json echo(OrientationRequest const& request);

}  // namespace sluice::app
