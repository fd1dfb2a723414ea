// The TOML file beside raw values that describes them: x.toml beside x.raw.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/dataset.h"

namespace sluice::raw {

/// Its name: another ending.
std::string side_car_of(std::string const& path);
/// Its text, for values that are written frame by frame from the file's beginning.
std::string side_car(Dataset const& dataset);

/// Opens raw values as a side-car describes them.
Result<Dataset> open_described(std::string const& path, std::string const& side_car,
                               OpenOptions const& options = {});

}  // namespace sluice::raw
