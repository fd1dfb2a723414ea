// Requests about scans (docs/protocol.md), checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "app/view/fields.h"
#include "app/view/stem4d/crystal/orientation_request.h"
#include "sluice/stem4d.h"

namespace sluice::app {

inline constexpr std::size_t max_detectors = 64;

enum class Mode : std::uint8_t {
    sum,
    mean,
    com_row,
    com_col,
    com_magnitude,
    com_vector,
    divergence,
    curl,
    icom
};

char const* name_of(Mode mode);

/// How the scan is turned against the detector.
struct RotationWish {
    enum class Kind : std::uint8_t { none, automatic, given } kind = Kind::none;
    double degrees = 0;
    bool transpose = false;
};

struct ImageRequest {
    Mode mode = Mode::sum;
    std::vector<stem4d::Detector> detectors;
    RotationWish rotation;
    stem4d::Descan descan = stem4d::Descan::mean;
};
struct FrameRequest {
    index row = 0, col = 0;
};
/// Over a part of the scan, or over all of it.
struct PatternRequest {
    std::optional<stem4d::Detector> region;
    stem4d::Pattern kind = stem4d::Pattern::mean;
};
struct LoadRequest {};
struct CancelRequest {};
/// What a slot asked for is not wanted any more; work on it ends.
struct StopSlotRequest {};
/// The disk is looked for again, on what has come.
struct FindDiskRequest {};
/// A page has drawn its first image.
struct ShownRequest {};

struct ScanRequest {
    std::string op, dataset;
    std::variant<LoadRequest, CancelRequest, ShownRequest, StopSlotRequest, FindDiskRequest,
                 ImageRequest, FrameRequest, PatternRequest, DisksRequest, StrainRequest,
                 OrientationRequest, MatchRequest>
        what;
    /// Of a scan that comes: the answer waits until there are more points than these.
    std::optional<std::uint64_t> after = {};
};
Result<ScanRequest> parse_scan_request(std::string const& op, Fields const& fields);

}  // namespace sluice::app
