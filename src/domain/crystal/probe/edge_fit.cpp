// Levenberg's and Marquardt's steps towards the edge of a disk.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/probe/edge_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/away.h"
#include "domain/crystal/probe/normal_equations.h"

namespace sluice::crystal {
namespace {

using stem4d::ProbeTemplate;
using Numbers = std::vector<double>;

// The order of unknowns; harmonics follow, and then the centre of a single image.
enum Unknown : std::uint8_t { background, slope_row, slope_col, height, radius, width, first_wave };

class Edge {
  public:
    Edge(DiskImages const& images, double start_radius, double start_width, int harmonics)
        : images_(images),
          moves_(images.images.size() == 1),
          at_(static_cast<std::size_t>(first_wave + 2 * harmonics)) {
        at_[radius] = start_radius;
        at_[width] = start_width;
        if (moves_) at_.resize(at_.size() + 2);
    }

    // Pixels within this distance are looked at.
    double outer() const { return std::max(at_[radius] + 3.9, probe().reach() + 2.2); }

    // Whether it ended where a step changes nothing.
    bool run() {
        start_heights();
        double damping = 1e-3, cost = NAN;
        for (int i = 0; i < 100; ++i) {
            outer_ = outer();
            NormalEquations equations(std::ssize(at_));
            cost = sum_up(&equations, at_, at_);
            bool better = false;
            for (int k = 0; k < 8 && !better; ++k) {
                auto const step = equations.solve(damping);
                Numbers const next = step ? after(*step) : at_;
                better = step && sum_up(nullptr, next, at_) <= cost;
                damping = std::clamp(better ? damping / 10 : damping * 10, 1e-9, 1e6);
                if (!better) continue;
                double const change = distance(at_, next);
                at_ = next;
                if (change < 1e-7) return finish(cost);
            }
            if (!better) return finish(cost);
        }
        return finish(cost);
    }

    ProbeTemplate probe() const { return probe_of(at_); }
    double cost() const { return cost_; }
    EdgeFit result() const {
        EdgeFit f;
        f.probe = probe();
        f.center = center(at_, images_.images.front());
        f.background = at_[background];
        f.slope_row = at_[slope_row];
        f.slope_col = at_[slope_col];
        f.height = at_[height];
        f.radius_error = std::sqrt(variances_[radius]);
        f.edge_width_error = std::sqrt(variances_[width]);
        f.residual = residual_;
        f.uneven = std::sqrt(std::max(residual_ * residual_ - noise_, 0.0));
        return f;
    }

  private:
    static ProbeTemplate probe_of(Numbers const& at, std::size_t waves) {
        ProbeTemplate t;
        t.radius = at[radius];
        t.edge_width = at[width];
        for (std::size_t k = 0; k < waves; ++k)
            t.harmonics.push_back({at[first_wave + 2 * k], at[first_wave + 2 * k + 1]});
        return t;
    }
    std::size_t waves() const { return (at_.size() - first_wave - (moves_ ? 2 : 0)) / 2; }
    ProbeTemplate probe_of(Numbers const& at) const { return probe_of(at, waves()); }

    stem4d::Point center(Numbers const& at, DiskImage const& image) const {
        auto const bin = static_cast<double>(images_.bin);
        if (!moves_) return image.center;
        return {image.center.row + at[at.size() - 2] / bin, image.center.col + at.back() / bin};
    }

    // Means of the middle and of the rim.
    void start_heights() {
        double in = 0, ins = 0, out = 0, outs = 0;
        each_pixel(images_, outer(),
                   [&](DiskImage const& image, std::size_t i, double r, double c) {
                       double const part = away(r, c) / at_[radius];
                       double const v = static_cast<double>(image.counts[i]) / image.scale;
                       if (part < 0.8) in += v, ins += 1;
                       if (part > 1.2) out += v, outs += 1;
                   });
        at_[background] = outs > 0 ? out / outs : 0;
        at_[height] = ins > 0 ? in / ins - at_[background] : 0;
    }

    // The template at a place, and its slopes by row, col, radius, width and harmonics, added up.
    void add_terms(ProbeTemplate const& t, double row, double col, double part,
                   Numbers& terms) const {
        auto const v = t.value_and_slopes(row, col);
        double const r = away(row, col), phi = std::atan2(col, row);
        double bulge = 1;
        for (std::size_t k = 0; k < t.harmonics.size(); ++k) {
            auto const angle = static_cast<double>(k + 2) * phi;
            bulge += t.harmonics[k][0] * std::cos(angle) + t.harmonics[k][1] * std::sin(angle);
        }
        double const steep = 4 / t.edge_width * v[0] * (1 - v[0]);  // -dT / dr
        terms[0] += part * v[0];
        terms[1] += part * v[1];
        terms[2] += part * v[2];
        terms[3] += part * steep * bulge;
        terms[4] += part * steep * (r - t.radius * bulge) / t.edge_width;
        for (std::size_t k = 0; k < t.harmonics.size(); ++k) {
            auto const angle = static_cast<double>(k + 2) * phi;
            terms[5 + 2 * k] += part * steep * t.radius * std::cos(angle);
            terms[6 + 2 * k] += part * steep * t.radius * std::sin(angle);
        }
    }

    // Over a pixel's detector pixels.
    void terms_of(ProbeTemplate const& t, double row, double col, Numbers& terms) const {
        std::ranges::fill(terms, 0.0);
        index const bin = images_.bin;
        double const first = static_cast<double>(1 - bin) / 2,
                     part = 1 / static_cast<double>(bin * bin);
        for (index i = 0; i < bin; ++i)
            for (index k = 0; k < bin; ++k)
                add_terms(t, row + first + static_cast<double>(i),
                          col + first + static_cast<double>(k), part, terms);
    }

    // The sum of squares at `at`, with Poisson's weights of the model at `known`.
    double sum_up(NormalEquations* equations, Numbers const& at, Numbers const& known) {
        ProbeTemplate const t = probe_of(at), before = probe_of(known);
        bool const same = &at == &known;
        Numbers terms(5 + 2 * waves()), others(terms.size()), slopes(at.size());
        double cost = 0, squares = 0, counts = 0;
        index count = 0;
        // The pixels are those about the centre of the start, so that sums can be compared.
        each_pixel(images_, outer_, [&](DiskImage const& image, std::size_t i, double r, double c) {
            double const dr = moves_ ? r - at[at.size() - 2] : r, dc = moves_ ? c - at.back() : c;
            terms_of(t, dr, dc, terms);
            double const model =
                at[background] + at[slope_row] * dr + at[slope_col] * dc + at[height] * terms[0];
            double known_model = model;
            if (!same) {
                double const kr = moves_ ? r - known[known.size() - 2] : r;
                double const kc = moves_ ? c - known.back() : c;
                terms_of(before, kr, kc, others);
                known_model = known[background] + known[slope_row] * kr + known[slope_col] * kc +
                              known[height] * others[0];
            }
            // A thousandth of the height is noise that keeps dark pixels from weighing all.
            double const noise =
                std::max(known_model, 0.0) + 1e-3 * std::abs(known[height]) + 1e-30;
            double const weight = image.scale / noise;
            double const rest = static_cast<double>(image.counts[i]) / image.scale - model;
            cost += weight * rest * rest;
            squares += rest * rest, ++count;
            counts += std::max(model, 0.0) / image.scale;
            if (!equations) return;
            slopes[background] = 1, slopes[slope_row] = dr, slopes[slope_col] = dc;
            slopes[height] = terms[0];
            for (std::size_t k = 0; k < 2 + 2 * waves(); ++k)
                slopes[radius + k] = at[height] * terms[3 + k];
            if (moves_) {
                slopes[at.size() - 2] = -at[height] * terms[1] - at[slope_row];
                slopes[at.size() - 1] = -at[height] * terms[2] - at[slope_col];
            }
            equations->add(0, slopes, weight, rest);
        });
        residual_ = std::sqrt(squares / static_cast<double>(std::max<index>(1, count))) /
                    std::max(std::abs(at[height]), 1e-30);
        noise_ = counts / static_cast<double>(std::max<index>(1, count)) /
                 std::max(at[height] * at[height], 1e-30);
        pixels_ = count;
        return cost;
    }

    // A step, but one that keeps radius, width and centre sane.
    Numbers after(Numbers const& step) const {
        Numbers next = at_;
        for (std::size_t i = 0; i < next.size(); ++i) next[i] += step[i];
        next[radius] = std::clamp(next[radius], 0.8 * at_[radius], 1.25 * at_[radius]);
        next[width] = std::clamp(next[width], at_[width] / 2, 2 * at_[width]);
        next[width] = std::clamp(next[width], 0.02, 2 * next[radius]);
        for (std::size_t i = first_wave; i < first_wave + 2 * waves(); ++i)
            next[i] = std::clamp(next[i], -0.3, 0.3);
        return next;
    }

    double distance(Numbers const& a, Numbers const& b) const {
        double most = 0;
        for (std::size_t i = radius; i < a.size(); ++i)
            most = std::max(most, std::abs(a[i] - b[i]));
        return most;
    }

    // Errors are those of the scatter that is there: images may be means of counts.
    bool finish(double) {
        NormalEquations equations(std::ssize(at_));
        cost_ = sum_up(&equations, at_, at_);
        auto const variances = equations.variances();
        if (!variances || !(at_[height] > 0) || !std::isfinite(cost_)) return false;
        variances_ = *variances;
        double const free = std::max(1.0, static_cast<double>(pixels_ - std::ssize(at_)));
        for (double& v : variances_) v *= cost_ / free;
        return true;
    }

    DiskImages const& images_;
    bool moves_;
    Numbers at_, variances_ = {};
    double outer_ = 0, cost_ = 0, residual_ = 0, noise_ = 0;
    index pixels_ = 0;
};

}  // namespace

Result<EdgeFit> fit_edge(DiskImages const& images, double radius, int harmonics) {
    std::optional<Edge> best;
    for (double const width : {1.0, 0.3 * radius}) {
        Edge edge(images, radius, width, harmonics);
        if (edge.run() && (!best || edge.cost() < best->cost())) best.emplace(edge);
    }
    if (!best)
        return Error{
            Code::invalid_argument,
            fmt::format("no edge can be fitted to the disk of radius {:.1f} px (its pixels "
                        "do not determine one) give a pattern with a brighter disk",
                        radius)};
    return best->result();
}

}  // namespace sluice::crystal
