// ePIE, rPIE and mPIE on devices, as solvers/pie.cpp has them for groups.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/remote_solver.h"
#include "domain/ptychography/remote/remote_velocity.h"
#include "domain/ptychography/solvers/drift.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {

namespace {

using S = PtychographyStage::Solver;

class RemotePie final : public RemoteSolver {
  public:
    Status begin(RemoteStep& step, Job<float> const&) override {
        for (index s = 0; s < step.sizes().canvas.slices; ++s)
            SLUICE_CHECK(step.weigh_probe(s, probe_peak(step) + s));
        return {};
    }

    Status move(RemoteStep& step, Job<float> const& job, Group const& group) override {
        bool const object = job.moves_object(), probe = job.moves_probe();
        SLUICE_CHECK(step.run(
            group, {.object = object, .probe = probe, .position = job.stage.refine_positions}));
        // Both see object and probe as they were. Weights of the tiles and peaks of them share
        // their room, so that the object's peak comes first.
        Divisor for_object{}, for_probe{};
        if (probe) SLUICE_CHECK(weigh_object(step, job, group, for_probe));
        if (object) for_object = divisor_of_object(step, job);
        if (object)
            SLUICE_CHECK(step_object(step, group, step.at().object_sum,
                                     -length(job, job.stage.object_step), for_object,
                                     step.at().object));
        if (probe)
            SLUICE_CHECK(step_probe(step, step.at().probe_sum, -length(job, job.stage.probe_step),
                                    for_probe, step.at().probe));
        return job.stage.solver == S::mpie ? drift(step, job, group) : Status{};
    }

    Status keep(RemoteStep& step, Shelf& shelf) override { return velocity_.keep(step, shelf); }

  private:
    static bool regular(Job<float> const& job) { return job.stage.solver != S::epie; }
    static float length(Job<float> const& job, double given) {
        double const usual = job.stage.solver == S::mpie ? 0.25 : 1;
        return static_cast<float>(job.length * (given > 0 ? given : usual));
    }
    // One for each slice.
    static float* probe_peak(RemoteStep& step) { return step.at().peaks + 3; }

    // The largest |P|^2 of the iteration's start, or for each pixel (1 - g) W + g max W.
    static Divisor divisor_of_object(RemoteStep& step, Job<float> const& job) {
        if (!regular(job)) return {Divisor::Kind::peak, probe_peak(step), 1, 0, nullptr};
        return {Divisor::Kind::shared, step.at().peaks + 2, 1,
                static_cast<float>(job.stage.object_regularisation), step.at().of_tiles};
    }

    // The largest |O|^2 for each pattern, or for each pixel (1 - g) V + g max V.
    static Status weigh_object(RemoteStep& step, Job<float> const& job, Group const& group,
                               Divisor& divisor) {
        float* const peak = step.at().peaks + 1;
        if (!regular(job)) {
            SLUICE_CHECK(step.find_object_peak(group, peak));
            divisor = {Divisor::Kind::peak, peak, static_cast<float>(group.count), 0, nullptr};
            return {};
        }
        SLUICE_CHECK(step.weigh_object(group, peak));
        divisor = {Divisor::Kind::shared, peak, 1,
                   static_cast<float>(job.stage.probe_regularisation), step.at().object_power};
        return {};
    }

    Status drift(RemoteStep& step, Job<float> const& job, Group const& group) {
        SLUICE_CHECK(velocity_.begin(step));
        if (!drifts(job, step.number(group), group.count)) return {};
        return velocity_.push(step, job, job.stage.momentum, job.stage.momentum_gain);
    }

    RemoteVelocity velocity_;
};

}  // namespace

std::unique_ptr<RemoteSolver> make_remote_pie() {
    return std::make_unique<RemotePie>();
}

Status step_object(RemoteStep& step, Group const& group, Z const* sum, float by, Divisor divisor,
                   Z* object) {
    auto const& canvas = step.sizes().canvas;
    for (index s = 0; s < canvas.slices; ++s) {
        if (divisor.local) {
            SLUICE_CHECK(step.weigh_probe(s, divisor.peak));
            SLUICE_CHECK(step.weigh_light(group, divisor.peak));
        }
        SLUICE_CHECK(launch::map(step.queue(), group.tiles * Tile::area,
                                 StepTiles{step.tiles(group), sum + s * canvas.size(), by, divisor,
                                           object + s * canvas.size()}));
        if (!divisor.local) ++divisor.peak;
    }
    return {};
}

Status step_probe(RemoteStep& step, Z const* sum, float by, Divisor const& divisor, Z* probe) {
    return launch::map(step.queue(), step.sizes().probe(),
                       StepProbe{sum, by, divisor, step.sizes().window(), probe});
}

}  // namespace sluice::ptycho::remote
