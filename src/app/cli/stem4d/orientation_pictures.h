// The pictures of an orientation map that a command line asks for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"
#include "sluice/orientation_figures.h"

namespace sluice::cli {

struct OrientationPictures {
    std::vector<std::string> planes;  ///< "1,1,1"
    bool inverse = false;             ///< inverse pole figures
    double boundary_degrees = 0;      ///< lines in the map of colours; 0: none

    void add(Verb const& app);
    /// Before any work. Errors: indices that cannot be read.
    Status read();
    /// Writes "STEM.png" and those that were asked for, for each end of a name, and lists them.
    /// Pole figures are of phases with indexed patterns; several have their numbers in the names.
    Status save(std::string const& stem, std::vector<std::string> const& endings,
                stem4d::OrientationMap const& map, std::vector<std::string>& files) const;

  private:
    Status save_poles(std::string const& folder, std::string const& ending,
                      stem4d::OrientationMap const& map, std::vector<std::string>& files) const;

    std::vector<stem4d::Indices> hkl_;
};

}  // namespace sluice::cli
