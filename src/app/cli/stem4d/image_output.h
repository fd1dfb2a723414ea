// Virtual images as results: maps, and what reports say of their detectors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/job.h"

namespace sluice::cli {

/// Fails where two results would be saved under one name.
Status check_file_names(std::span<std::string const> names);

/// How the images of some detectors become results.
struct ImageOutput {
    std::span<stem4d::Detector const> detectors;
    bool mean = false;
    OutputOptions const& output;

    /// Appends those of a member to `images`, one for each detector, and tells `json` of them.
    Status add(stem4d::VirtualImages const& result, Scan const& scan, index member,
               std::span<ResultImage> images, Json& json) const;
};

}  // namespace sluice::cli
