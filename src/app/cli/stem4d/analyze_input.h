// What a configuration and the command line of `sluice stem4d analyze` say together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/job.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::cli {

/// Reads the configuration. What the command line gives counts for more than what the file says of
/// the scan and how it is opened and loaded.
Result<stem4d::AnalysisPlan> read_plan(std::string const& path,
                                       std::vector<Verb::Given> const& given, Stem4dJob& job);

}  // namespace sluice::cli
