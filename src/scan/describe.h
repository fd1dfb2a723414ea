// Sentences about what decoding met, for notes and reports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/rules.h"

namespace sluice::fold {

/// Appends a sentence for everything that was not an ordinary count.
void describe(store::Tally const& tally, Dataset const& dataset, std::vector<std::string>& notes);

}  // namespace sluice::fold
