// The network and its transforms by their definitions: slow, plain, and in double.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "domain/music/twin/slow_map.h"
#include "format/weights/weights.h"
#include "sluice/music.h"

namespace sluice::music {

/// Sees the map after each stage, by the names that UNet's Watch has.
using SlowWatch = std::function<void(std::string_view stage, SlowMap const& map)>;

/// Separates a chunk [2][samples] into [stems][2][samples]. It shares with Forward what the words
/// of the configuration mean, and nothing else. For networks of a few thousand weights.
Result<std::vector<double>> slow_separate(weights::Weights const& weights, Inspection const& model,
                                          std::span<float const> mix, SlowWatch const& watch = {});

}  // namespace sluice::music
