// From an image to the tissues of a phantom's cells.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/proton/config/ct.h"
#include "domain/proton/config/tissues.h"

namespace sluice::proton {
namespace {

// The middles of all cells lie in the image.
Status check_size(Table const& table, CtPlane const& image, Phantom const& p) {
    if (p.depth() - p.dz / 2 <= image.depth() && p.width() - p.dx <= image.width()) return {};
    return table.error(fmt::format(
        "the phantom is {:g} mm deep and {:g} mm wide, and the image {:g} and {:g} mm; make "
        "grid.depth and grid.width smaller, or leave them out",
        p.depth(), p.width(), image.depth(), image.width()));
}

void warn(Ct const& ct, BeyondTable const& beyond, Config& c) {
    Phantom const& p = c.phantom;
    if (auto g = beyond.guard(p.planes * p.columns, "cells")) c.guards.push_back(*std::move(g));
    // Pixels that are near no cell's middle have no effect.
    if (p.dz > 1.5 * ct.plane.dz || p.dx > 1.5 * ct.plane.dx) {
        Guard g{.name = "pixels_skipped",
                .value = std::max(p.dz / ct.plane.dz, p.dx / ct.plane.dx),
                .limit = 1.5};
        g.text = fmt::format("cells of {:g} x {:g} mm skip pixels of {:g} x {:g} mm", p.dz, p.dx,
                             ct.plane.dz, ct.plane.dx);
        g.key = "make grid.dz and grid.dx smaller";
        c.guards.push_back(std::move(g));
    }
}

}  // namespace

Status lay_ct(Table const& table, Ct const& ct, Config& c) {
    Phantom& p = c.phantom;
    SLUICE_CHECK(check_size(table, ct.plane, p));
    p.map.resize(static_cast<std::size_t>(p.planes * p.columns));
    Tissues tissues(c.water, ct.stopping, ct.density, p.materials);
    BeyondTable beyond(ct.stopping);
    bool const hu = ct.quantity == ImageQuantity::hu;
    for (index k = 0; k < p.planes; ++k) {
        double const z = (static_cast<double>(k) + 0.5) * p.dz;
        for (index i = 0; i < p.columns; ++i) {
            double const x = p.x0 + (static_cast<double>(i) + 0.5) * p.dx;
            double const value = ct.plane.at(z, x);
            auto const number = tissues.number(ct.quantity, hu ? beyond.nearest(value) : value);
            if (!number)
                return table.error("the image has more than 65000 different values; is it HU?");
            p.map[static_cast<std::size_t>(k * p.columns + i)] = *number;
        }
    }
    warn(ct, beyond, c);
    c.assumed.insert(c.assumed.end(), ct.assumed.begin(), ct.assumed.end());
    return {};
}

}  // namespace sluice::proton
