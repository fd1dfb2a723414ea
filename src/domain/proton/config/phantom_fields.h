// The tables of the keys that say what a phantom is made of, and what is to be known of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "domain/proton/config/ct.h"
#include "domain/proton/words.h"

namespace sluice::proton {

/// Of [grid]: how large it is, in mm. What is not given is as large as the image.
struct GridSize {
    std::optional<double> depth, width;
};
config::Fields<GridSize> grid_size_fields();

/// [ct]
struct CtKeys {
    std::string image;
    std::optional<ImageQuantity> quantity;  ///< empty: HU, unless the values look otherwise
    std::string table, density_table;
    Axis depth = {.number = 1}, across = {.number = 0};
    std::vector<double> spacing;  ///< mm
    std::optional<index> slice;
};
config::Fields<CtKeys> ct_fields();

/// [[medium]]: mm and g/cm3. A side that is not given is that of the phantom.
struct MediumKeys {
    std::string material;
    std::optional<double> density;
    std::optional<double> from, to, left, right;
};
config::Fields<MediumKeys> medium_fields();

/// Of [output].
config::Fields<MarchOptions> output_fields();

}  // namespace sluice::proton
