// The Bragg disks that a command works on: those of a file, or those that are found in a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/disk_search.h"
#include "app/cli/stem4d/job.h"

namespace sluice::cli {

/// Disks, and where a scan has a known lattice, the lattices that were fitted with them.
struct DisksRead {
    stem4d::BraggVectors vectors = {};
    std::optional<stem4d::LatticeFit> fit = {};
    stem4d::LatticeBasis basis = {};
    double scan_step_nm = 0;  ///< 0: not known
};

struct VectorsInput {
    DiskSearch search;
    std::string save_disks;
    std::vector<Verb::Given> given;  ///< to be set when the command line was read

    void add(Verb const& app);
    /// `why_one` says why only one file may be named, as in "strain is of one scan". What the
    /// search decided goes into the report.
    Result<DisksRead> read(DataOptions& data, DiskSearch::Lattice const& lattice,
                           std::string const& why_one, JobReport& report) const;
    /// `names` are options of scans beside those of add().
    Status refuse_options_of_scans(std::string const& file,
                                   std::vector<std::string> names = {}) const;
};
/// Whether the data is a file of disks.
bool is_vectors(DataOptions const& data);

}  // namespace sluice::cli
