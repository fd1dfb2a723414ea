// Marching the beams of a configuration.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_run.h"

namespace sluice::proton {
namespace {

Result<MarchResult> run_dense(Config const& config, Physics const& physics, Beam const& beam,
                              MarchOptions const& march) {
    DenseOptions o = *config.dense;
    o.scattering = march.scattering;
    o.straggling = march.straggling;
    o.nuclear = march.nuclear;
    o.out_of_plane = march.out_of_plane;
    o.splitting = march.splitting;
    o.precision = march.precision;
    o.device = march.device.with_threads(march.threads);
    o.progress = march.progress;
    SLUICE_TRY(DenseSolver solver, DenseSolver::create(physics, config.phantom, beam, o));
    SLUICE_CHECK(solver.run());
    return solver.result();
}

}  // namespace

Result<MarchResult> march_beam(Config const& config, Physics const& physics, Beam const& beam,
                               MarchOptions const& options) {
    return config.dense ? run_dense(config, physics, beam, options)
                        : march(physics, config.phantom, beam, options);
}

Result<MarchResult> march_beams(Config const& config, int threads, Progress const& progress) {
    MarchResult sum;
    Physics const physics(config.water);
    MarchOptions options = config.options;
    options.threads = threads;
    options.let_map = true;
    auto const beams = static_cast<std::uint64_t>(config.beams.size());
    for (std::uint64_t b = 0; b < beams; ++b) {
        options.progress = [&](std::uint64_t done, std::uint64_t planes) {
            return !progress || progress(b * planes + done, beams * planes);
        };
        SLUICE_TRY(MarchResult r, march_beam(config, physics, config.beams[b], options));
        if (b == 0)
            sum = std::move(r);
        else
            add(sum, r);
    }
    return sum;
}

}  // namespace sluice::proton
