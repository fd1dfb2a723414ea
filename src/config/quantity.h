// Numbers with units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sluice/result.h"

namespace sluice::config {

enum class Dimension : std::uint8_t { energy, length, angle, density };

/// "150 MeV" as MeV, "2 cm" as mm, "3 mrad" as radians, "1.05 g/cm3" as g/cm3. The error says what
/// units there are.
Result<double> parse_quantity(std::string_view text, Dimension dimension);

/// All units of a dimension, the usual one first.
std::vector<std::string_view> units_of(Dimension dimension);
/// The unit of the numbers that it gives.
std::string_view base_unit(Dimension dimension);
/// An example of such a quantity.
std::string_view example_of(Dimension dimension);

}  // namespace sluice::config
