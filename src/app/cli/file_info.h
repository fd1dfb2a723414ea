// What volumes, doses, songs and models are, for `sluice info`; none is read beyond its header.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/shell/outputs.h"
#include "sluice/result.h"

namespace sluice::cli {

/// Each prints it for people, or fills `json` where there is one.
Status volume_info(std::string const& path, Json* json);
/// Of a folder of `sluice proton run`.
Status dose_info(std::string const& path, Json* json);
Status plan_dose_info(std::string const& path, Json* json);
Status song_info(std::string const& path, Json* json);
Status model_info(std::string const& path, Json* json);

}  // namespace sluice::cli
