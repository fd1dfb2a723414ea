// Conjugate gradients of all patterns together, preconditioned, after Polak and Ribiere; the step
// is where a parabola along the direction is least (P. Thibault and M. Guizar-Sicairos,
// 10.1088/1367-2630/14/6/063004).
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/constraints/constraints.h"
#include "domain/ptychography/groups.h"
#include "domain/ptychography/illumination.h"
#include "domain/ptychography/solvers/solver.h"
#include "domain/ptychography/stage_kind.h"

namespace sluice::ptycho {

namespace {

template <class Real>
using Planes = std::vector<Planar<Real>>;

// Re sum a* b, rows by rows, so that no bit depends on threads.
template <class Real>
double inner(Planes<Real> const& a, Planes<Real> const& b, int threads) {
    double all = 0;
    for (std::size_t s = 0; s < a.size(); ++s) {
        std::vector<double> rows(static_cast<std::size_t>(a[s].rows()));
        parallel_for(a[s].rows(), threads, 16, [&](index y, int) {
            Real const *const x = a[s].re(y), *const z = b[s].re(y);
            double sum = 0;
            for (index i = 0; i < 2 * a[s].half(); ++i)
                sum += static_cast<double>(x[i]) * static_cast<double>(z[i]);
            rows[static_cast<std::size_t>(y)] = sum;
        });
        for (double row : rows) all += row;
    }
    return all;
}

// to = keep to + by from.
template <class Real>
void mix(Planes<Real>& to, double keep, double by, Planes<Real> const& from, int threads) {
    auto const k = static_cast<Real>(keep), b = static_cast<Real>(by);
    for (std::size_t s = 0; s < to.size(); ++s)
        parallel_for(to[s].rows(), threads, 16, [&](index y, int) {
            Real* const z = to[s].re(y);
            Real const* const d = from[s].re(y);
            for (index i = 0; i < 2 * to[s].half(); ++i) z[i] = k * z[i] + b * d[i];
        });
}

template <class Real>
Planes<Real> zeros_like(Planes<Real> const& planes) {
    Planes<Real> zeros;
    for (auto const& z : planes) zeros.emplace_back(z.rows(), z.cols());
    return zeros;
}

// Object and probe, or what moves them.
template <class Real>
struct Both {
    Planes<Real> object, probe;
};

template <class Real>
class Conjugate final : public Solver<Real> {
  public:
    Result<Errors> iterate(Job<Real>& job) override {
        if (way_.object.empty()) begin(job);
        SLUICE_TRY(Errors errors, find_gradient(job));
        // A parabola may promise too much. In that case the step is shortened until it lowers the
        // loss.
        bool const alone = !constrains(job.stage) && !job.stage.refine_positions;
        for (int i = 0; alone && last_ > 0 && errors.loss > loss_ && i < 10; ++i) {
            move(job, -0.75 * last_);
            last_ *= 0.25;
            job.done -= static_cast<std::uint64_t>(job.patterns);
            SLUICE_TRY(errors, find_gradient(job));
        }
        loss_ = errors.loss;
        find_way(job);
        SLUICE_TRY(last_, length(job));
        move(job, last_);
        return errors;
    }

    void keep(Job<Real>& job, Archive<Real>& archive) override {
        if (way_.object.empty()) begin(job);
        archive.planes("object way", way_.object);
        archive.planes("probe way", way_.probe);
        archive.planes("object gradient before", before_.object);
        archive.planes("probe gradient before", before_.probe);
        archive.number("square", square_);
        archive.number("loss", loss_);
        archive.number("last step", last_);
        archive.number("moved probe", moved_probe_);
    }

  private:
    void begin(Job<Real> const& job) {
        way_.object = zeros_like(job.state.object);
        way_.probe = zeros_like(job.state.probe);
        gradient_ = way_;
        before_ = way_;
    }

    // dL/dz* of all patterns; groups are what is in memory at once.
    Result<Errors> find_gradient(Job<Real>& job) {
        Errors sum;
        index const size = group_size(job.stage, job.patterns, job.slices());
        gradient_.object = zeros_like(job.state.object);
        gradient_.probe = zeros_like(job.state.probe);
        std::vector<index> group;
        for (index first = 0; first < job.patterns; first += size) {
            group.clear();
            for (index j = first; j < std::min(first + size, job.patterns); ++j) group.push_back(j);
            SLUICE_TRY(Errors const errors, job.run_sums(group));
            sum += errors;
            if (job.moves_probe()) mix(gradient_.probe, 1, 1, job.sums.probe, job.threads);
            if (job.moves_object()) mix(gradient_.object, 1, 1, job.sums.object, job.threads);
            for (auto& plane : job.sums.object) clear(plane, job.threads);
        }
        return sum;
    }

    static void clear(Planar<Real>& plane, int threads) {
        parallel_for(plane.rows(), threads, 16,
                     [&](index y, int) { std::fill_n(plane.re(y), 2 * plane.half(), Real{0}); });
    }

    // The object's gradient over sqrt(W^2 + (0.1 max W)^2), W the illumination; the probe's over
    // the largest sum of |object|^2.
    Both<Real> conditioned(Job<Real>& job) const {
        Both<Real> g = gradient_;
        auto const powers = light_of_slices(job);
        for (std::size_t s = 0; s < g.object.size(); ++s) {
            auto& plane = g.object[s];
            auto const light = illumination(job, powers[s]);
            Real const damping = Real(0.1) * *std::max_element(light.begin(), light.end());
            parallel_for(plane.rows(), job.threads, 16, [&](index y, int) {
                Real const* const w = light.data() + y * plane.cols();
                for (index x = 0; x < plane.cols(); ++x) {
                    Real const by = 1 / std::sqrt(w[x] * w[x] + damping * damping);
                    plane.re(y)[x] *= by;
                    plane.im(y)[x] *= by;
                }
            });
        }
        job.places.clear();
        for (auto const& position : job.state.positions)
            job.places.push_back(place_of(position, job.step.model().sub_pixel));
        auto const power = sum_object_power(job);
        mix(g.probe, 1 / static_cast<double>(*std::max_element(power.begin(), power.end())), 0,
            gradient_.probe, job.threads);
        return g;
    }

    // -M g + beta times the last way, beta = max(0, <g - g before, M g> / <g, M g> before).
    void find_way(Job<Real>& job) {
        Both<Real> const steep = conditioned(job);
        auto const with = [&](Both<Real> const& a) {
            return inner(a.object, steep.object, job.threads) +
                   inner(a.probe, steep.probe, job.threads);
        };
        double const now = with(gradient_);
        bool const anew = !(square_ > 0) || job.moves_probe() != moved_probe_;
        double const beta = anew ? 0 : std::max(0.0, (now - with(before_)) / square_);
        mix(way_.object, beta, -1, steep.object, job.threads);
        mix(way_.probe, beta, -1, steep.probe, job.threads);
        double const down = inner(way_.object, gradient_.object, job.threads) +
                            inner(way_.probe, gradient_.probe, job.threads);
        if (down >= 0) {
            mix(way_.object, 0, -1, steep.object, job.threads);
            mix(way_.probe, 0, -1, steep.probe, job.threads);
        }
        square_ = now;
        moved_probe_ = job.moves_probe();
        std::swap(before_, gradient_);
    }

    Result<double> length(Job<Real>& job) {
        State<Real> way;
        way.object.swap(way_.object);
        way.probe.swap(way_.probe);
        Line const line = job.line(way);
        way.object.swap(way_.object);
        way.probe.swap(way_.probe);
        if (!std::isfinite(line.slope) || !std::isfinite(line.curvature))
            return Error{Code::invalid_argument,
                         "the reconstruction became NaN or infinite (the step along the gradients "
                         "is not finite) check the probe and the positions"};
        double const step = job.stage.object_step > 0 ? job.stage.object_step : 1;
        return line.curvature > 0 && line.slope < 0 ? -step * line.slope / (2 * line.curvature)
                                                    : 0.0;
    }

    void move(Job<Real>& job, double by) {
        if (job.moves_object()) mix(job.state.object, 1, by, way_.object, job.threads);
        if (job.moves_probe()) mix(job.state.probe, 1, by, way_.probe, job.threads);
    }

    Both<Real> way_, gradient_, before_;
    double square_ = 0, loss_ = 0, last_ = 0;
    bool moved_probe_ = false;
};

}  // namespace

template <class Real>
std::unique_ptr<Solver<Real>> make_conjugate() {
    return std::make_unique<Conjugate<Real>>();
}

template std::unique_ptr<Solver<float>> make_conjugate();
template std::unique_ptr<Solver<double>> make_conjugate();

}  // namespace sluice::ptycho
