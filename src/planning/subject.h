// What is planned: a scan that is there, or a sample that stands for a larger one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sluice/plan.h"

namespace sluice::planning {

struct Subject {
    Dataset dataset = {};
    std::string name = {};
    /// Frames of the scan that is planned, over those of the dataset.
    double times = 1;
    std::array<index, 2> scan{};       ///< of what is planned, as stored
    std::shared_ptr<void> files = {};  ///< removes the sample
};

Subject subject_of(Dataset dataset);

/// Loads a square of so many points at a place: (0, 0) is the scan's first corner, (1, 1) its last.
LoadOptions square_of(Subject const& subject, LoadOptions load, index edge,
                      std::array<double, 2> place);

/// Writes a sample of some hundred frames as an ARINA does.
Result<Subject> subject_of(ScanSize const& size, std::string const& folder, int threads);

}  // namespace sluice::planning
