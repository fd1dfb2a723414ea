// Tables of two columns: what a value of an image is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"

namespace sluice::proton {

/// Straight lines between points.
struct HuTable {
    std::string name;
    std::vector<double> hu;     ///< ascending, at least two
    std::vector<double> value;  ///< not below 0

    /// The first value below the first point; above the last one the last line goes on.
    double at(double x) const;
};

/// Of matRad (BSD-3): relative stopping power of protons.
HuTable const& default_stopping_table();
/// Of MCsquare (Apache-2.0): density, g/cm3.
HuTable const& default_density_table();

/// Lines of HU and value, with spaces or a comma between; # begins a comment. Errors name the line.
Result<HuTable> parse_hu_table(std::string_view text, std::string const& name);
Result<HuTable> read_hu_table(std::string const& path);

}  // namespace sluice::proton
