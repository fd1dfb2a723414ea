// ShownVolume: an image that the viewer shows, and what the page is told of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/wire.h"
#include "sluice/proton_volume.h"

namespace sluice::app {

struct ShownVolume {
    std::string id, name, path;
    Volume volume;
    proton::ValueRange range;
    std::string unit;                     ///< of the values; empty: not told, and not a CT
    bool assumed_hu = false;              ///< the values tell the unit, not the file
    bool of_a_run = false;                ///< by `sluice proton run`: its second axis is the depth
    std::vector<std::string> notes = {};  ///< what the user has to know before believing it
};

/// Finds the unit, the range and the notes; infinite values become NaN.
ShownVolume shown(std::string path, std::string name, Volume volume);

/// How a file's words name the unit: "Gy" of "dose, Gy; by a program". Empty where they name none.
std::string unit_of(std::string const& content);

/// What `hello` says of a volume (docs/protocol.md).
Json describe(ShownVolume const& v);

}  // namespace sluice::app
