// Drift between scans, as results: what reports say, a table, a picture, and the mean without it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/job.h"
#include "sluice/stem4d_drift.h"

namespace sluice::cli {

class DriftOutput {
  public:
    /// `image`: what its images show, as in "bf"; the mean's name begins with it.
    DriftOutput(OutputOptions output, std::string image)
        : output_(std::move(output)), image_(std::move(image)) {}

    /// The image of the next scan: tells the report's "drift" and lines of it. Errors: it has
    /// another shape than the first.
    Status add(ScanMap const& image, Scan const& scan, JobReport& report);
    /// FOLDER/drift.csv, a line for each scan up to now, and its pictures.
    Result<std::vector<std::string>> save_table(Provenance const& provenance) const;
    /// The mean of the images where the first one has its points, and how many it is of.
    std::vector<ResultImage> mean(JobReport& report) const;
    index scans() const { return std::ssize(series_.steps()); }

  private:
    figure::Drawing drawing() const;

    OutputOptions output_;
    std::string image_, unit_;
    figure::Style style_ = {};
    double step_nm_ = 0;
    stem4d::DriftSeries series_;
};

}  // namespace sluice::cli
