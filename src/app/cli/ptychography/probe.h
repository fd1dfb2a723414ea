// The probe that `sluice stem4d ptychography` begins with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/ranks.h"
#include "app/cli/stem4d/data_options.h"
#include "sluice/optics.h"
#include "sluice/ptychography.h"

namespace sluice::cli {

struct ProbeOptions {
    optics::ProbeOptics optics = {};
    std::string vacuum = {};  ///< a file

    void add(Verb const& app);
    /// Whether the command line says what the probe begins as.
    bool any() const { return optics.semiangle_mrad > 0 || !vacuum.empty(); }
    /// Into options.probe: that of the command line, scaled to the patterns; else the file's stays.
    /// A vacuum image is read as the scan is.
    Status choose(stem4d::Patterns const& patterns, DataOptions const& data, Ranks& ranks,
                  stem4d::PtychographyOptions& options, std::vector<std::string>& notes);
};

}  // namespace sluice::cli
