// What the command line of `sluice stem4d ptychography` asks for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/ptychography/monitor.h"
#include "app/cli/ptychography/probe.h"
#include "app/cli/ptychography/search.h"
#include "app/cli/ptychography/start.h"
#include "app/cli/stem4d/job.h"
#include "sluice/ptychography.h"
#include "sluice/ptychography_file.h"

namespace sluice::cli {

struct PtychographyCommand {
    Stem4dJob job;
    stem4d::PatternsOptions patterns;
    stem4d::PatternFileOptions file;
    ProbeOptions probe;
    StartOptions start;
    stem4d::PtychographyOptions options;
    std::string config, positions;             // files
    std::map<std::string, std::string> given;  // settings by their names, as texts; empty: none
    std::vector<std::string> set;              // NAME=VALUE
    std::string set_name = "--set";            // what errors call it
    std::vector<Verb::Given> all_given;        // of the command line
    bool plan = false, remove_ramp = false;
    bool saves_result = false;  // --format had hdf5
    SearchOptions search;
    MonitorOptions monitor;
    std::shared_ptr<JobMonitor> watched = {};
    std::string watched_as = {};  ///< what its page calls it; empty: as its file
    bool follows = false;         ///< a job of the same scan was watched before
    /// The user has stopped what came before, and not this.
    bool stopped_before = false;

    void add(Verb const& app);
    /// All that a scan has which is reconstructed when it was measured, but its job.
    void add_of_stream(Verb const& app);
    /// The settings of stages and of all, as options, as --set and as a file.
    void add_settings(Verb const& app);
    /// Once the command line was read: settings, files, what is written.
    Status prepare();
    /// Into `options`: the settings of the file, then those of the command line.
    Status read_settings();
};

/// All settings with what each is, for the end of the help.
std::string settings_help();

}  // namespace sluice::cli
