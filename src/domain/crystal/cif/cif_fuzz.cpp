// Fuzz target: any bytes as a CIF.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/unit_cell.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const cell = stem4d::parse_cif({reinterpret_cast<char const*>(data), size});
    if (!cell) {
        expects(!cell.error().message.empty());
        return 0;
    }
    expects(stem4d::check_cell(*cell).has_value());
    double const d = stem4d::spacing(*cell, {1, 0, 0});
    expects(d > 0 && d <= 1000.1);
    // Large cells are refused or take long.
    if (cell->atoms.size() < 500)
        if (auto const all = stem4d::reflections(*cell, 0.05))
            for (auto const& r : *all) expects(r.strength >= 0 && r.strength <= 1.0001);
    return 0;
}
