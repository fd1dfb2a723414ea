// Numbers of a master file in the units that it says they have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "format/nxmx/values.h"

namespace sluice::nxmx {

/// How many of `base` (m, s or eV) one of the unit is: 1e-6 for "um" in metres. An empty unit is
/// the base itself; nothing for one that measures something else, or is not known.
std::optional<double> in_base(std::string_view unit, std::string_view base);

/// A number, and its unit where that is not the base.
struct Quantity {
    double value = 0;
    std::string unknown = {};  ///< a unit of another kind than the base; the value is in it
};
/// By the dataset's own attribute `units`.
std::optional<Quantity> read_quantity(Values& file, std::string const& path, std::string_view base);

}  // namespace sluice::nxmx
