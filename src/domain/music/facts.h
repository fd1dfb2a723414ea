// What a model's tensors and its YAML say together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/music.h"

namespace sluice::music {

/// Fills the facts, stems, sample rate, chunks and notes. `config` is null where none was given;
/// where it says something else than the tensors, the error says both. `model` is the file's name.
Status add_facts(Config const* config, std::string const& model, Inspection& out);

}  // namespace sluice::music
