// fit_origins: a smooth surface through the origins of a scan, whatever some of them are.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>

#include "domain/crystal/calibrate/robust.h"
#include "domain/crystal/calibrate/surface.h"
#include "domain/crystal/probe/normal_equations.h"

namespace sluice::stem4d {
namespace {

using crystal::NormalEquations;
using crystal::Surface;

// Least absolute deviations take so many rounds, and Tukey's weights from there so many more.
constexpr int first_rounds = 30, last_rounds = 20;
constexpr double least_sigma = 1e-9;  // px, so that exact origins have weights

struct Known {
    std::vector<double> functions;
    double value[2];
};

std::vector<Known> known_of(Origins const& origins, Surface const& surface) {
    std::vector<Known> all;
    for (index p = 0; p < std::ssize(origins.reason); ++p) {
        auto const i = static_cast<std::size_t>(p);
        double const row = origins.values.values[2 * i], col = origins.values.values[2 * i + 1];
        if (origins.reason[i] != OriginReason::measured || !std::isfinite(row + col)) continue;
        index const scan_row = p / origins.scan_shape[1], scan_col = p % origins.scan_shape[1];
        all.push_back(
            {surface.functions(static_cast<double>(scan_row), static_cast<double>(scan_col)),
             {row, col}});
    }
    return all;
}

double value_of(std::vector<double> const& coefficients, std::vector<double> const& functions) {
    double sum = 0;
    for (std::size_t i = 0; i < functions.size(); ++i) sum += coefficients[i] * functions[i];
    return sum;
}

/// Rounds of weighted least squares; both components share a pattern's weight.
class Rounds {
  public:
    Rounds(std::vector<Known> const& known, std::size_t unknowns)
        : known_(known), weights_(known.size(), 1.0), rest_(known.size()) {
        for (auto& c : coefficients) c.assign(unknowns, 0);
    }
    bool solve() {
        auto const n = static_cast<index>(coefficients[0].size());
        for (std::size_t k = 0; k < 2; ++k) {
            NormalEquations equations(n);
            for (std::size_t i = 0; i < known_.size(); ++i)
                equations.add(0, known_[i].functions, weights_[i], known_[i].value[k]);
            auto found = equations.solve();
            if (!found) return false;
            coefficients[k] = std::move(*found);
        }
        for (std::size_t i = 0; i < known_.size(); ++i)
            for (std::size_t k = 0; k < 2; ++k)
                rest_[i][k] = known_[i].value[k] - value_of(coefficients[k], known_[i].functions);
        return true;
    }
    void weigh_by_distance() {
        double const least = std::max(1e-3 * distance_spread(), least_sigma);
        for (std::size_t i = 0; i < rest_.size(); ++i)
            weights_[i] = 1 / std::max(std::hypot(rest_[i][0], rest_[i][1]), least);
    }
    // False when nothing changes any more.
    bool weigh_by_tukey(double cut) {
        double const s[2] = {sigma(0), sigma(1)};
        double change = 0;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            double const w = crystal::biweight(
                std::hypot(rest_[i][0] / s[0], rest_[i][1] / s[1]) / std::sqrt(2.0), cut);
            change = std::max(change, std::abs(w - weights_[i]));
            weights_[i] = w;
        }
        return change > 1e-6;
    }
    double sigma(std::size_t k) const {
        std::vector<double> of(rest_.size());
        for (std::size_t i = 0; i < of.size(); ++i) of[i] = rest_[i][k];
        return std::max(crystal::spread_of(std::move(of)), least_sigma);
    }
    /// Of the weighted fit with one standard deviation of 1.
    std::vector<double> inverse() const {
        std::size_t const n = coefficients[0].size();
        NormalEquations equations(static_cast<index>(n));
        double weights = 0, squares = 0;
        for (std::size_t i = 0; i < known_.size(); ++i) {
            equations.add(0, known_[i].functions, weights_[i], 0);
            weights += weights_[i], squares += weights_[i] * weights_[i];
        }
        std::vector<double> out = equations.inverse().value_or(std::vector<double>(n * n));
        // Of the sandwich of an M-estimate, for errors that are normal in their middle.
        double const factor = weights > 0 ? squares / weights : 1;
        for (double& v : out) v *= factor;
        return out;
    }
    std::vector<double> const& weights() const { return weights_; }

    std::array<std::vector<double>, 2> coefficients;

  private:
    double distance_spread() const {
        std::vector<double> d(rest_.size());
        for (std::size_t i = 0; i < d.size(); ++i) d[i] = std::hypot(rest_[i][0], rest_[i][1]);
        return crystal::middle_of(std::move(d));
    }
    std::vector<Known> const& known_;
    std::vector<double> weights_;
    std::vector<std::array<double, 2>> rest_;
};

Status check_origins(Origins const& o, OriginFitOptions const& options) {
    auto const wrong = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    index const n = o.scan_shape[0] * o.scan_shape[1];
    if (n < 1 || std::ssize(o.reason) != n || o.values.size() != 2 * n)
        return wrong(
            "the origins do not have the shape of their scan; take them from "
            "measure_origins");
    if (options.order < 1 || options.order > 6)
        return wrong(
            fmt::format("a Bézier surface of order {} (1 to 6 can be fitted); choose one "
                        "of these",
                        options.order));
    if (!(options.cut >= 2) || !std::isfinite(options.cut))
        return wrong(
            fmt::format("a cut of {:g} standard deviations (2 and more can be); give a "
                        "larger one",
                        options.cut));
    return {};
}

}  // namespace

Result<OriginFit> fit_origins(Origins const& origins, OriginFitOptions const& options) {
    SLUICE_CHECK(check_origins(origins, options));
    Surface const surface(options.surface, options.order, origins.scan_shape);
    std::vector<Known> const known = known_of(origins, surface);
    Error const too_few{
        Code::invalid_argument,
        fmt::format("{} of {} patterns have an origin (the surface has {} unknowns, and they must "
                    "not lie on a line of the scan); choose a flatter surface, or find more disks",
                    known.size(), origins.reason.size(), surface.size())};
    if (known.size() < surface.size()) return too_few;
    Rounds rounds(known, surface.size());
    for (int i = 0; i < first_rounds; ++i) {
        if (!rounds.solve()) return too_few;
        rounds.weigh_by_distance();
    }
    for (int i = 0; i < last_rounds; ++i) {
        if (!rounds.weigh_by_tukey(options.cut)) break;
        if (!rounds.solve()) return too_few;
    }
    OriginFit out{.scan_shape = origins.scan_shape,
                  .surface = options.surface,
                  .order = options.order,
                  .row = rounds.coefficients[0],
                  .col = rounds.coefficients[1],
                  .covariance = rounds.inverse(),
                  .sigma_row = rounds.sigma(0),
                  .sigma_col = rounds.sigma(1)};
    out.used = std::ranges::count_if(rounds.weights(), [](double w) { return w > 0; });
    out.left_out = std::ssize(known) - out.used;
    out.notes.push_back(fmt::format(
        "origins: {} of {} patterns take part, {} lie farther than {:g} standard deviations from "
        "the surface, {} have none; what it leaves is {:.3g} px in rows and {:.3g} px in columns",
        out.used, origins.reason.size(), out.left_out, options.cut,
        origins.reason.size() - known.size(), out.sigma_row, out.sigma_col));
    if (2 * out.left_out > out.used)
        out.notes.push_back(fmt::format(
            "a third of the origins or more, {}, do not lie on the surface: it may have followed "
            "the wrong ones; choose a bent surface, or give the place of the direct beam",
            out.left_out));
    return out;
}

Point OriginFit::at(index scan_row, index scan_col) const {
    auto const f = Surface(surface, order, scan_shape)
                       .functions(static_cast<double>(scan_row), static_cast<double>(scan_col));
    return {value_of(row, f), value_of(col, f)};
}

Point OriginFit::error_at(index scan_row, index scan_col) const {
    auto const f = Surface(surface, order, scan_shape)
                       .functions(static_cast<double>(scan_row), static_cast<double>(scan_col));
    double sum = 0;
    for (std::size_t i = 0; i < f.size(); ++i)
        for (std::size_t j = 0; j < f.size(); ++j)
            sum += f[i] * covariance[i * f.size() + j] * f[j];
    double const root = std::sqrt(std::max(sum, 0.0));
    return {sigma_row * root, sigma_col * root};
}

Point OriginFit::center() const {
    auto const f = Surface(surface, order, scan_shape)
                       .functions(static_cast<double>(scan_shape[0] - 1) / 2,
                                  static_cast<double>(scan_shape[1] - 1) / 2);
    return {value_of(row, f), value_of(col, f)};
}

}  // namespace sluice::stem4d
