// What a slide is, for `sluice info`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/view/slide/describe.h"
#include "sluice/result.h"

namespace sluice::cli {

/// Prints it for people, or fills `json` where there is one.
Status slide_info(std::string const& path, slide::SlideOpenOptions const& options, app::Json* json);

}  // namespace sluice::cli
