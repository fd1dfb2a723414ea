// Generalised projections: alternating ones (AP), the difference map (DM), RAAR, RRR and SDR, by
// three coefficients; every exit wave is kept. SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/solvers/probe_sums.h"

namespace sluice::ptycho {

namespace {

using S = PtychographyStage::Solver;

Projection coefficients(PtychographyStage const& stage) {
    auto const given = [&](double usual) {
        return stage.relaxation > 0 ? stage.relaxation : usual;
    };
    switch (stage.solver) {
        case S::dm: {
            double const alpha = given(1);
            return {-alpha, 1, 1 + alpha};
        }
        case S::raar: {
            double const beta = given(0.75);
            return {1 - 2 * beta, beta, 2};
        }
        case S::rrr: {
            double const gamma = given(0.5);
            return {-gamma, gamma, 2};
        }
        case S::sdr: {
            double const tau = given(1);
            return {1 - 2 * tau, tau, 2};
        }
        default:
            return {0, 1, 1};  // alternating
    }
}

// A row of the products of wave and conjugate probe.
template <class Real>
void add_conjugate(Planar<Real> const& probe, Planar<Real> const& wave, index r, Real* re,
                   Real* im) {
    Real const *const pr = probe.re(r), *const pi = probe.im(r);
    Real const *const wr = wave.re(r), *const wi = wave.im(r);
    for (index i = 0; i < wave.cols(); ++i) {
        re[i] += pr[i] * wr[i] + pi[i] * wi[i];
        im[i] += pr[i] * wi[i] - pi[i] * wr[i];
    }
}

template <class Real>
class Projections final : public Solver<Real> {
  public:
    Result<Errors> iterate(Job<Real>& job) override {
        if (waves_.empty()) begin(job);
        Projection projection = coefficients(job.stage);
        // A quarter of the squared bound times the mean power of a pixel in the brightest pattern.
        projection.power_bound = 0.25 * job.stage.power_bound * job.stage.power_bound *
                                 job.largest_power /
                                 static_cast<double>(job.window() * job.window());
        std::size_t const modes = job.state.probe.size();
        // Some at a time, so that it can be stopped.
        for (std::size_t first = 0; first < all_.size(); first += 256) {
            std::size_t const count = std::min<std::size_t>(256, all_.size() - first);
            job.step.project(job.state, std::span(all_).subspan(first, count), projection,
                             std::span(waves_).subspan(first * modes, count * modes),
                             std::span(errors_).subspan(first, count), job.threads);
            SLUICE_CHECK(job.advance(static_cast<index>(count)));
        }
        Errors sum;
        for (std::size_t j = 0; j < errors_.size(); ++j) {
            if (!errors_[j].finite())
                return Error{Code::invalid_argument,
                             "the reconstruction holds no numbers any more (pattern " +
                                 std::to_string(j) + " was the first) take a smaller relaxation"};
            sum += errors_[j];
        }
        overlap(job);
        return sum;
    }

  private:
    void begin(Job<Real>& job) {
        index const n = job.window();
        for (index j = 0; j < job.patterns; ++j) all_.push_back(j);
        errors_.resize(all_.size());
        for (index j : all_)
            places_.push_back(place_of(job.state.positions[static_cast<std::size_t>(j)], false));
        waves_.assign(all_.size() * job.state.probe.size(), Planar<Real>(n, n));
        std::size_t const modes = job.state.probe.size();
        parallel_for(job.patterns, job.threads, 1, [&](index j, int) {
            for (std::size_t k = 0; k < modes; ++k)
                each_pixel(job, j, k,
                           [&](Planar<Real>& wave, index r, index c, std::complex<Real> p,
                               std::complex<Real> o) { wave.set(r, c, p * o); });
        });
    }

    template <class Work>
    void each_pixel(Job<Real>& job, index j, std::size_t k, Work const& work) {
        Place const& place = places_[static_cast<std::size_t>(j)];
        Planar<Real>& wave = waves_[static_cast<std::size_t>(j) * job.state.probe.size() + k];
        for (index r = 0; r < wave.rows(); ++r)
            for (index c = 0; c < wave.cols(); ++c)
                work(wave, r, c, job.state.probe[k].at(r, c),
                     job.state.object.front().at(place.row + r, place.col + c));
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
        each_canvas_row<Real>(
            places_, n, job.canvas(), 3, job.threads,
            [&](index w, index r, Real* const* to) {
                for (std::size_t k = 0; k < modes; ++k) {
                    auto const& wave = waves_[static_cast<std::size_t>(w) * modes + k];
                    add_conjugate(job.state.probe[k], wave, r, to[0], to[1]);
                }
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
        std::size_t const modes = job.state.probe.size();
        Planar<Real> const& object = job.state.object.front();
        auto const inertia = static_cast<Real>(1e-9);
        std::vector<double> moved(static_cast<std::size_t>(n)), length(moved);
        parallel_for(n, job.threads, 4, [&](index r, int) {
            std::vector<std::complex<Real>> sum(static_cast<std::size_t>(n));
            std::vector<Real> power(static_cast<std::size_t>(n));
            for (std::size_t k = 0; k < modes; ++k) {
                std::fill(sum.begin(), sum.end(), std::complex<Real>{});
                std::fill(power.begin(), power.end(), Real{0});
                for (std::size_t j = 0; j < places_.size(); ++j)
                    for (index c = 0; c < n; ++c) {
                        auto const o = object.at(places_[j].row + r, places_[j].col + c);
                        sum[static_cast<std::size_t>(c)] +=
                            std::conj(o) * waves_[j * modes + k].at(r, c);
                        power[static_cast<std::size_t>(c)] += std::norm(o);
                    }
                for (index c = 0; c < n; ++c) {
                    auto const at = static_cast<std::size_t>(c);
                    auto const old = job.state.probe[k].at(r, c);
                    auto const now = (sum[at] + inertia * old) / (power[at] + inertia);
                    job.state.probe[k].set(r, c, now);
                    moved[static_cast<std::size_t>(r)] += static_cast<double>(std::norm(now - old));
                    length[static_cast<std::size_t>(r)] += static_cast<double>(std::norm(old));
                }
            }
        });
        double all_moved = 0, all = 0;
        for (std::size_t r = 0; r < moved.size(); ++r) {
            all_moved += moved[r];
            all += length[r];
        }
        return std::sqrt(all_moved / all);
    }

    std::vector<index> all_;
    std::vector<Place> places_;
    std::vector<Planar<Real>> waves_;
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
