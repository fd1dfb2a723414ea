// Boxes of material over a phantom.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/proton.h"

namespace sluice::proton {

/// A box of one material: its depths, and its columns.
struct Box {
    double from = 0, to = 0;    ///< mm
    index left = 0, right = 0;  ///< first column, and past the last
    std::uint16_t material = 0;
};

/// Whether an edge lies within a plane of cells.
bool lies_within(double edge, double dz);

/// Lays boxes over what is there, later ones over earlier ones. The cells of a plane in which edges
/// lie become mixtures by volume, so that protons meet what the boxes say.
/// `water` is its mean excitation energy, eV.
Status lay_boxes(std::span<Box const> boxes, double water, Phantom& phantom);

}  // namespace sluice::proton
