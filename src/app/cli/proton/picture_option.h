// --pictures: the kinds of files that a picture becomes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"
#include "figure/drawing.h"

namespace sluice::cli {

struct PictureOption {
    std::vector<std::string> kinds = {"png"};

    void add(Verb const& app);
    /// The names of a picture's files, out of the one without an ending.
    std::vector<std::string> names(std::string const& stem) const;
    /// A file of each kind.
    Status save(std::string const& stem, figure::Drawing const& drawing,
                Provenance const& provenance) const;
};

}  // namespace sluice::cli
