// LSQML: the least squares of M. Odstrcil, A. Menzel and M. Guizar-Sicairos (10.1364/OE.26.003108):
// for each group common directions of object and probe, and for each pattern the best step along
// both. SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/group_sums.h"
#include "domain/ptychography/solvers/groups_of.h"
#include "domain/ptychography/solvers/lsqml_steps.h"
#include "domain/ptychography/solvers/pace.h"
#include "domain/ptychography/solvers/solver.h"
#include "domain/ptychography/solvers/velocity.h"
#include "domain/ptychography/variable_probe.h"

namespace sluice::ptycho {

namespace {

template <class Real>
class Lsqml final : public Solver<Real> {
  public:
    void set_out(Job<Real>& job) override {
        if (!has_momentum(job)) return;
        auto const [keep, gain] = pace_.next(job.last_r);
        velocity_.push(job, keep, gain);
    }

    Result<Errors> iterate(Job<Real>& job) override {
        Errors sum;
        auto const groups = groups_of(job);
        for (auto const& group : groups) {
            SLUICE_TRY(Errors const errors, job.run(group));
            sum += errors;
            find_directions(job);
            solve(job);
            move(job);
            vary_probe(job);
        }
        return sum;
    }

    void keep(Job<Real>& job, Archive<Real>& archive) override {
        if (!has_momentum(job)) return;
        velocity_.keep(job, archive);
        pace_.keep(archive);
    }

  private:
    // dO = -sum grad / sqrt(W^2 + (0.1 max W)^2), W the group's |P|^2 in the slice; dP = -mean grad
    // / max mean |O|^2.
    void find_directions(Job<Real>& job) {
        index const n = job.window();
        auto const light = light_of_slices(job);
        if (object_.empty())
            for (auto const& z : job.state.object) object_.emplace_back(z.rows(), z.cols());
        for (std::size_t s = 0; s < object_.size(); ++s) {
            auto const& power = light[s];
            Real const damping = Real(0.1) * largest_illumination(job, power);
            each_shared_row<Real>(
                job.share, job.places, n, job.canvas(), 2, 1, job.threads,
                [&](index w, index r, Real* const* to) {
                    add_object_row(job, w, s, r, to);
                    job.rows.add(power.data() + r * n, n, to[2]);
                },
                [&](index y, index first, index last, Real* const* sums) {
                    for (int part = 0; part < 2; ++part) {
                        Real* const z = (part ? object_[s].im(y) : object_[s].re(y)) + first;
                        std::fill(z, z + (last - first), Real{0});
                        job.rows.add_damped(sums[part] + first, sums[2] + first, -1, damping,
                                            last - first, z);
                    }
                });
        }
        auto const object_power = sum_object_power(job);
        Real const by = -1 / *std::max_element(object_power.begin(), object_power.end());
        probe_.assign(job.state.probe.size(), Planar<Real>(n, n));
        for (std::size_t k = 0; k < probe_.size(); ++k) {
            sum_probe_gradients(job, k, probe_[k]);
            for (index r = 0; r < n; ++r) {
                Real* const z = probe_[k].re(r);
                for (index i = 0; i < 2 * probe_[k].half(); ++i) z[i] *= by;
            }
        }
    }

    // Of a pattern's window, in the frame of whole pixels: the moves by parts of one change the
    // length of a step little, and cost transforms. With the gradients G = -<., chi> no exit wave
    // is needed. Slices share the step of the first.
    System sums_of(Job<Real> const& job, std::size_t w, Gradients<Real> const& gradients) const {
        index const n = job.window();
        WindowPlace const& place = job.places[w];
        auto const at = [&](Planar<Real> const& canvas, index r) {
            return Row<Real>{canvas.re(place.row + r) + place.col,
                             canvas.im(place.row + r) + place.col};
        };
        auto const row = [](Planar<Real> const& plane, index r) {
            return Row<Real>{plane.re(r), plane.im(r)};
        };
        System sums;
        for (index r = 0; r < n; ++r)
            for (std::size_t k = 0; k < probe_.size(); ++k) {
                StepSums<Real> const s =
                    job.rows.step_sums(at(job.state.object.front(), r), at(object_.front(), r),
                                       row(gradients.object.front(), r), row(job.state.probe[k], r),
                                       row(probe_[k], r), row(gradients.probe[k], r), n);
                sums.oo += static_cast<double>(s.oo);
                sums.pp += static_cast<double>(s.pp);
                sums.op += static_cast<double>(s.op);
                // The object's gradient is that of all modes.
                if (k == 0) sums.o -= static_cast<double>(s.o);
                sums.p -= static_cast<double>(s.p);
            }
        double const part = part_of_residual(job.stage, gradients.slopes);
        sums.o *= part;
        sums.p *= part;
        return sums;
    }

    // Steps for each pattern, and of these the group's.
    void solve(Job<Real>& job) {
        std::size_t const count = job.places.size();
        std::vector<System> systems(count);
        parallel_for(std::ssize(systems), job.threads, 1, [&](index w, int) {
            auto const at = static_cast<std::size_t>(w);
            if (auto const* const mine = job.gradients_of(w)) systems[at] = sums_of(job, at, *mine);
        });
        // Other ranks add zeros to this rank's systems.
        static_assert(sizeof(System) == 5 * sizeof(double));
        job.share.sum(std::span(reinterpret_cast<double*>(systems.data()), 5 * count));
        // As long as the probe rests, the object's step is solved for alone.
        steps_ = steps_of(systems, job.stage, job.moves_probe() && job.moves_object(), job.length);
    }

    void move(Job<Real>& job) {
        index const n = job.window();
        auto const object_step =
            static_cast<Real>(steps_.object / static_cast<double>(object_.size()));
        auto const probe_step = static_cast<Real>(steps_.probe);
        if (job.moves_object())
            for (std::size_t s = 0; s < object_.size(); ++s)
                each_canvas_row<Real>(
                    job.places, n, job.canvas(), 0, job.threads, [](index, index, Real* const*) {},
                    [&](index y, index first, index last, Real* const*) {
                        Planar<Real>& object = job.state.object[s];
                        job.rows.add_scaled(object_[s].re(y) + first, object_step, last - first,
                                            object.re(y) + first);
                        job.rows.add_scaled(object_[s].im(y) + first, object_step, last - first,
                                            object.im(y) + first);
                    });
        if (job.moves_probe())
            for (std::size_t k = 0; k < probe_.size(); ++k)
                for (index r = 0; r < n; ++r) {
                    Real* const z = job.state.probe[k].re(r);
                    Real const* const d = probe_[k].re(r);
                    for (index i = 0; i < 2 * probe_[k].half(); ++i) z[i] += probe_step * d[i];
                }
    }

    std::vector<Planar<Real>> object_, probe_;  // directions; the object's where the group is
    LsqmlSteps steps_;
    Velocity<Real> velocity_;
    Pace pace_;
};

}  // namespace

template <class Real>
std::unique_ptr<Solver<Real>> make_lsqml() {
    return std::make_unique<Lsqml<Real>>();
}

template std::unique_ptr<Solver<float>> make_lsqml();
template std::unique_ptr<Solver<double>> make_lsqml();

}  // namespace sluice::ptycho
