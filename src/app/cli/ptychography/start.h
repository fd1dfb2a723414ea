// The earlier result that `sluice stem4d ptychography --start` begins with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/ranks.h"
#include "app/cli/stem4d/data_options.h"
#include "sluice/ptychography.h"

namespace sluice::cli {

struct StartOptions {
    std::string file = {};

    void add(Verb const& app);
    /// Reads it, on each rank, and gives its object, probe and positions to the options.
    Status choose(stem4d::Patterns const& patterns, Ranks& ranks,
                  stem4d::PtychographyOptions& options, std::vector<std::string>& notes) const;
};

}  // namespace sluice::cli
