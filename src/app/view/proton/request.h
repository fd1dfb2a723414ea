// Requests about volumes (docs/protocol.md), checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "app/view/fields.h"

namespace sluice::app {

inline constexpr std::size_t max_lines = 8;
inline constexpr std::size_t max_structures = 256;

/// An axis of space, from its beginning or from its other end: "x", "-z".
struct SpaceAxis {
    int number = 0;  ///< 0 to 2
    bool back = false;
};

/// A plane of a volume, at the points of another's.
struct PlaneRequest {
    std::string volume, onto;
    SpaceAxis across, down;
    double at = 0;  ///< mm along the third axis
};
/// Values of volumes on a line through a place.
struct ProfileRequest {
    std::vector<std::string> volumes;
    int along = 0;                       ///< 0 to 2
    std::array<double, 3> through = {};  ///< mm
};
/// How one volume differs from another as a whole.
struct DifferenceRequest {
    std::string volume, minus;
};

/// Lines of structures on a plane of a volume.
struct OutlinesRequest {
    std::vector<std::string> structures;
    std::string onto;
    int across = 0, down = 1;  ///< axes of space, different ones
    double at = 0;             ///< mm along the third one
};
/// The histogram of a volume in a structure.
struct HistogramRequest {
    std::string volume, structure;
    double to = 0;  ///< where its curve ends, in the volume's unit
};

struct VolumeRequest {
    std::string op;
    std::variant<PlaneRequest, ProfileRequest, DifferenceRequest, OutlinesRequest, HistogramRequest>
        what;
};
Result<VolumeRequest> parse_volume_request(std::string const& op, Fields const& fields);

}  // namespace sluice::app
