// Which stems are given, and from which ones each is made.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/music/separate/model.h"

namespace sluice::music {

struct StemChoice {
    std::vector<std::string> names;  ///< of what is given
    /// For each, the place in `needed`; -1: the mix without all that is needed.
    std::vector<index> from;
    std::vector<index> needed;  ///< stems of the first model
    bool complement = false;
};

/// Errors name the stems that exist.
Result<StemChoice> choose_stems(Model::State const& model, SeparateOptions const& options);

/// For each needed stem, the one of another model that has its name, whatever the case of letters.
Result<std::vector<index>> same_stems(Model::State const& first, StemChoice const& choice,
                                      Model::State const& other);

}  // namespace sluice::music
