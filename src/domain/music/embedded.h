// The configuration that a converted model carries with it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "format/weights/weights.h"
#include "sluice/music.h"

namespace sluice::music {

/// The key of safetensors' metadata that has the YAML, as it was published.
constexpr char const* embedded_key = "sluice.music.config";

/// The YAML of the path `config`, else the one that `model` carries, else empty; with the user's
/// assumptions.
Result<std::optional<ModelConfig>> config_of(weights::Weights const& weights,
                                             std::string const& model,
                                             std::optional<std::string> const& config,
                                             std::vector<std::string> const& assumed = {});

}  // namespace sluice::music
