// Safetensors out of weights of any kind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/weights/rounding.h"

namespace sluice::weights {

/// Writes all tensors as they are named, dense, with `metadata`. Real numbers become `element`, if
/// one is given, and others stay. Keeps one tensor in memory at a time; the file appears whole or
/// not at all.
Result<Rounded> write_safetensors(std::string const& path, Weights const& weights,
                                  std::map<std::string, std::string> const& metadata,
                                  std::optional<Element> element = {});

}  // namespace sluice::weights
