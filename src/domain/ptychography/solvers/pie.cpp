// The iterative engines of Maiden and Rodenburg: ePIE (10.1016/j.ultramic.2009.05.012), rPIE and
// mPIE (10.1364/OPTICA.4.000736), for one pattern after the other or for groups.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/group_sums.h"
#include "domain/ptychography/solvers/drift.h"
#include "domain/ptychography/solvers/groups_of.h"
#include "domain/ptychography/solvers/solver.h"
#include "domain/ptychography/solvers/velocity.h"
#include "domain/ptychography/variable_probe.h"

namespace sluice::ptycho {

namespace {

using S = PtychographyStage::Solver;

template <class Real>
class Pie final : public Solver<Real> {
  public:
    Result<Errors> iterate(Job<Real>& job) override {
        Errors sum;
        auto const groups = groups_of(job);
        probe_peaks_.clear();
        for (auto const& power : light_of_slices(job))
            probe_peaks_.push_back(*std::max_element(power.begin(), power.end()));
        for (std::size_t g = 0; g < groups.size(); ++g) {
            SLUICE_TRY(Errors const errors, job.run_sums(groups[g]));
            sum += errors;
            if (job.moves_probe()) move_probe(job);
            if (job.moves_object()) move_object(job);
            if (job.moves_probe()) std::swap(job.state.probe, next_probe_);
            vary_probe(job);
            if (job.stage.solver == S::mpie) drift(job, groups[g], g);
        }
        return sum;
    }

    void keep(Job<Real>& job, Archive<Real>& archive) override { velocity_.keep(job, archive); }

  private:
    // O -= a grad / max |P|^2, or for each pixel / ((1 - g) W + g max W), W the group's |P|^2.
    void move_object(Job<Real>& job) {
        bool const regular = job.stage.solver != S::epie;
        index const n = job.window();
        std::vector<std::vector<Real>> light;
        if (regular) light = light_of_slices(job);
        auto const step = static_cast<Real>(job.length * step_of(job.stage, job.stage.object_step));
        auto const g = static_cast<Real>(regular ? job.stage.object_regularisation : 1);
        for (std::size_t s = 0; s < job.state.object.size(); ++s) {
            Planar<Real>& object = job.state.object[s];
            Planar<Real>& sum = job.sums.object[s];
            Real const* const power = regular ? light[s].data() : nullptr;
            Real const peak = regular ? largest_illumination(job, light[s]) : probe_peaks_[s];
            each_canvas_row<Real>(
                job.places, n, job.canvas(), regular ? 1 : 0, job.threads,
                [&](index, index r, Real* const* to) {
                    if (regular) job.rows.add(power + r * n, n, to[0]);
                },
                [&](index y, index first, index last, Real* const* sums) {
                    for (int part = 0; part < 2; ++part) {
                        Real* const z = (part ? object.im(y) : object.re(y)) + first;
                        Real* const from = (part ? sum.im(y) : sum.re(y)) + first;
                        if (regular)
                            job.rows.take_shared(from, sums[0] + first, -step, 1 - g, g * peak,
                                                 last - first, z);
                        else
                            job.rows.take_scaled(from, -step / peak, last - first, z);
                    }
                });
        }
    }

    // P -= b mean grad / max |O|^2, or for each pixel / ((1 - g) V + g max V), V the sum of |O|^2.
    // Into next_probe_, since the object's step is that of the probe as it was.
    void move_probe(Job<Real>& job) {
        bool const regular = job.stage.solver != S::epie;
        index const n = job.window();
        auto const step = static_cast<Real>(job.length * step_of(job.stage, job.stage.probe_step));
        std::vector<Real> power;
        double peak = 0;
        if (regular) {
            power = sum_object_power(job);
            peak = static_cast<double>(*std::max_element(power.begin(), power.end()));
        } else {
            peak = job.object_peak * static_cast<double>(job.places.size());
        }
        auto const g = static_cast<Real>(regular ? job.stage.probe_regularisation : 1);
        auto const largest = static_cast<Real>(peak);
        if (next_probe_.size() != job.state.probe.size()) next_probe_ = job.state.probe;
        for (std::size_t k = 0; k < next_probe_.size(); ++k)
            parallel_for(n, job.threads, 16, [&](index r, int) {
                Planar<Real> const &sum = job.sums.probe[k], &before = job.state.probe[k];
                Planar<Real>& next = next_probe_[k];
                std::copy_n(before.re(r), 2 * before.half(), next.re(r));
                if (!regular) {
                    job.rows.add_scaled(sum.re(r), -step / largest, 2 * sum.half(), next.re(r));
                    return;
                }
                Real const* const local = power.data() + r * n;
                job.rows.add_shared(sum.re(r), local, -step, 1 - g, g * largest, n, next.re(r));
                job.rows.add_shared(sum.im(r), local, -step, 1 - g, g * largest, n, next.im(r));
            });
    }

    static double step_of(PtychographyStage const& stage, double given) {
        if (given > 0) return given;
        return stage.solver == S::mpie ? 0.25 : 1;
    }

    // mPIE: now and then what moved since the last time adds to a velocity, and the velocity moves.
    void drift(Job<Real>& job, std::vector<index> const& group, std::size_t g) {
        velocity_.begin(job);
        if (drifts(job, g, std::ssize(group)))
            velocity_.push(job, job.stage.momentum, job.stage.momentum_gain);
    }

    std::vector<Real> probe_peaks_;  // of each slice
    std::vector<Planar<Real>> next_probe_;
    Velocity<Real> velocity_;
};

}  // namespace

template <class Real>
std::unique_ptr<Solver<Real>> make_pie() {
    return std::make_unique<Pie<Real>>();
}

template std::unique_ptr<Solver<float>> make_pie();
template std::unique_ptr<Solver<double>> make_pie();

}  // namespace sluice::ptycho
