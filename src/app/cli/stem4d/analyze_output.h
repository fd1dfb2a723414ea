// The results of `sluice stem4d analyze`: each as its own verb writes it, in one folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/moment_output.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::cli {

class AnalysisOutput {
  public:
    AnalysisOutput(Stem4dJob const& job, stem4d::AnalysisPlan const& plan);

    /// Of a file that would be replaced; it is of disks, which took long to find.
    Status check_files() const;
    Status add(stem4d::Analyzed found, stem4d::Decided const& decided, Scan const& scan,
               index member, JobReport& r);
    std::vector<ResultGroup> take() &&;

  private:
    Status add_images(stem4d::Analyzed const& found, Scan const& scan, index member, JobReport& r);
    Status add_patterns(stem4d::Analyzed const& found, Scan const& scan, index member,
                        JobReport& r);
    Status add_moments(stem4d::Analyzed const& found, Scan const& scan, index member, JobReport& r);
    void add_disks(std::size_t part, stem4d::BraggVectors vectors,
                   stem4d::DecidedDisks const& decided, index member, JobReport& r) const;
    std::string disks_path(std::size_t part, index member, index members) const;

    Stem4dJob const& job_;
    stem4d::AnalysisPlan const& plan_;
    std::vector<std::vector<ResultImage>> images_, patterns_;  // [part]
    std::vector<MomentOutput> moments_;
};

}  // namespace sluice::cli
