// Descent on devices, plain or Adam's, as solvers/descent.cpp has it.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/remote/remote_solver.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {

namespace {

double given(double step, double usual) {
    return step > 0 ? step : usual;
}

class RemoteDescent final : public RemoteSolver {
  public:
    Status begin(RemoteStep&, Job<float> const&) override { return {}; }

    Status move(RemoteStep& step, Job<float> const& job, Group const& group) override {
        bool const adam = job.stage.solver == PtychographyStage::Solver::adam;
        if (adam && !begun_) SLUICE_CHECK(begin_adam(step));
        SLUICE_CHECK(step.run(group, {.object = job.moves_object(),
                                      .probe = job.moves_probe(),
                                      .position = job.stage.refine_positions}));
        return adam ? by_adam(step, job) : plain(step, job, group);
    }

    Status keep(RemoteStep& step, Shelf& shelf) override {
        shelf.archive().number("object time", object_time_);
        shelf.archive().number("probe time", probe_time_);
        if (probe_time_ == 0) {
            double none = 0;
            shelf.archive().number("probe peak", none);
        }
        if (!step.at().object_first) return {};
        if (!begun_) SLUICE_CHECK(begin_adam(step));
        auto const& at = step.at();
        index const modes = step.sizes().modes;
        if (object_time_ > 0) {
            SLUICE_CHECK(shelf.objects("object first moments", at.object_first));
            SLUICE_CHECK(shelf.real_objects("object second moments", at.object_second));
        }
        if (probe_time_ == 0) return {};
        SLUICE_CHECK(shelf.root("probe peak", at.peaks));
        SLUICE_CHECK(shelf.windows("probe first moments", at.probe_first, modes));
        return shelf.real_windows("probe second moments", at.probe_second, modes);
    }

  private:
    // O -= step grad / sqrt(W^2 + (0.1 max W)^2), P -= step grad / max sum |O|^2.
    static Status plain(RemoteStep& step, Job<float> const& job, Group const& group) {
        float *const light = step.at().peaks, *const power = step.at().peaks + 1;
        auto const by = [&](double of) { return static_cast<float>(-job.length * given(of, 0.5)); };
        if (job.moves_probe()) SLUICE_CHECK(step.weigh_object(group, power));
        if (job.moves_object()) {
            SLUICE_CHECK(step_object(step, group, step.at().object_sum, by(job.stage.object_step),
                                     {Divisor::Kind::damped, light, 1, 0.1f, step.at().of_tiles},
                                     step.at().object));
        }
        if (!job.moves_probe()) return {};
        return step_probe(step, step.at().probe_sum, by(job.stage.probe_step),
                          {Divisor::Kind::peak, power, 1, 0, nullptr}, step.at().probe);
    }

    // Also the sum: what no window touches has no gradient.
    Status begin_adam(RemoteStep& step) {
        begun_ = true;
        auto const& at = step.at();
        index const object = step.sizes().object(), probe = step.sizes().probe();
        auto const clear = [&](auto* data, index numbers) {
            return launch::map(step.queue(), numbers, Clear{reinterpret_cast<float*>(data)});
        };
        SLUICE_CHECK(clear(at.object_sum, 2 * object));
        SLUICE_CHECK(clear(at.object_first, 2 * object));
        SLUICE_CHECK(clear(at.object_second, object));
        SLUICE_CHECK(clear(at.probe_first, 2 * probe));
        return clear(at.probe_second, probe);
    }

    Status by_adam(RemoteStep& step, Job<float> const& job) {
        auto const& at = step.at();
        float* const peak = at.peaks;
        if (job.moves_probe() && probe_time_ == 0) SLUICE_CHECK(step.weigh_probe(0, peak));
        if (job.moves_object())
            SLUICE_CHECK(launch::map(
                step.queue(), step.sizes().object(),
                step_of(++object_time_, job.length * given(job.stage.object_step, 0.02), nullptr,
                        {at.object_sum, at.object_first, at.object_second, at.object})));
        if (!job.moves_probe()) return {};
        return launch::map(
            step.queue(), step.sizes().probe(),
            step_of(++probe_time_, job.length * given(job.stage.probe_step, 0.005), peak,
                    {at.probe_sum, at.probe_first, at.probe_second, at.probe}));
    }

    struct Moved {
        Z *sum, *first;
        float* second;
        Z* z;
    };
    static StepAdam step_of(index time, double rate, float const* peak, Moved const& what) {
        auto const t = static_cast<double>(time);
        return {what.sum,   rate / (1 - std::pow(0.9, t)),
                peak,       static_cast<float>(1 / (1 - std::pow(0.999, t))),
                what.first, what.second,
                what.z};
    }

    bool begun_ = false;
    index object_time_ = 0, probe_time_ = 0;
};

}  // namespace

std::unique_ptr<RemoteSolver> make_remote_descent() {
    return std::make_unique<RemoteDescent>();
}

}  // namespace sluice::ptycho::remote
