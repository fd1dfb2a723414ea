// TOML files: read whole, parsed, and errors that name the line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/table.h"

namespace sluice::config {

/// The text of a configuration. Fails where the file is larger than any: more than 1 MB.
Result<std::string> read_text(std::string const& path);

/// The root of a text that `name` stands for in errors.
Result<toml::value> parse(std::string const& text, std::string const& name);

}  // namespace sluice::config
