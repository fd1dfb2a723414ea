// Sorts zones into cells.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/library/cells.h"

#include <algorithm>

namespace sluice::orient {

std::vector<std::vector<index>> cells_of(std::vector<Vector3> const& fine,
                                         std::vector<Vector3> const& coarse) {
    std::vector<std::vector<index>> cells(coarse.size());
    for (std::size_t i = 0; i < fine.size(); ++i) {
        auto const nearest =
            std::ranges::max_element(coarse, {}, [&](Vector3 const& c) { return dot(c, fine[i]); });
        cells[static_cast<std::size_t>(nearest - coarse.begin())].push_back(static_cast<index>(i));
    }
    std::erase_if(cells, [](auto const& cell) { return cell.empty(); });
    for (auto& cell : cells) {
        Vector3 middle{};
        for (index const i : cell) middle = sum(middle, fine[static_cast<std::size_t>(i)]);
        auto const central = std::ranges::max_element(
            cell, {}, [&](index i) { return dot(middle, fine[static_cast<std::size_t>(i)]); });
        std::swap(cell.front(), *central);
    }
    return cells;
}

}  // namespace sluice::orient
