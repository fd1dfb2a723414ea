// How long a model takes here, by a short chunk of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/music/engine.h"

namespace sluice::music {

struct Speed {
    double factor = 0;  ///< seconds of work for a second of song at overlap 1
    index frames = 0;   ///< of the chunk that was timed
    Precision precision = Precision::fp32;
    int threads = 1;
};

/// Loads a model that inspect() has found good, for a quarter of its chunk, and separates that
/// twice: the second time counts. Whole chunks have the same work for each frame.
Result<Speed> measure_speed(std::string const& model, Inspection const& inspection,
                            Device const& device);

}  // namespace sluice::music
