// What a march flies through before the grid of a beam: range shifters, and the air behind them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/lead_in.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sluice::proton::cube {
namespace {

// mm of a plane that shifters fill, and the water of that.
struct Filled {
    double length = 0, water = 0;
};

Filled filled_by(std::vector<RangeShifter> const& shifters, double top, double bottom) {
    Filled f;
    for (RangeShifter const& s : shifters) {
        double const within =
            std::min(top, s.distance + s.water / pmma_water) - std::max(bottom, s.distance);
        if (within <= 0) continue;
        f.length += within;
        f.water += within * pmma_water;
    }
    return f;
}

// So much of a material in a plane of `step`: thinner, and as thick in all.
Material thinned(Material m, double part) {
    m.density *= part;
    m.electron_density *= part;
    m.scattering *= part;
    m.nuclear *= part;
    return m;
}

}  // namespace

LeadIn lead_in(Physics const& physics, Sheet const& sheet, Fan const& fan) {
    LeadIn lead{.sheet = sheet};
    std::vector<RangeShifter> const& shifters = sheet.before.shifters;
    double const met = shifters.empty() ? sheet.water : sheet.before.water;
    lead.energy = physics.energy(physics.range(sheet.energy) - met);
    if (shifters.empty()) return lead;
    lead.way = sheet.before.top - fan.top;
    for (std::size_t a = 0; a < 2; ++a)
        lead.sheet.moments[a] = sheet.before.moments[a].after(lead.way, 0);
    Material const air = *material("air"), pmma = *material("pmma");
    double const of_pmma = physics.relative_stopping_power(pmma, lead.energy);
    double const of_air = physics.relative_stopping_power(air, lead.energy);
    auto const count = static_cast<index>(std::ceil(lead.way / fan.step - 1e-9));
    std::vector<Filled> filled;
    double water = 0, in_air = 0;
    for (index k = 0; k < count; ++k) {
        double const bottom = fan.top + static_cast<double>(count - 1 - k) * fan.step;
        filled.push_back(filled_by(shifters, bottom + fan.step, bottom));
        water += filled.back().water;
        in_air += (fan.step - filled.back().length) * of_air;
    }
    // Protons come to the grid with the range that the sheet says, whatever of it air took.
    double const wanted = sheet.water - sheet.before.water;
    double const scale = water > 0 ? (wanted - in_air) / water : 0;
    for (Filled const& f : filled) {
        double const part = f.water * scale / (of_pmma * fan.step);
        double const rest = 1 - f.length / fan.step;
        // A plane that is not all shifter scatters and stops as the shifter in it does.
        Material m = f.length > 0 ? thinned(pmma, part) : air;
        m.name = f.length > 0 ? "range shifter" : "air before the image";
        lead.planes.push_back(
            {std::move(m), f.length > 0 ? f.water * scale / fan.step : rest * of_air});
    }
    return lead;
}

}  // namespace sluice::proton::cube
