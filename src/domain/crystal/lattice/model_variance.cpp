// Finds the variance that makes the median chi2 of a scan 1.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/model_variance.h"

#include <algorithm>
#include <cmath>

#include "device/share_out.h"

namespace sluice::crystal {
namespace {

constexpr index most_looked_at = 1024;

std::vector<index> evenly(stem4d::BraggVectors const& v, index least_disks) {
    std::vector<index> some;
    for (index p = 0; p < v.patterns(); ++p)
        if (v.count(p) >= least_disks) some.push_back(p);
    auto const n = std::ssize(some);
    if (n <= most_looked_at) return some;
    std::vector<index> out;
    for (index i = 0; i < most_looked_at; ++i)
        out.push_back(some[static_cast<std::size_t>(i * n / most_looked_at)]);
    return out;
}

// What the patterns that were looked at say together.
struct Together {
    double chi2 = 0;    // the median, each beside the median for its own number of disks; 0: none
    double error = 0;   // one standard error of it where the model is right
    double square = 0;  // px^2: the median of what disks miss their lattices by, in one direction
};

double middle_of(std::vector<double>& values) {
    if (values.empty()) return 0;
    auto const middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

class Median {
  public:
    Median(stem4d::BraggVectors const& vectors, FitRules const& rules, int threads)
        : vectors_(vectors),
          rules_(rules),
          some_(evenly(vectors, rules.least_disks)),
          threads_(threads) {}
    Together operator()(double variance) {
        rules_.variance = variance;
        std::vector<PatternLattice> found(some_.size());
        std::vector<PatternFit> fits(static_cast<std::size_t>(std::max(threads_, 1)),
                                     PatternFit(rules_));
        share_out(std::ssize(some_), threads_, nullptr, [&](index i, int worker) {
            auto const at = static_cast<std::size_t>(i);
            found[at] = fits[static_cast<std::size_t>(worker)](vectors_, some_[at]);
        });
        std::vector<double> chi2, squares;
        double relative = 0;
        for (PatternLattice const& f : found) {
            double const freedom = freedom_of(f.used);
            if (f.reason != stem4d::LatticeReason::fitted || !(freedom > 0)) continue;
            chi2.push_back(f.chi2 / median_chi2(freedom));
            squares.push_back(f.rms * f.rms);
            relative += 2 / freedom;
        }
        // A median's error is a quarter more than a mean's.
        auto const n = std::max(1.0, static_cast<double>(chi2.size()));
        return {middle_of(chi2), 1.25 * std::sqrt(relative / n / n), middle_of(squares)};
    }

  private:
    stem4d::BraggVectors const& vectors_;
    FitRules rules_;
    std::vector<index> some_;
    int threads_;
};

// Without other variances chi2 goes with 1 / variance, but for the disks that are cut.
double only_variance(Median& median, double variance) {
    for (int i = 0; i < 20; ++i) {
        double const chi2 = median(variance).chi2;
        if (!(chi2 > 0)) break;
        variance *= chi2;
        if (std::abs(chi2 - 1) < 1e-6) break;
    }
    return variance;
}

}  // namespace

// Wilson and Hilferty's approximation, good to 1 % from two degrees on.
double median_chi2(double freedom) {
    double const root = 1 - 2 / (9 * freedom);
    return root * root * root;
}

double model_variance(stem4d::BraggVectors const& vectors, FitRules rules, int threads) {
    Median median(vectors, rules, threads);
    if (rules.equal) return only_variance(median, rules.tolerance * rules.tolerance / 16);
    Together const without = median(0);
    if (!(without.chi2 > 1 + 3 * without.error)) return 0;
    // 1 / chi2 is linear in the variance where all disks have the same error: secants find the
    // answer in few steps, between a variance that is too low and one that is too high.
    double low = 0, high = Limits::none, from = 0, below = 1 / without.chi2;
    double variance = without.square;
    for (int step = 0; step < 40; ++step) {
        double const inverse = 1 / median(variance).chi2;
        if (!(std::abs(inverse - 1) > 1e-3)) break;
        (inverse < 1 ? low : high) = variance;
        double const slope = (inverse - below) / (variance - from);
        double next = variance + (1 - inverse) / slope;
        if (!(next > low && next < high) || !(slope > 0))
            next = high < Limits::none ? (low + high) / 2 : 4 * variance;
        from = variance, below = inverse, variance = next;
        if (high - low < 1e-6 * high) break;
    }
    return variance;
}

}  // namespace sluice::crystal
