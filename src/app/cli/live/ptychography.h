// Ptychography of a scan while it is measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/live/looks.h"
#include "app/cli/ptychography/options.h"

namespace sluice::cli {

/// What the command line asks for.
struct PtychographyWish {
    bool wanted = false;
    index look_iterations = 5;
    PtychographyCommand command = {};
    std::vector<std::string> names = {};  ///< of the options that add() adds
    std::vector<Verb::Given> given = {};  ///< to be set when the command line was read

    void add(Verb const& app);
    /// Reads what the command line and its files say, before a scan is lost. Errors: options
    /// without --ptychography, or what that of a stream cannot have. `scans`: how many are
    /// received.
    Status prepare(Stem4dJob const& job, index scans);
    /// Serves the page of --monitor, where it is asked for.
    Status serve();
    /// Nothing more comes: pages hear the last.
    void conclude(Status const& status) const;
};

/// One scan's. It looks at the frames that have come, which all stay in memory (LiveScan::keep).
class LivePtychography final : public LiveLook {
  public:
    /// The job's folder is the scan's. All of them outlive it.
    LivePtychography(PtychographyWish const& wish, Stem4dJob const& job, stem4d::LiveScan& live);

    void look(Scan const& part, index points, stem4d::Options const& run) override;
    /// Of the finished scan, as `sluice stem4d ptychography` does it: nothing of the looks is used.
    Status finish(Scan const& whole, Device const& device, JobReport& report,
                  std::vector<ResultGroup>& groups) const;
    /// What its files show, where finish() failed.
    std::string left() const;

  private:
    struct Look;
    /// Of so many points.
    PtychographyCommand command(index points) const;
    Result<Look> begin(Scan const& part, index points, stem4d::Options const& run);
    Status choose_start(Look& look) const;
    Status write(Scan const& part, index points, Look const& look) const;

    PtychographyWish const& wish_;
    Stem4dJob const& job_;
    stem4d::LiveScan& live_;
    std::optional<stem4d::Disk> disk_ = {};  ///< of looks
    index disk_again_ = 0;                   ///< once so many points have come
    /// The newest look's, and the frames of its patterns.
    std::optional<stem4d::PtychographyResult> before_ = {};
    std::vector<index> frames_ = {};
    index looks_ = 0, looked_ = 0;  ///< how many were written, and points of the last one
    bool told_ = false;             ///< why looks cannot be made or written
};

}  // namespace sluice::cli
