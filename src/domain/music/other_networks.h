// Networks that separate songs and are not read here, by the names of their tensors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/view.h"

namespace sluice::music {

/// Shapes by their tensors' names.
using Shapes = std::map<std::string_view, std::vector<index> const*>;

/// The network's name, as "BS-RoFormer"; empty where it is MDX23C or not known.
std::optional<std::string> other_network(Shapes const& shapes);

}  // namespace sluice::music
