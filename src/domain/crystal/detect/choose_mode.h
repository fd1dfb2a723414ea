// Chooses how disks are fitted, by what a sample of patterns shows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/sample.h"

namespace sluice::crystal {

/// `even` are the sample's disks, each fitted on its own, on `basis` if on any, `pitch` how far
/// apart they are in pixels of the detector, and `asked` the caller's options. Whether `setup` has
/// another mode now.
Result<bool> choose_mode(Scan const& scan, Sample const& sample, stem4d::BraggVectors const& even,
                         std::optional<stem4d::LatticeBasis> const& basis,
                         std::optional<double> pitch, stem4d::DiskOptions const& asked,
                         stem4d::DiskSetup& setup, stem4d::Options const& run);

}  // namespace sluice::crystal
