// What steps are divided by: the light of the probe, the power of the object, and their largest.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/move_kernels.h"
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

// From the slice before, through nothing.
Status RemoteStep::spread_probe(index slice) {
    if (slice == 1)
        SLUICE_CHECK(launch::map(queue(), sizes_.probe(), Copy{at_.probe, at_.spread_probe}));
    auto* const z = reinterpret_cast<fft::Complex<float>*>(at_.spread_probe);
    SLUICE_CHECK(modes_->forward(queue(), z));
    SLUICE_CHECK(launch::map(queue(), sizes_.probe(),
                             Propagate{at_.propagator, sizes_.window(), false, at_.spread_probe}));
    return modes_->inverse(queue(), z);
}

Status RemoteStep::weigh_probe(index slice, float* peak) {
    if (slice > 0) SLUICE_CHECK(spread_probe(slice));
    Z const* const probe = slice > 0 ? at_.spread_probe : at_.probe;
    SLUICE_CHECK(launch::map(queue(), sizes_.window(),
                             ProbePower{probe, sizes_.window(), sizes_.modes, at_.probe_power}));
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
