// Strain of a scan while it is measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/live/looks.h"
#include "app/cli/stem4d/job.h"
#include "app/cli/stem4d/strain_result.h"
#include "sluice/stem4d_live.h"

namespace sluice::cli {

/// What the command line asks for.
struct StrainWish {
    bool wanted = false;
    DiskSearch search = {};
    StrainWords words = {};
    std::vector<Verb::Given> given = {};  ///< to be set when the command line was read

    void add(Verb const& app);
    /// Errors: options without --strain, or what strain of a stream cannot have. `scan`: where it
    /// is known already.
    Status check(Stem4dJob const& job, std::optional<std::array<index, 2>> const& scan) const;
};

/// One scan's. It keeps all frames in memory (LiveScan::keep), and looks at those that have come.
class LiveStrain final : public LiveLook {
  public:
    /// The job's folder is the scan's. All of them outlive it.
    LiveStrain(StrainWish const& wish, Stem4dJob const& job, stem4d::LiveScan& live);

    void look(Scan const& part, index points, stem4d::Options const& run) override;
    /// Of the finished scan, as `sluice stem4d strain` does it: nothing of the looks is used.
    Status finish(Scan const& whole, Device const& device, JobReport& report,
                  std::vector<ResultGroup>& groups) const;

  private:
    struct Measured;
    Result<Measured> measure(Scan const& scan, DisksMade made, stem4d::Options const& run) const;
    Status write(Scan const& part, index points, Measured const& found) const;

    StrainWish const& wish_;
    Stem4dJob const& job_;
    stem4d::LiveScan& live_;
    std::optional<DisksMade> plan_ = {};  ///< of looks: what was learnt of the first points
    index plan_again_ = 0;                ///< once so many have come
    index looks_ = 0;                     ///< how many were written
    bool told_ = false;                   ///< that looks cannot be written
};

}  // namespace sluice::cli
