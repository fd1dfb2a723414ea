// How the detector lies against the scan, where a file says it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sluice/dataset.h"

namespace sluice {

/// As stem4d::Rotation has it.
struct DetectorTurn {
    double degrees = 0;
    bool transpose = false;

    bool operator==(DetectorTurn const&) const = default;
};

/// As fields of Dataset::metadata.
std::vector<MetaField> detector_turn_fields(DetectorTurn const& turn);

/// Empty: the file does not say it.
std::optional<DetectorTurn> detector_turn(Dataset const& dataset);

/// "-30 degrees, transposed".
std::string text_of(DetectorTurn const& turn);

}  // namespace sluice
