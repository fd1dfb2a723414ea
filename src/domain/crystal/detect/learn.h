// What the fits of a sample say of a known lattice: which points have disks, and what background is
// beneath them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/sample.h"

namespace sluice::crystal {

/// How the setup's lattice fits every `step`-th pattern. Fails as Finder::make() does.
Result<std::vector<Finder::Match>> matches_in(Sample const& sample, index step,
                                              FinderSetup const& setup, Device const& device);

/// The points that have disks: those that a sample shows clearly, in the mean or in one pattern.
std::vector<std::array<int, 2>> points_of(std::span<Finder::Match const> matches);

/// Where disks overlap, nothing is between them: the background is what fits leave, in rounds, in
/// which the points of `setup.lattice` are chosen anew.
Status learn_background(Scan const& scan, stem4d::DiskSetup& setup, Sample const& sample,
                        std::span<std::uint8_t const> bad, stem4d::Options const& run);

}  // namespace sluice::crystal
