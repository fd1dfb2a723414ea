// Raw binary files: frames one after another, with the shape and type given by the user.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::raw {

/// By its name alone: .raw, .bin or .dat; sluice::open also comes here when a frame shape is given.
bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr Format format{"raw", "raw binary, with --raw-frame and --raw-dtype", recognises,
                               open, "--axis-order --raw-dtype --raw-offset"};

}  // namespace sluice::raw
