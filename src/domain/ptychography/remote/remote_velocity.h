// RemoteVelocity: solvers/velocity.h on a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/remote/move_kernels.h"
#include "domain/ptychography/remote/remote_step.h"
#include "domain/ptychography/remote/shelf.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {

class RemoteVelocity {
  public:
    /// Remembers where all is.
    Status begin(RemoteStep& step) {
        if (begun_) return {};
        begun_ = true;
        auto const& at = step.at();
        index const object = step.sizes().object(), probe = step.sizes().probe();
        Queue& queue = step.queue();
        auto const clear = [](Z* z) { return Clear{reinterpret_cast<float*>(z)}; };
        SLUICE_CHECK(launch::map(queue, object, Copy{at.object, at.object_before}));
        SLUICE_CHECK(launch::map(queue, probe, Copy{at.probe, at.probe_before}));
        SLUICE_CHECK(launch::map(queue, 2 * object, clear(at.object_speed)));
        return launch::map(queue, 2 * probe, clear(at.probe_speed));
    }
    /// As the host's.
    Status push(RemoteStep& step, Job<float> const& job, double part, double length) {
        SLUICE_CHECK(begin(step));
        auto const keep = static_cast<float>(part), gain = static_cast<float>(length);
        auto const& at = step.at();
        if (job.moves_object())
            SLUICE_CHECK(
                launch::map(step.queue(), step.sizes().object(),
                            Drift{keep, gain, at.object_before, at.object_speed, at.object}));
        if (!job.moves_probe()) return {};
        return launch::map(step.queue(), step.sizes().probe(),
                           Drift{keep, gain, at.probe_before, at.probe_speed, at.probe});
    }
    /// Shows all that one iteration leaves to the next.
    Status keep(RemoteStep& step, Shelf& shelf) {
        shelf.archive().number("drifts", begun_);
        if (!begun_) return {};
        auto const& at = step.at();
        index const modes = step.sizes().modes;
        SLUICE_CHECK(shelf.objects("object before", at.object_before));
        SLUICE_CHECK(shelf.windows("probe before", at.probe_before, modes));
        SLUICE_CHECK(shelf.objects("object velocity", at.object_speed));
        return shelf.windows("probe velocity", at.probe_speed, modes);
    }

  private:
    bool begun_ = false;
};

}  // namespace sluice::ptycho::remote
