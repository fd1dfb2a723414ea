// The files of a run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/proton/dose.h"
#include "app/cli/proton/picture_option.h"
#include "app/cli/proton/plot.h"
#include "app/cli/proton/report.h"

namespace sluice::cli {

/// Writes arrays, tables and pictures of a run into a folder; the files' names. `title` is the
/// pictures', `doses` and `pictures` say how to write the dose and those.
Result<std::vector<std::string>> save_run(std::string const& folder, std::string const& title,
                                          DoseFiles const& doses, PictureOption const& pictures,
                                          proton::Config const& config, ProtonSum const& sum,
                                          std::optional<Reference> const& beside,
                                          Provenance const& provenance);

}  // namespace sluice::cli
