// What an output knows: the dataset as it is after regions, binning and masks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/scan.h"

namespace sluice::conversion {

/// The scan as it was loaded, as a dataset of its own. It has no source.
Dataset output_dataset(Scan const& scan);

/// Sentences about what `made`, the output as it opens, does not say of `wanted`.
std::vector<std::string> not_carried(Dataset const& wanted, Dataset const& made);

/// Whether the values are of the same shape and type; an error that says how they differ.
Status same_form(Dataset const& wanted, Dataset const& made);

}  // namespace sluice::conversion
