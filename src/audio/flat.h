// The answers of ffprobe, as its writer `flat` prints them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sluice/result.h"

namespace sluice::audio {

/// Lines key=value, the value a bare word or a quoted text with \ before special characters. Keys
/// that come again are an error: a text cannot pretend to be another line.
Result<std::map<std::string, std::string, std::less<>>> parse_flat(std::string_view text);

}  // namespace sluice::audio
