// Velocity: what object and probe moved by goes on moving them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/archive.h"
#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// Of mPIE now and then after a group, of LSQML from one iteration to the next.
template <class Real>
class Velocity {
  public:
    /// What moved since the last time adds to `keep` of the velocity, and `gain` of it moves what
    /// the stage moves. The first time only remembers where all is.
    void push(Job<Real>& job, double keep, double gain) {
        if (object_before_.empty()) begin(job);
        if (job.moves_object())
            push(job, job.state.object, object_before_, object_speed_, keep, gain);
        if (job.moves_probe()) push(job, job.state.probe, probe_before_, probe_speed_, keep, gain);
    }
    /// Remembers where all is.
    void begin(Job<Real> const& job) {
        if (!object_before_.empty()) return;
        object_before_ = job.state.object;
        probe_before_ = job.state.probe;
        for (auto const& z : object_before_) object_speed_.emplace_back(z.rows(), z.cols());
        for (auto const& z : probe_before_) probe_speed_.emplace_back(z.rows(), z.cols());
    }
    /// Shows all that one iteration leaves to the next.
    void keep(Job<Real> const& job, Archive<Real>& archive) {
        bool drifts = !object_before_.empty();
        archive.number("drifts", drifts);
        if (!drifts) return;
        begin(job);
        archive.planes("object before", object_before_);
        archive.planes("probe before", probe_before_);
        archive.planes("object velocity", object_speed_);
        archive.planes("probe velocity", probe_speed_);
    }

  private:
    static void push(Job<Real> const& job, std::vector<Planar<Real>>& now,
                     std::vector<Planar<Real>>& before, std::vector<Planar<Real>>& speed,
                     double part, double length) {
        auto const keep = static_cast<Real>(part), gain = static_cast<Real>(length);
        for (std::size_t s = 0; s < now.size(); ++s)
            parallel_for(now[s].rows(), job.threads, 16, [&](index r, int) {
                Real *const z = now[s].re(r), *const b = before[s].re(r), *const v = speed[s].re(r);
                for (index i = 0; i < 2 * now[s].half(); ++i) {
                    v[i] = keep * v[i] + (z[i] - b[i]);
                    z[i] += gain * v[i];
                    b[i] = z[i];
                }
            });
    }

    std::vector<Planar<Real>> object_before_, probe_before_, object_speed_, probe_speed_;
};

}  // namespace sluice::ptycho
