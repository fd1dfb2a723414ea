// The search for the disks of one scan: its options, and what it makes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/data_options.h"
#include "app/cli/stem4d/disk_preview.h"
#include "app/cli/stem4d/results.h"
#include "app/cli/stem4d/template_options.h"
#include "sluice/disks.h"

namespace sluice::cli {

/// What was made, before it is written and told.
struct DisksMade {
    stem4d::FittedTemplate probe;
    stem4d::DiskSetup setup;
    stem4d::WrittenVectors counts;          ///< of the disks
    stem4d::BraggVectors vectors;           ///< none, if they went to a file as they came
    std::optional<stem4d::LatticeFit> fit;  ///< of these, where a lattice was known
    std::vector<std::string> notes;
    Json scan;
    double scan_step_nm = 0;  ///< 0: not known
    double seconds = 0;
};

struct DiskSearch {
    TemplateSource source;
    stem4d::DiskOptions disks;

    void add(Verb const& app);
    /// The long names of what add() adds.
    static std::vector<std::string> names();
    /// What is to be done where a sample shows one lattice.
    struct Lattice {
        bool known = false;                     ///< its disks are not looked for
        std::optional<std::string> basis = {};  ///< as parse_basis() reads it
        stem4d::LatticeOptions options = {};
    };
    /// With progress bars, Ctrl-C and the warnings of the scan.
    Result<DisksMade> find(DataOptions& data, Lattice const& lattice) const;
    /// Of a scan that is loaded: its template and what it shows of a lattice, without its disks.
    Result<DisksMade> plan(Scan const& scan, DataOptions const& data, Lattice const& lattice,
                           stem4d::Options const& run) const;
    /// Adds its disks, and the lattices of patterns where one is known.
    static Status find(Scan const& scan, Lattice const& lattice, stem4d::Options const& run,
                       DisksMade& made);
    /// The same, but the disks go to a file as they come.
    Result<DisksMade> find_to(std::string const& path, DataOptions& data,
                              Lattice const& lattice) const;
    /// Finds the disks of some patterns, draws them beside "STEM", and tells of them.
    Status preview(DiskPreview const& preview, std::string const& stem, DataOptions& data,
                   Lattice const& lattice) const;

  private:
    struct Begun {
        Scan scan;
        stem4d::Options run;
        double start;
        DisksMade made;
    };
    Result<Begun> begin(DataOptions& data, Lattice const& lattice) const;
    static DisksMade end(Begun begun);
};

/// How many disks there are, and how many patterns have each reason.
stem4d::WrittenVectors counts_of(stem4d::BraggVectors const& vectors);
/// How many patterns have each reason, by its words.
Json reasons_of(stem4d::WrittenVectors const& counts);
/// "N patterns: no counts" for each reason but that of patterns with disks.
std::vector<std::string> lines_of_reasons(stem4d::WrittenVectors const& counts);

}  // namespace sluice::cli
