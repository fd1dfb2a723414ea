// The layers of a beam as they enter its grid.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/spot_sheets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/marching/grid.h"

namespace sluice::proton::cube {
namespace {

/// Scatters and slows protons down on their way.
class Entering {
  public:
    Entering(Physics const& physics, double energy, Sheet& sheet)
        : physics_(physics),
          beam_{.energy = energy},
          range_(physics.range(energy)),
          air_(*material("air")),
          shifter_(*material("pmma")),
          sheet_(sheet) {
        // Of as much PMMA as stops like water.
        shifter_ratio_ = shifter_.scattering / shifter_.electron_density;
    }

    double left() const { return range_ - sheet_.water; }

    void through_air(double way, bool is_air) {
        if (!is_air || way <= 0) return step(way, 0, 0);
        auto const steps = static_cast<int>(std::ceil(way / 20));
        for (int i = 0; i < steps; ++i) {
            double const dz = way / steps, water = dz * air_water;
            double const r = left();
            double const t = physics_.scattering_power(air_, physics_.energy(r)) *
                             marching::part_of_thick(physics_, beam_, r - water, r);
            step(dz, t, water);
        }
    }

    // As thick as so much PMMA.
    void through_shifter(double water) {
        constexpr int steps = 50;
        for (int i = 0; i < steps; ++i) {
            double const dw = water / steps, dz = dw / pmma_water;
            double const r = std::max(left() - dw / 2, 0.5);
            double const t = physics_.scattering_power(Material{}, physics_.energy(r)) *
                             shifter_ratio_ * dw / dz;
            step(dz, t, dw);
        }
        sheet_.scattered += water;
    }

  private:
    Physics const& physics_;
    Beam beam_;
    double range_;
    Material air_, shifter_;
    double shifter_ratio_;
    Sheet& sheet_;

    void step(double dz, double t, double water) {
        for (Moments& m : sheet_.moments) m = m.after(dz, t);
        sheet_.water += water;
    }
};

}  // namespace

Status enter(Physics const& physics, double energy, std::vector<RangeShifter> const& shifters,
             WayIn const& way, Sheet& sheet) {
    std::vector<RangeShifter> in_order = shifters;
    std::ranges::sort(in_order, std::ranges::greater{}, &RangeShifter::distance);
    Entering entering(physics, energy, sheet);
    double z = way.from;
    for (RangeShifter const& s : in_order) {
        double const top = s.distance + s.water / pmma_water;
        if (s.distance < way.to)
            return Error{Code::invalid_argument,
                         fmt::format("range shifter '{}' ends {:g} mm before the isocentre, inside "
                                     "of the image's tissue, which begins {:.1f} mm before it; the "
                                     "plan's IsocenterToRangeShifterDistance may be wrong",
                                     s.name, s.distance, way.to)};
        entering.through_air(z - top, way.air);
        if (sheet.before.shifters.empty())
            sheet.before = {in_order, sheet.moments, top, sheet.water};
        if (entering.left() - s.water < 2)
            return Error{Code::invalid_argument,
                         fmt::format("range shifter '{}' of {:g} mm water stops protons of {:g} "
                                     "MeV; is its thickness right?",
                                     s.name, s.water, energy)};
        entering.through_shifter(s.water);
        z = s.distance;
    }
    entering.through_air(z - way.to, way.air);
    if (way.kernel_air) {
        double const met = way.air ? 0 : std::max(0.0, way.from - way.to);
        sheet.water = std::max(0.0, sheet.water + air_water * (met - *way.kernel_air));
    }
    return {};
}

}  // namespace sluice::proton::cube
