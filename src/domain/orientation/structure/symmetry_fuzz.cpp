// Fuzz target: any bytes as a CIF, and the symmetry and structure factors of what it says.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/structure_factors.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const cell = stem4d::parse_cif({reinterpret_cast<char const*>(data), size});
    if (!cell) return 0;
    if (auto const symmetry = stem4d::symmetry_of(*cell)) {
        expects(!symmetry->rotations.empty() && symmetry->rotations.size() <= 24);
        auto const v = stem4d::in_sector({0.3, -0.5, -0.8}, *symmetry);
        expects(v[2] < 1.0001 && v[2] > -1.0001);
        for (double c : stem4d::color_of(v, *symmetry)) expects(c >= 0 && c <= 1);
    } else {
        expects(!symmetry.error().message.empty());
    }
    // Large cells are refused or take long.
    if (cell->atoms.size() < 500)
        if (auto const all = stem4d::structure_factors(*cell, 0.05))
            for (auto const& f : *all) expects(std::abs(f.amplitude) < 1e6);
    return 0;
}
