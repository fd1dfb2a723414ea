// Many reconstructions instead of one: orientations, sweeps, halves; and what each says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/job.h"
#include "sluice/ptychography_file.h"
#include "sluice/ptychography_search.h"

namespace sluice::cli {

struct SearchOptions {
    bool orientations = false;
    stem4d::SweepOptions sweep = {};    ///< without its base
    std::optional<stem4d::Halves> frc;  ///< what is reconstructed in halves

    void add(Verb const& app);
    /// Instead of a reconstruction there are many.
    bool instead() const { return orientations || !sweep.axes.empty(); }
};

/// What a search works on.
struct SearchInput {
    stem4d::Patterns const& patterns;
    /// How the positions were made: of a scan, or of a file of patterns.
    std::variant<stem4d::PatternsOptions const*, stem4d::PatternFileOptions const*> geometry;
    stem4d::PtychographyOptions const& options;
    Provenance const& provenance;
    index member = 0;
    ProgressBar& bar;  ///< taken away before anything is printed
};

/// Runs what was asked for instead of a reconstruction, into the report and its figures.
Status search(SearchOptions const& search, SearchInput const& input, Stem4dJob const& job,
              JobReport& report);

/// Reconstructs the halves; their resolution goes to the report.
Status report_halves(SearchOptions const& search, SearchInput const& input, JobReport& report);

}  // namespace sluice::cli
