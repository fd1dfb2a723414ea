// Gradient descent on batches: plain, with each pixel's step divided by its illumination, or Adam
// (D. P. Kingma and J. Ba, arXiv:1412.6980) with real second moments |g|^2.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/group_sums.h"
#include "domain/ptychography/solvers/groups_of.h"
#include "domain/ptychography/solvers/solver.h"

namespace sluice::ptycho {

namespace {

template <class Real>
class Moments {
  public:
    Moments() = default;
    Moments(index rows, index cols) : first_(rows, cols), second_(rows, cols) {}

    // z -= rate * m / (sqrt(v) + 1e-8), m and v without their bias, of a row of n numbers.
    void step(index row, index n, Real const* g_re, Real const* g_im, double rate, index t,
              Real* re, Real* im) {
        double const bias1 = 1 - std::pow(0.9, static_cast<double>(t));
        double const bias2 = 1 - std::pow(0.999, static_cast<double>(t));
        auto const by = static_cast<Real>(rate / bias1);
        auto const unbias = static_cast<Real>(1 / bias2);
        Real *const m_re = first_.re(row), *const m_im = first_.im(row), *const v = second_.re(row);
        for (index x = 0; x < n; ++x) {
            Real const a = g_re[x], b = g_im[x];
            m_re[x] = Real(0.9) * m_re[x] + Real(0.1) * a;
            m_im[x] = Real(0.9) * m_im[x] + Real(0.1) * b;
            v[x] = Real(0.999) * v[x] + Real(0.001) * (a * a + b * b);
            Real const length = std::sqrt(v[x] * unbias) + Real(1e-8);
            re[x] -= by * m_re[x] / length;
            im[x] -= by * m_im[x] / length;
        }
    }

    static void keep(std::vector<Moments>& moments, std::string const& name,
                     Archive<Real>& archive) {
        std::vector<Planar<Real>*> first, second;
        for (Moments& m : moments) {
            first.push_back(&m.first_);
            second.push_back(&m.second_);
        }
        archive.stack(name + " first moments", first);
        archive.stack(name + " second moments", second);
    }

  private:
    Planar<Real> first_, second_;  // of the second its real parts
};

template <class Real>
class Descent final : public Solver<Real> {
  public:
    Result<Errors> iterate(Job<Real>& job) override {
        Errors sum;
        auto const groups = groups_of(job);
        bool const adam = job.stage.solver == PtychographyStage::Solver::adam;
        for (auto const& group : groups) {
            SLUICE_TRY(Errors const errors, job.run_sums(group));
            sum += errors;
            auto next = job.state.probe;
            if (job.moves_probe()) adam ? adam_probe(job, next) : plain_probe(job, next);
            if (job.moves_object()) adam ? adam_object(job) : plain_object(job);
            job.state.probe = std::move(next);
        }
        return sum;
    }

    void keep(Job<Real>& job, Archive<Real>& archive) override {
        archive.number("object time", object_time_);
        archive.number("probe time", probe_time_);
        if (object_time_ > 0 && object_.empty()) begin_object(job);
        if (probe_time_ > 0 && probe_.empty()) begin_probe(job);
        archive.number("probe peak", probe_peak_);
        Moments<Real>::keep(object_, "object", archive);
        Moments<Real>::keep(probe_, "probe", archive);
    }

  private:
    void begin_object(Job<Real> const& job) {
        auto const canvas = job.canvas();
        for (std::size_t s = 0; s < job.state.object.size(); ++s)
            object_.emplace_back(canvas[0], canvas[1]);
    }

    void begin_probe(Job<Real> const& job) {
        index const n = job.window();
        for (std::size_t k = 0; k < job.state.probe.size(); ++k) probe_.emplace_back(n, n);
        auto const power = probe_power(job);
        probe_peak_ = std::sqrt(static_cast<double>(*std::max_element(power.begin(), power.end())));
    }

    static double given(double step, double usual) { return step > 0 ? step : usual; }

    // O -= step grad / sqrt(W^2 + (0.1 max W)^2).
    void plain_object(Job<Real>& job) {
        index const n = job.window();
        auto const light = light_of_slices(job);
        auto const step = static_cast<Real>(job.length * given(job.stage.object_step, 0.5));
        for (std::size_t s = 0; s < job.state.object.size(); ++s) {
            Planar<Real>&object = job.state.object[s], &sum = job.sums.object[s];
            auto const& power = light[s];
            Real const damping = Real(0.1) * largest_illumination(job, power);
            each_canvas_row<Real>(
                job.places, n, job.canvas(), 1, job.threads,
                [&](index, index r, Real* const* to) {
                    job.rows.add(power.data() + r * n, n, to[0]);
                },
                [&](index y, index first, index last, Real* const* sums) {
                    for (int part = 0; part < 2; ++part) {
                        Real* const from = (part ? sum.im(y) : sum.re(y)) + first;
                        job.rows.add_damped(from, sums[0] + first, -step, damping, last - first,
                                            (part ? object.im(y) : object.re(y)) + first);
                        std::fill_n(from, last - first, Real{0});
                    }
                });
        }
    }

    // P -= step grad / max sum |O|^2.
    void plain_probe(Job<Real>& job, std::vector<Planar<Real>>& probe) {
        auto const power = sum_object_power(job);
        auto const by = static_cast<Real>(job.length * given(job.stage.probe_step, 0.5)) /
                        *std::max_element(power.begin(), power.end());
        for (std::size_t k = 0; k < probe.size(); ++k) {
            Planar<Real> const& sum = job.sums.probe[k];
            for (index r = 0; r < sum.rows(); ++r) {
                Real* const z = probe[k].re(r);
                Real const* const g = sum.re(r);
                for (index i = 0; i < 2 * sum.half(); ++i) z[i] -= by * g[i];
            }
        }
    }

    void adam_object(Job<Real>& job) {
        auto const canvas = job.canvas();
        if (object_.empty()) begin_object(job);
        ++object_time_;
        double const rate = job.length * given(job.stage.object_step, 0.02);
        for (std::size_t s = 0; s < object_.size(); ++s) {
            // Where no window is the moments fade, and go on moving what they moved.
            parallel_for(canvas[0], job.threads, 16, [&](index y, int) {
                Planar<Real>& sum = job.sums.object[s];
                object_[s].step(y, canvas[1], sum.re(y), sum.im(y), rate, object_time_,
                                job.state.object[s].re(y), job.state.object[s].im(y));
                std::fill_n(sum.re(y), 2 * sum.half(), Real{0});
            });
        }
    }

    void adam_probe(Job<Real>& job, std::vector<Planar<Real>>& probe) {
        index const n = job.window();
        if (probe_.empty()) begin_probe(job);
        ++probe_time_;
        double const rate = job.length * given(job.stage.probe_step, 0.005) * probe_peak_;
        for (std::size_t k = 0; k < probe.size(); ++k) {
            Planar<Real> const& sum = job.sums.probe[k];
            for (index r = 0; r < n; ++r)
                probe_[k].step(r, n, sum.re(r), sum.im(r), rate, probe_time_, probe[k].re(r),
                               probe[k].im(r));
        }
    }

    std::vector<Moments<Real>> object_, probe_;
    index object_time_ = 0, probe_time_ = 0;
    double probe_peak_ = 0;
};

}  // namespace

template <class Real>
std::unique_ptr<Solver<Real>> make_descent() {
    return std::make_unique<Descent<Real>>();
}

template std::unique_ptr<Solver<float>> make_descent();
template std::unique_ptr<Solver<double>> make_descent();

}  // namespace sluice::ptycho
