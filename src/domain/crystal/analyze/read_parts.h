// The parts of a plan, each out of its table of a configuration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/table.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::crystal {

/// What tables of parts are read with.
struct PartReader {
    std::string folder;  ///< what files are relative to
    OpenOptions open;    ///< of scans in vacuum
    std::vector<std::string>& notes;

    Status images(config::Table table, std::string const& name, stem4d::AnalysisPlan& into) const;
    Status patterns(config::Table table, std::string const& name, stem4d::AnalysisPlan& into) const;
    Status moments(config::Table table, std::string const& name, stem4d::AnalysisPlan& into) const;
    Status disks(config::Table table, std::string const& name, stem4d::AnalysisPlan& into) const;
};

}  // namespace sluice::crystal
