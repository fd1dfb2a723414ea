// Provenance in the words of the file formats.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/save.h"

namespace sluice::save {

/// The fields with every name once and none empty: values of one name joined with line breaks, a
/// nameless value called "note", bytes that are not UTF-8 (or 0) replaced by '?'.
Provenance tidy(Provenance const& provenance);

/// One JSON object of strings in plain ASCII, a field per line.
std::string json_of(Provenance const& provenance);

}  // namespace sluice::save
