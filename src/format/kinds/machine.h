// What marks a text as a proton machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sluice {

/// A beam model of MCsquare: a line of its words is at the beginning.
bool is_beam_model(std::string_view head);

}  // namespace sluice
