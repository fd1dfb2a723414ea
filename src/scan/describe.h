// Sentences about what decoding met, for notes and reports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "store/rules.h"

namespace sluice::fold {

/// Appends a sentence for everything that was not an ordinary count.
void describe(store::Tally const& tally, Dataset const& dataset, std::vector<std::string>& notes);

/// Whether a note is the one about values that were not finite.
bool says_not_finite(std::string_view note);

}  // namespace sluice::fold
