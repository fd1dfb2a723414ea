// What the verbs that benchmark print.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/table.h"

namespace sluice::cli {

/// As a table, or as JSON.
void print(bench::Report const& report, bench::Layout const& layout, bool json);

}  // namespace sluice::cli
