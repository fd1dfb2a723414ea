// The step of projections: kept waves, and the moduli that were measured.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/projection_kernels.h"
#include "domain/ptychography/remote/remote_step.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {

Status RemoteStep::see(Group const& group, index first, index count, Z* out) {
    return launch::map(queue(), count * sizes_.probe(),
                       PassSlice{some(group, first), Entry{at_.probe, true}, slice(0),
                                 sizes_.canvas, sizes_.n(), sizes_.modes, out});
}

Status RemoteStep::project(Group const& group, index first, index count,
                           Projection const& projection) {
    Piece const piece{group, first, first + count};
    // Spectra are not scaled, near waves are what they are.
    float const unit = at_.near ? 1 : 1 / static_cast<float>(sizes_.window());
    index const numbers = count * sizes_.probe();
    Z* const kept = at_.kept + first * sizes_.probe();
    SLUICE_CHECK(see(group, first, count, at_.views));
    SLUICE_CHECK(launch::map(
        queue(), numbers, MixWaves{kept, at_.views, static_cast<float>(projection.c), at_.waves}));
    SLUICE_CHECK(travel(at_.views, count, false));
    SLUICE_CHECK(weigh(piece, at_.views, errors_of(piece)));
    SLUICE_CHECK(travel(at_.waves, count, false));
    SLUICE_CHECK(weigh(piece, at_.waves, at_.own_errors));
    SLUICE_CHECK(patterns_->with_counts([&]<class T>(T const* counts) {
        return launch::map(
            queue(), count * sizes_.window(),
            SetModuli<T>{some(group, first), counts, patterns_->bad(), at_.own_errors,
                         projection.power_bound, sizes_.window(), sizes_.modes, unit, at_.waves});
    }));
    SLUICE_CHECK(travel(at_.waves, count, true));
    // Their place held their spectra meanwhile.
    SLUICE_CHECK(see(group, first, count, at_.views));
    return launch::map(queue(), numbers,
                       UpdateWaves{at_.views, at_.waves, static_cast<float>(projection.a),
                                   static_cast<float>(projection.b), kept});
}

}  // namespace sluice::ptycho::remote
