// The fast network beside its slow twin: how near each stage is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/music/engine.h"

namespace sluice::music {

struct StageFound {
    std::string name;
    double snr_db = 0;   ///< of the fast one, beside the slow one
    double largest = 0;  ///< difference of two numbers
    double rms = 0;      ///< of the slow one's numbers
};

/// A chunk of test sound through both. The last stage is "stems". `twin`, if it is given, replaces
/// the model for the slow network. For models of a few thousand weights.
Result<std::vector<StageFound>> compare_with_twin(weights::Weights const& weights,
                                                  Inspection const& model, Precision precision,
                                                  Device const& device,
                                                  std::optional<Inspection> const& twin = {});

}  // namespace sluice::music
