// Options that were given, and what they have to do with what the command line names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "app/cli/shell/verb.h"

namespace sluice::cli {

/// Refuses what was given beside the options that apply to `what`, as in "a slide".
Status refuse_others(std::vector<Verb::Given> const& given, std::span<std::string_view const> apply,
                     std::string_view what);

}  // namespace sluice::cli
