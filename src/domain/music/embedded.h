// The configuration that a converted model carries with it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::music {

/// The key of safetensors' metadata that has the YAML, as it was published.
constexpr char const* embedded_key = "sluice.music.config";

}  // namespace sluice::music
