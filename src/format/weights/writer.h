// Safetensors out of weights of any kind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/weights/rounding.h"
#include "sluice/progress.h"

namespace sluice::weights {

/// Writes all tensors as they are named, dense, with `metadata`. Real numbers become `element`, if
/// one is given, and others stay. Keeps one tensor in memory at a time; the file appears whole or
/// not at all. The progress is in bytes of tensors that were read.
Result<Rounded> write_safetensors(std::string const& path, Weights const& weights,
                                  std::map<std::string, std::string> const& metadata,
                                  std::optional<Element> element = {},
                                  Progress const& progress = {});

}  // namespace sluice::weights
