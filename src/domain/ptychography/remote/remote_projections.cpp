// AP, DM, RAAR, RRR and SDR on devices, as solvers/projections.cpp has them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "domain/ptychography/remote/projection_kernels.h"
#include "domain/ptychography/remote/remote_solver.h"
#include "domain/ptychography/solvers/projection.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {

namespace {

// The one group is that of all patterns.
class RemoteProjections final : public RemoteSolver {
  public:
    Status begin(RemoteStep& step, Job<float> const& job) override {
        projection_ = projection_of(job.stage, job.largest_power, step.sizes().n());
        if (begun_) return {};
        begun_ = true;
        Group const& all = step.groups().front();
        return step.see(all, 0, all.count, step.at().kept);
    }

    Status move(RemoteStep& step, Job<float> const& job, Group const& all) override {
        index const piece = step.sizes().piece;
        for (index first = 0; first < all.count; first += piece)
            SLUICE_CHECK(step.project(all, first, std::min(piece, all.count - first), projection_));
        return overlap(step, job, all);
    }

    Status keep(RemoteStep& step, Shelf& shelf) override {
        begun_ = true;
        return shelf.windows("waves", step.at().kept, step.sizes().patterns * step.sizes().modes);
    }

  private:
    // Object and probe that fit the waves best, each for the other, until the probe rests. That is
    // asked for every time, so the device is waited for.
    static Status overlap(RemoteStep& step, Job<float> const& job, Group const& all) {
        for (int i = 0; i < 10; ++i) {
            if (job.moves_object()) SLUICE_CHECK(fit_object(step, all));
            if (!job.moves_probe()) return {};
            SLUICE_TRY(double const moved, fit_probe(step, all));
            if (moved < 0.05) return {};
        }
        return {};
    }

    // Of each row of numbers.
    static Result<std::vector<double>> sums(RemoteStep& step, float const* rows, index count) {
        std::vector<double> found(static_cast<std::size_t>(count));
        SLUICE_CHECK(
            launch::map(step.queue(), count, AddRows{rows, step.sizes().n(), step.at().fit_sums}));
        SLUICE_CHECK(
            step.queue().download(std::as_writable_bytes(std::span(found)), step.at().fit_sums));
        SLUICE_CHECK(step.queue().wait());
        return found;
    }

    static Status fit_object(RemoteStep& step, Group const& all) {
        auto const& at = step.at();
        Sizes const& sizes = step.sizes();
        SLUICE_CHECK(step.weigh_probe(0, at.peaks));
        SLUICE_TRY(auto const rows, sums(step, at.probe_power, sizes.n()));
        double const mean =
            std::accumulate(rows.begin(), rows.end(), 0.0) / static_cast<double>(sizes.window());
        auto const inertia = static_cast<float>(1e-4 * mean * static_cast<double>(sizes.patterns));
        index const pixels = all.tiles * Tile::area;
        SLUICE_CHECK(step.weigh_light(all, at.peaks));
        SLUICE_CHECK(launch::map(step.queue(), pixels,
                                 AddObject{step.tiles(all), 0, all.count, Entry{at.probe, true},
                                           at.kept, sizes.modes, at.object_sum}));
        return launch::map(
            step.queue(), pixels,
            FitObject{step.tiles(all), at.object_sum, at.of_tiles, inertia, at.object});
    }

    // How far the probe moved, beside its length.
    static Result<double> fit_probe(RemoteStep& step, Group const& all) {
        auto const& at = step.at();
        Sizes const& sizes = step.sizes();
        SLUICE_CHECK(step.weigh_object(all, at.peaks));
        SLUICE_CHECK(
            launch::map(step.queue(), sizes.probe(),
                        FitProbe{step.some(all), all.count, sizes.n(), sizes.modes, at.object,
                                 sizes.canvas, at.kept, at.object_power, at.fit_moved, at.probe}));
        index const rows = sizes.modes * sizes.n();
        SLUICE_TRY(auto const found, sums(step, at.fit_moved, 2 * rows));
        auto const middle = found.begin() + rows;
        return std::sqrt(std::accumulate(found.begin(), middle, 0.0) /
                         std::accumulate(middle, found.end(), 0.0));
    }

    Projection projection_;
    bool begun_ = false;
};

}  // namespace

std::unique_ptr<RemoteSolver> make_remote_projections() {
    return std::make_unique<RemoteProjections>();
}

}  // namespace sluice::ptycho::remote
