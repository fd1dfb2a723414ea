// Settings: facts about a model that the forward pass needs beside its shapes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/activation.h"
#include "sluice/music.h"

namespace sluice::music {

struct NormKind {
    /// single: each channel by its own mean; groups: by that of its group; batch: by the averages
    /// of training.
    enum class Kind : std::uint8_t { none, single, groups, batch };
    Kind kind = Kind::single;
    index groups = 0;
};

struct Settings {
    index n_fft = 0, hop = 0;
    nn::Activation activation = nn::Activation::gelu();
    NormKind norm;
};

/// Errors name the word of the YAML that is not known, and `file`.
Result<Settings> settings_of(Inspection const& model, std::string const& file);

}  // namespace sluice::music
