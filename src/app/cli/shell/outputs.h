// What every report has: its JSON, and the provenance of what a command writes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "sluice/save.h"

namespace sluice::cli {

using Json = nlohmann::ordered_json;

/// Keeps the command line for the provenance.
void remember_command(int argc, char** argv);
std::string const& command_line();

/// Of a result of these files, made by this command.
Provenance provenance_of(std::vector<std::string> const& sources);
/// As an object, for reports.
Json to_json(Provenance const& provenance);

/// Indented; bytes that are not UTF-8 (a path can hold any) are replaced.
std::string text_of(Json const& json);

}  // namespace sluice::cli
