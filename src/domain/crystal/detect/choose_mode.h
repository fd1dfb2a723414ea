// Chooses how disks are fitted, by what a sample of patterns shows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/sample.h"

namespace sluice::crystal {

/// `found` are the sample's disks, each fitted on its own; `asked` are the caller's options.
/// Whether `setup` has another mode now.
Result<bool> choose_mode(Scan const& scan, Sample const& sample,
                         std::span<FoundPattern const> found, stem4d::DiskOptions const& asked,
                         stem4d::DiskSetup& setup, stem4d::Options const& run);

}  // namespace sluice::crystal
