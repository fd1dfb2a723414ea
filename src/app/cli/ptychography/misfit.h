// What a misfit of a result may come from, tried; and what the result was looked at for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/ptychography/search.h"

namespace sluice::cli {

/// Tries what a misfit of the result may come from, on part_to_try() of its patterns. Where that
/// fails or is stopped, a note says so: the result is there.
void explain_misfit(stem4d::PtychographyResult& result, stem4d::Patterns const& part,
                    SearchInput const& input);

/// What a reconstruction was looked at for.
Json findings_json(stem4d::PtychographyResult const& result);

}  // namespace sluice::cli
