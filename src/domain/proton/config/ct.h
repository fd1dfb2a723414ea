// [ct]: a phantom out of an image.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/config/ct_plane.h"
#include "domain/proton/config/hu_table.h"
#include "domain/proton/config/keys.h"
#include "sluice/proton_config.h"
#include "sluice/proton_dose.h"

namespace sluice::proton {

struct Ct {
    CtPlane plane;
    ImageQuantity quantity = ImageQuantity::hu;
    HuTable stopping, density;         ///< of HU
    std::vector<std::string> assumed;  ///< what a reader of the results has to know
};

/// Reads the table and its files, which are relative to `folder` (empty: there is none).
Result<Ct> read_ct(Table& table, std::string const& folder);

/// Gives each cell of the phantom the tissue of the image at its middle.
Status lay_ct(Table const& table, Ct const& ct, Config& c);

}  // namespace sluice::proton
