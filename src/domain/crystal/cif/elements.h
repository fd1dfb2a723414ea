// Numbers of elements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sluice::crystal::cif {

/// Of "Fe3+", "FE1", "O2-" and the like; D is 1. 0 where it begins with no element's symbol.
int number_of_element(std::string_view label);

}  // namespace sluice::crystal::cif
