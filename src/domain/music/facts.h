// The facts that a model's tensors and its YAML state together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/music.h"

namespace sluice::music {

/// Fills the facts, stems, sample rate, chunks and notes. `config` is null where none was given;
/// where it contradicts the tensors, the error names both values. `model` is the file's name.
/// `window`: samples of the Fourier transform, where a tensor has them.
Status add_facts(ModelConfig const* config, std::string const& model, Inspection& out,
                 std::optional<index> window = {});

/// An error where a fact is assumed that changes the stems: it names the keys, and what each can
/// be. `config` is null where none was given; with `any_chunk` the length of chunks does not count.
Status need_facts(Inspection const& model, ModelConfig const* config, bool any_chunk,
                  std::string const& file);

}  // namespace sluice::music
