// Indices of directions and planes, as people write them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/orientation/vectors.h"
#include "figure/text.h"
#include "sluice/unit_cell.h"

namespace sluice::orient {

/// Numbers between brackets; a bar stands above those that are negative.
struct IndexText {
    std::string open = {}, close = {};
    std::vector<int> numbers = {};
    std::string before = {};  ///< instead of numbers, where there are none
};

/// Of a direction of the crystal: [uvw], with four indices on hexagonal axes; where no small
/// numbers are along it, the planes (hkl) that stand on it; else the nearest axis of its frame, as
/// "x".
IndexText indices_of(Vector3 const& direction, stem4d::UnitCell const& cell);
/// [uvw], with four indices on hexagonal axes.
IndexText axis_of(stem4d::Indices const& uvw, stem4d::UnitCell const& cell);
/// {hkl}, with four indices on hexagonal axes.
IndexText planes_of(stem4d::Indices const& hkl, stem4d::UnitCell const& cell);

index width_of(IndexText const& text, figure::Pen const& pen);
void draw_indices(figure::Drawing& drawing, index baseline, index left, IndexText const& text,
                  figure::Pen const& pen);
/// Without bars, as in "[2 -1 -1 0]".
std::string plain(IndexText const& text);

}  // namespace sluice::orient
