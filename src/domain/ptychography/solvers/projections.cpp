// Generalised projections: alternating ones (AP), the difference map (DM), RAAR, RRR and SDR, by
// three coefficients; every exit wave is kept. SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/group_sums.h"
#include "domain/ptychography/solvers/projection.h"
#include "domain/ptychography/solvers/solver.h"

namespace sluice::ptycho {

namespace {

template <class Real>
Row<Real> row_of(Planar<Real> const& plane, index row, index column = 0) {
    return {plane.re(row) + column, plane.im(row) + column};
}

template <class Real>
class Projections final : public Solver<Real> {
  public:
    Result<Errors> iterate(Job<Real>& job) override {
        if (places_.empty()) begin(job);
        Projection const projection = projection_of(job.stage, job.largest_power, job.window());
        Errors sum;
        double unused = 0;
        Status const status = project(job, projection, sum);
        SLUICE_CHECK(job.share.meet(status, sum, unused));
        overlap(job);
        return sum;
    }

    void keep(Job<Real>& job, Archive<Real>& archive) override {
        if (places_.empty()) begin(job);
        archive.of_patterns("waves", waves_, std::ssize(job.state.probe), job.window());
    }

  private:
    Status project(Job<Real>& job, Projection const& projection, Errors& sum) {
        std::size_t const modes = job.state.probe.size();
        // Some at a time, so that it can be stopped.
        for (std::size_t first = 0; first < own_.size(); first += 256) {
            std::size_t const count = std::min<std::size_t>(256, own_.size() - first);
            job.step.project(job.state, std::span(own_).subspan(first, count), projection,
                             std::span(waves_).subspan(first * modes, count * modes),
                             std::span(errors_).subspan(first, count), job.threads);
            SLUICE_CHECK(job.advance(static_cast<index>(count)));
        }
        SLUICE_CHECK(job.advance(job.patterns - std::ssize(own_)));  // by other ranks
        for (std::size_t i = 0; i < errors_.size(); ++i) {
            if (!errors_[i].finite())
                return Error{Code::invalid_argument,
                             "the reconstruction became NaN or infinite (pattern " +
                                 std::to_string(own_[i]) +
                                 " was the first) take a smaller relaxation"};
            sum += errors_[i];
        }
        return {};
    }

    void begin(Job<Real>& job) {
        index const n = job.window();
        for (index j = 0; j < job.patterns; ++j) {
            if (job.share.has(j)) own_.push_back(j);
            places_.push_back(place_of(job.state.positions[static_cast<std::size_t>(j)], false));
        }
        errors_.resize(own_.size());
        std::size_t const modes = job.state.probe.size();
        waves_.assign(own_.size() * modes, Planar<Real>(n, n));
        parallel_for(std::ssize(own_), job.threads, 1, [&](index i, int) {
            WindowPlace const& place =
                places_[static_cast<std::size_t>(own_[static_cast<std::size_t>(i)])];
            for (std::size_t k = 0; k < modes; ++k) {
                Planar<Real>& wave = waves_[static_cast<std::size_t>(i) * modes + k];
                for (index r = 0; r < n; ++r)
                    for (index c = 0; c < n; ++c)
                        wave.set(r, c,
                                 job.state.probe[k].at(r, c) *
                                     job.state.object.front().at(place.row + r, place.col + c));
            }
        });
    }

    // The wave of mode k behind pattern j, which is here.
    Planar<Real> const& wave_of(Job<Real> const& job, index j, std::size_t k) const {
        return waves_[static_cast<std::size_t>(j - job.share.first()) * job.state.probe.size() + k];
    }

    // Object and probe that fit the waves best, each for the other, until the probe rests.
    void overlap(Job<Real>& job) {
        for (int i = 0; i < 10; ++i) {
            if (job.moves_object()) fit_object(job);
            if (!job.moves_probe() || fit_probe(job) < 0.05) return;
        }
    }

    // O = (sum P* psi + d O) / (sum |P|^2 + d).
    void fit_object(Job<Real>& job) {
        index const n = job.window();
        std::size_t const modes = job.state.probe.size();
        auto const power = probe_power(job);
        double mean = 0;
        for (Real p : power) mean += static_cast<double>(p);
        auto const inertia = static_cast<Real>(1e-4 * mean / static_cast<double>(n * n) *
                                               static_cast<double>(job.patterns));
        Planar<Real>& object = job.state.object.front();
        each_shared_row<Real>(
            job.share, places_, n, job.canvas(), 2, 1, job.threads,
            [&](index w, index r, Real* const* to) {
                if (job.share.has(w))
                    for (std::size_t k = 0; k < modes; ++k)
                        job.rows.add_conjugate(row_of(job.state.probe[k], r),
                                               row_of(wave_of(job, w, k), r), n, to[0], to[1]);
                job.rows.add(power.data() + r * n, n, to[2]);
            },
            [&](index y, index first, index last, Real* const* sums) {
                Real *const re = object.re(y), *const im = object.im(y);
                for (index x = first; x < last; ++x) {
                    Real const by = 1 / (sums[2][x] + inertia);
                    re[x] = (sums[0][x] + inertia * re[x]) * by;
                    im[x] = (sums[1][x] + inertia * im[x]) * by;
                }
            });
    }

    // P = (sum O* psi + d P) / (sum |O|^2 + d); how far it moved, beside its length.
    double fit_probe(Job<Real>& job) {
        index const n = job.window();
        auto const inertia = static_cast<Real>(1e-9);
        std::vector<Real> power(static_cast<std::size_t>(n * n));
        std::vector<Planar<Real>> sums(job.state.probe.size(), Planar<Real>(n, n));
        sum_products(job, sums, power);
        double moved = 0, length = 0;
        for (std::size_t k = 0; k < sums.size(); ++k) {
            sum_window(job.share, sums[k]);
            Planar<Real>& probe = job.state.probe[k];
            for (index r = 0; r < n; ++r) {
                double row_moved = 0, row_length = 0;
                for (index c = 0; c < n; ++c) {
                    Real const local = power[static_cast<std::size_t>(r * n + c)];
                    auto const old = probe.at(r, c);
                    auto const now = (sums[k].at(r, c) + inertia * old) / (local + inertia);
                    probe.set(r, c, now);
                    row_moved += static_cast<double>(std::norm(now - old));
                    row_length += static_cast<double>(std::norm(old));
                }
                moved += row_moved;
                length += row_length;
            }
        }
        return std::sqrt(moved / length);
    }

    // sum O* psi of each mode over the patterns here, sum |O|^2 over all; some rows at a time,
    // which lie side by side in each wave.
    void sum_products(Job<Real> const& job, std::vector<Planar<Real>>& sums,
                      std::vector<Real>& power) const {
        constexpr index band = 4;
        index const n = job.window();
        Planar<Real> const& object = job.state.object.front();
        parallel_for((n + band - 1) / band, job.threads, 1, [&](index task, int) {
            for (index j = 0; j < job.patterns; ++j) {
                WindowPlace const& place = places_[static_cast<std::size_t>(j)];
                for (index r = task * band; r < std::min(n, (task + 1) * band); ++r) {
                    auto const local = row_of(object, place.row + r, place.col);
                    job.rows.add_power(local.re, local.im, n, power.data() + r * n);
                    for (std::size_t k = 0; k < sums.size() && job.share.has(j); ++k)
                        job.rows.add_conjugate(local, row_of(wave_of(job, j, k), r), n,
                                               sums[k].re(r), sums[k].im(r));
                }
            }
        });
    }

    std::vector<WindowPlace> places_;  // of all patterns
    std::vector<index> own_;           // patterns that are here; of these:
    std::vector<Planar<Real>> waves_;  // [pattern * modes + mode]
    std::vector<Errors> errors_;
};

}  // namespace

template <class Real>
std::unique_ptr<Solver<Real>> make_projections() {
    return std::make_unique<Projections<Real>>();
}

template std::unique_ptr<Solver<float>> make_projections();
template std::unique_ptr<Solver<double>> make_projections();

}  // namespace sluice::ptycho
