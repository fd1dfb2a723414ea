// orientation_boundaries: pairs of neighbours that lie unlike.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>

#include "domain/orientation/map/neighbours.h"
#include "sluice/orientation_grains.h"

namespace sluice::stem4d {

Result<std::vector<OrientationBoundary>> orientation_boundaries(OrientationMap const& map,
                                                                double least_degrees) {
    SLUICE_CHECK(check_orientations(map));
    if (!(least_degrees >= 0 && least_degrees <= 180))
        return Error{Code::invalid_argument,
                     fmt::format("boundaries from {:g} degrees on (0 to 180 can be); give another "
                                 "angle",
                                 least_degrees)};
    std::vector<OrientationBoundary> out;
    orient::each_pair(map, [&](std::size_t one, std::size_t two) {
        bool const same = map.phase[one] == map.phase[two];
        double const degrees =
            same ? orient::between(map, one, two) : std::numeric_limits<double>::quiet_NaN();
        if (!same || degrees >= least_degrees)
            out.push_back({static_cast<index>(one), static_cast<index>(two), degrees});
    });
    return out;
}

}  // namespace sluice::stem4d
