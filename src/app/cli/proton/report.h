// What the proton commands march, tell and write.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/cli/shell/outputs.h"
#include "domain/proton/run/guard_report.h"
#include "sluice/proton_run.h"

namespace sluice::cli {

/// What all beams left together.
struct ProtonSum {
    proton::MarchResult total;
    double seconds = 0;
};

/// The guards of a configuration before it is marched, with a progress bar.
Result<std::vector<proton::Guard>> check_all(proton::Config& config);
/// Marches the beams of a configuration one after the other, with a progress bar.
Result<ProtonSum> march_all(proton::Config const& config, int threads, Trace* trace);

/// To stderr, a few of each name.
void print_guards(std::vector<proton::Guard> const& guards);

Json to_json(proton::Ledger const& ledger);
Json to_json(proton::BraggMetrics const& metrics);
Json to_json(proton::Sobp const& sobp);
void print_ledger(proton::Ledger const& ledger);

}  // namespace sluice::cli
