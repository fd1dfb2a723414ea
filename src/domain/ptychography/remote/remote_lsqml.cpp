// LSQML on devices, as solvers/lsqml.cpp has it.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/ptychography/remote/remote_solver.h"
#include "domain/ptychography/remote/remote_velocity.h"
#include "domain/ptychography/solvers/lsqml_steps.h"
#include "domain/ptychography/solvers/pace.h"
#include "domain/ptychography/stage_kind.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {

namespace {

// The small systems of a group's patterns come down, five numbers of each, and its steps go up as
// numbers of the next kernels.
class RemoteLsqml final : public RemoteSolver {
  public:
    explicit RemoteLsqml(bool moves_on) : moves_on_(moves_on) {}

    Status begin(RemoteStep& step, Job<float> const& job) override {
        if (!moves_on_) return {};
        auto const [keep, gain] = pace_.next(job.last_r);
        return velocity_.push(step, job, keep, gain);
    }

    Status keep(RemoteStep& step, Shelf& shelf) override {
        if (!moves_on_) return {};
        SLUICE_CHECK(velocity_.keep(step, shelf));
        pace_.keep(shelf.archive());
        return {};
    }

    Status move(RemoteStep& step, Job<float> const& job, Group const& group) override {
        SLUICE_CHECK(step.run(group, {.position = job.stage.refine_positions, .each = true}));
        SLUICE_CHECK(find_directions(step, group));
        SLUICE_TRY(auto const systems, systems_of(step, job, group));
        LsqmlSteps const steps =
            steps_of(systems, job.stage, job.moves_probe() && job.moves_object(), job.length);
        if (job.moves_object()) SLUICE_CHECK(move_object(step, group, steps.object));
        if (!job.moves_probe()) return {};
        return launch::map(
            step.queue(), step.sizes().probe(),
            AddScaled{step.at().probe_way, static_cast<float>(steps.probe), step.at().probe});
    }

  private:
    // As `plain` descent, but with steps of 1.
    static Status find_directions(RemoteStep& step, Group const& group) {
        auto const& at = step.at();
        auto const& canvas = step.sizes().canvas;
        float *const light = at.peaks, *const power = at.peaks + 1;
        SLUICE_CHECK(step.weigh_object(group, power));
        for (index s = 0; s < canvas.slices; ++s)
            SLUICE_CHECK(
                launch::map(step.queue(), group.tiles * Tile::area,
                            ClearTiles{step.tiles(group), at.object_way + s * canvas.size()}));
        SLUICE_CHECK(step_object(step, group, at.object_sum, -1,
                                 {Divisor::Kind::damped, light, 1, 0.1f, at.of_tiles},
                                 at.object_way));
        SLUICE_CHECK(launch::map(step.queue(), 2 * step.sizes().probe(),
                                 Clear{reinterpret_cast<float*>(at.probe_way)}));
        SLUICE_CHECK(step_probe(step, at.probe_sum, -1, {Divisor::Kind::peak, power, 1, 0, nullptr},
                                at.probe_way));
        return step.turn_way();
    }

    static Status sum_systems(RemoteStep& step, Group const& group, index first, index count) {
        auto const& at = step.at();
        Sizes const& sizes = step.sizes();
        // Parseval: products of spectra are window() times those of waves.
        float const unit = sizes.moves ? 1 / static_cast<float>(sizes.window()) : 1;
        SLUICE_CHECK(launch::map(
            step.queue(), count * sizes.n(),
            StepSystems{
                step.some(group, first), sizes.canvas, sizes.n(), sizes.modes, at.object,
                at.object_way, at.probe, at.probe_way, at.object_gradients + first * sizes.window(),
                at.probe_gradients + first * sizes.probe(), at.turned_way, unit, at.columns}));
        return step.add_columns(count * 5, sizes.n(), at.systems + first * 5);
    }

    static Result<std::vector<System>> systems_of(RemoteStep& step, Job<float> const& job,
                                                  Group const& group) {
        index const piece = step.sizes().piece;
        for (index first = 0; first < group.count; first += piece)
            SLUICE_CHECK(sum_systems(step, group, first, std::min(piece, group.count - first)));
        std::vector<double> sums(static_cast<std::size_t>(group.count * 5));
        SLUICE_CHECK(
            step.queue().download(std::as_writable_bytes(std::span(sums)), step.at().systems));
        std::vector<double> errors(static_cast<std::size_t>(group.count * quantities));
        if (weighs_residuals(job.stage))
            SLUICE_CHECK(step.queue().download(std::as_writable_bytes(std::span(errors)),
                                               step.at().errors + group.first * quantities));
        SLUICE_CHECK(step.queue().wait());
        std::vector<System> systems;
        for (index w = 0; w < group.count; ++w) {
            double const* const s = sums.data() + 5 * w;
            for (index i = 0; i < 5; ++i)
                if (!std::isfinite(s[i]))
                    return no_numbers(step.pattern(group.first + w), job.iteration);
            ResidualSlopes slopes;
            std::copy_n(errors.data() + w * quantities + errors_of_groups, slopes.size(),
                        slopes.begin());
            double const part = part_of_residual(job.stage, slopes);
            systems.push_back({s[0], s[1], s[2], -part * s[3], -part * s[4]});
        }
        return systems;
    }

    // Slices share the step.
    static Status move_object(RemoteStep& step, Group const& group, double length) {
        auto const& at = step.at();
        auto const& canvas = step.sizes().canvas;
        auto const by = static_cast<float>(length / static_cast<double>(canvas.slices));
        for (index s = 0; s < canvas.slices; ++s)
            SLUICE_CHECK(launch::map(step.queue(), group.tiles * Tile::area,
                                     AddTiles{step.tiles(group), at.object_way + s * canvas.size(),
                                              by, at.object + s * canvas.size()}));
        return {};
    }

    bool moves_on_;
    RemoteVelocity velocity_;
    Pace pace_;
};

}  // namespace

std::unique_ptr<RemoteSolver> make_remote_lsqml(bool moves_on) {
    return std::make_unique<RemoteLsqml>(moves_on);
}

}  // namespace sluice::ptycho::remote
