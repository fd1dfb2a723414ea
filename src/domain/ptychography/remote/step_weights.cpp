// What steps are divided by: the light of the probe, the power of the object, and their largest.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/remote_step.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {

Status RemoteStep::largest(float const* from, index n, float* to) {
    float* next = at_.maxima;
    for (index const parts : {1024, 32, 1}) {
        if (parts > 1 && parts >= n) continue;
        float* const here = parts == 1 ? to : next;
        SLUICE_CHECK(launch::map(queue(), parts, Largest{from, n, parts, here}));
        from = here;
        n = parts;
        next += parts;
    }
    return {};
}

Status RemoteStep::weigh_probe(float* peak) {
    SLUICE_CHECK(
        launch::map(queue(), sizes_.window(),
                    ProbePower{at_.probe, sizes_.window(), sizes_.modes, at_.probe_power}));
    return largest(at_.probe_power, sizes_.window(), peak);
}

Status RemoteStep::weigh_light(Group const& group, float* peak) {
    index const pixels = group.tiles * Tile::area;
    SLUICE_CHECK(launch::map(queue(), pixels,
                             AddLight{tiles(group), group.count, at_.probe_power, at_.of_tiles}));
    return largest(at_.of_tiles, pixels, peak);
}

Status RemoteStep::weigh_object(Group const& group, float* peak) {
    SLUICE_CHECK(launch::map(queue(), sizes_.window(),
                             ObjectPower{some(group), group.count, at_.object, sizes_.canvas,
                                         sizes_.n(), at_.object_power}));
    return largest(at_.object_power, sizes_.window(), peak);
}

Status RemoteStep::find_object_peak(Group const& group, float* peak) {
    index const pixels = group.tiles * Tile::area;
    SLUICE_CHECK(launch::map(queue(), pixels,
                             LitPower{tiles(group), group.count, at_.object, at_.of_tiles}));
    return largest(at_.of_tiles, pixels, peak);
}

}  // namespace sluice::ptycho::remote
