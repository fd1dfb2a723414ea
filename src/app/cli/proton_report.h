// What the proton commands march, tell and write.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/cli/outputs.h"
#include "sluice/proton_config.h"

namespace sluice::cli {

/// What all beams left together.
struct ProtonSum {
    proton::MarchResult total;
    double seconds = 0;
};

/// A beam in the mode that the configuration has.
Result<proton::MarchResult> march_one(proton::Config const& config, proton::Physics const& physics,
                                      proton::Beam const& beam,
                                      proton::MarchOptions const& options);
/// Marches the beams of a configuration one after the other, with a progress bar.
Result<ProtonSum> march_all(proton::Config const& config, int threads);

/// What a reader of the results has to know.
std::vector<std::string> assumptions(proton::Config const& config);
/// What would make a dose wrong although all went well.
std::vector<std::string> warnings(proton::Config const& config, proton::Ledger const& ledger);

Json to_json(proton::Ledger const& ledger);
Json to_json(proton::BraggMetrics const& metrics);
Json to_json(proton::Sobp const& sobp);
void print_ledger(proton::Ledger const& ledger);

/// [plane][column], Gy mm a proton.
Array<float> dose_of(proton::Config const& config, proton::MarchResult const& result,
                     double protons);

}  // namespace sluice::cli
