// Safetensors out of weights of any kind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/weights/weights.h"

namespace sluice::weights {

/// Writes all tensors as they are numbered and named, dense, with `metadata`. Keeps one of them in
/// memory at a time; the file appears whole or not at all.
Status write_safetensors(std::string const& path, Weights const& weights,
                         std::map<std::string, std::string> const& metadata);

}  // namespace sluice::weights
