// The likeliest errors of a sample of patterns.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/model_errors.h"

#include <algorithm>
#include <functional>

#include "device/per_worker.h"
#include "device/share_out.h"
#include "domain/crystal/median.h"
#include "sluice/optics.h"

namespace sluice::orient {
namespace {

constexpr index patterns_looked_at = 128;
constexpr double least_explained = 0.7;
// Until something is known: the error of a place, 1/ångström, and of the root of an intensity.
constexpr double first_place = 0.008, first_part = 0.4;
// An exact model would make weights without bounds.
constexpr double least_place = 2e-4, least_part = 1e-3;
// Medians of chi2 with two degrees of freedom and with one.
constexpr double median_of_two = 1.386294361, median_of_one = 0.454936423;
// Widths that are tried are these factors apart, wavelengths the last one.
constexpr double steps_of_sigma[] = {1.4, 1.18, 1.08}, step_of_wavelength = 1.25;
constexpr int most_steps = 4;
// Where widths of slabs begin, 1/ångström: one of 130 ångström.
constexpr double first_slab = 0.0025;
// Logarithm of the odds of a pattern by which another wavelength must be better to be told.
constexpr double clearly_better = 1;

struct Sampled {
    PatternDisks disks;
    std::vector<Start> starts;
};

// Evenly out of those with disks enough to tell.
std::vector<Sampled> sample(MatchRules const& rules) {
    std::vector<index> some;
    std::vector<PatternDisks> disks(1);
    for (index p = 0; p < rules.fit.reader.patterns(); ++p) {
        rules.fit.reader.read(p, disks[0]);
        if (disks[0].size() >= std::max<index>(6, rules.options.least_disks)) some.push_back(p);
    }
    auto const n = static_cast<std::size_t>(std::min(std::ssize(some), patterns_looked_at));
    disks.resize(n);
    for (std::size_t i = 0; i < n; ++i) rules.fit.reader.read(some[i * some.size() / n], disks[i]);
    std::vector<Candidates> found(n);
    GroupSearch search(rules.fit.library, rules.kernels, rules.options.exhaustive);
    search(disks, found);
    std::vector<Sampled> out(n);
    for (std::size_t i = 0; i < n; ++i) {
        distinct(rules.fit.library, found[i], rules.options.candidates, out[i].starts);
        out[i].disks = std::move(disks[i]);
    }
    std::erase_if(out, [](Sampled const& s) { return s.starts.empty(); });
    return out;
}

// The number at which the median of ratio(miss, number) is `median`; ratios fall as it grows.
double where_median_is(double median, double least, double most, std::vector<Miss> const& misses,
                       std::function<double(Miss const&, double)> const& ratio) {
    auto const middle = [&](double x) {
        std::vector<double> all;
        for (Miss const& m : misses) all.push_back(ratio(m, x));
        return crystal::median(std::move(all));
    };
    if (middle(least) <= median) return least;
    for (int i = 0; i < 30; ++i) {
        double const x = std::sqrt(least * most);
        (middle(x) > median ? least : most) = x;
    }
    return std::sqrt(least * most);
}

double root_ratio(Miss const& m, double variance, double part) {
    return m.root * m.root /
           (m.own_root_variance + variance + square(part) * m.model * (m.model + m.root));
}

class Measurement {
  public:
    Measurement(MatchRules const& rules, int threads)
        : rules_(rules), threads_(threads), sample_(sample(rules)) {}

    bool empty() const { return sample_.empty(); }

    // Fits the sample with the errors and returns the logarithm of the odds of all patterns.
    double fit(ErrorModel const& errors) {
        rules_.fit.set_errors(errors);
        PerWorker<std::unique_ptr<Competition>> workers(threads_);
        std::vector<double> odds(sample_.size());
        std::vector<std::vector<Miss>> misses(sample_.size());
        share_out(std::ssize(sample_), threads_, nullptr, [&](index i, int worker) {
            auto& compete = workers[worker];
            if (!compete) compete = std::make_unique<Competition>(rules_.fit);
            auto const at = static_cast<std::size_t>(i);
            (*compete)(sample_[at].disks, sample_[at].starts);
            // What no phase explains tells nothing of errors.
            if (compete->best().explained < least_explained) return;
            odds[at] = std::max(0.0, compete->best().log_odds);
            misses[at] = compete->misses();
        });
        misses_.clear();
        for (auto const& some : misses) misses_.insert(misses_.end(), some.begin(), some.end());
        double sum = 0;
        for (double const o : odds) sum += o;
        return sum;
    }

    // What the misses of the last fit say, where the options leave it open.
    ErrorModel improved(ErrorModel errors) {
        auto const& o = rules_.options;
        if (misses_.empty()) return errors;
        if (o.place_error == 0)
            errors.place_variance = square(where_median_is(
                median_of_two, least_place, o.tolerance, misses_,
                [](Miss const& m, double x) { return m.square / (m.own_variance + x * x); }));
        if (o.intensity_error == 0) improve_roots(errors);
        return errors;
    }

    void begin(ErrorModel const& first) {
        keep_better();
        fit(first);
        best_ = improved(first);
        most_ = fit(best_);
        move(best_);
    }
    // The best of all that was begun.
    void choose() {
        keep_better();
        best_ = of_all_, most_ = most_of_all_;
    }
    // Uphill by factors of one of the numbers, as long as the odds grow.
    void climb(double ErrorModel::*number, double factor) {
        for (double const step : {factor, 1 / factor}) {
            int moved = 0;
            ErrorModel next = best_;
            do {
                next = best_;
                next.*number *= step;
            } while (move(next) && ++moved < most_steps);
            if (moved > 0) return;
        }
    }

    ErrorModel const& best() const { return best_; }
    double odds() const { return most_; }
    index patterns() const { return std::ssize(sample_); }

  private:
    void keep_better() {
        if (most_ > most_of_all_) of_all_ = best_, most_of_all_ = most_;
    }
    // Fits with the errors, and once more with those that its misses tell; whether that is better.
    bool move(ErrorModel const& to) {
        fit(to);
        ErrorModel const next = improved(to);
        double const odds = fit(next);
        if (!(odds > most_)) return false;
        best_ = next, most_ = odds;
        return true;
    }

    // Weak disks tell of an error that all have, strong ones of a part of their intensity.
    void improve_roots(ErrorModel& errors) {
        std::ranges::stable_sort(misses_, {}, &Miss::model);
        auto const half = misses_.begin() + std::ssize(misses_) / 2;
        std::vector<Miss> const weak(misses_.begin(), half), strong(half, misses_.end());
        double const most = 4 * square(strong.back().model);
        for (int round = 0; round < 3; ++round) {
            double const variance = errors.root_variance;
            double const part = errors.intensity_part = where_median_is(
                median_of_one, least_part, 2, strong,
                [&](Miss const& m, double x) { return root_ratio(m, variance, x); });
            if (weak.empty()) return;
            errors.root_variance =
                where_median_is(median_of_one, 1e-9 * most, most, weak,
                                [&](Miss const& m, double x) { return root_ratio(m, x, part); });
        }
    }

    MatchRules rules_;
    int threads_;
    std::vector<Sampled> sample_;
    std::vector<Miss> misses_;
    ErrorModel best_, of_all_;
    double most_ = 0, most_of_all_ = -1;
};

// The voltage of electrons whose wavelength is `factor` times that of `kilovolts`.
double kilovolts_of(double kilovolts, double factor) {
    double const wanted = optics::electron_wavelength_nm(kilovolts) * factor;
    double least = 0.1, most = 1e5;
    for (int i = 0; i < 60; ++i) {
        double const middle = std::sqrt(least * most);
        (optics::electron_wavelength_nm(middle) > wanted ? least : most) = middle;
    }
    return least;
}

}  // namespace

ErrorModel first_errors(stem4d::MatchOptions const& options,
                        stem4d::LibraryOptions const& library) {
    auto const or_else = [](double given, double first) { return given > 0 ? given : first; };
    return {.place_variance = square(or_else(options.place_error, first_place)),
            .intensity_part = or_else(options.intensity_error, first_part),
            .excitation_sigma = or_else(options.fit_sigma, library.excitation_sigma)};
}

Result<MeasuredErrors> measured_errors(MatchRules const& rules, stem4d::Options const& run) {
    auto const& o = rules.options;
    MeasuredErrors out{.errors = rules.fit.errors};
    if (o.place_error > 0 && o.intensity_error > 0 && o.fit_sigma > 0) return out;
    auto const all = static_cast<std::uint64_t>(rules.fit.reader.patterns());
    Measurement measurement(rules, run.device.host().threads());
    out.patterns = measurement.patterns();
    if (out.patterns == 0) return out;
    for (Envelope const envelope : {Envelope::gaussian, Envelope::slab}) {
        ErrorModel first = out.errors;
        first.envelope = envelope;
        if (envelope == Envelope::slab && o.fit_sigma == 0) first.excitation_sigma = first_slab;
        measurement.begin(first);
        if (o.fit_sigma > 0) continue;
        for (double const factor : steps_of_sigma) {
            SLUICE_CHECK(tell_progress(run.progress, 0, all, "there is no map"));
            measurement.climb(&ErrorModel::excitation_sigma, factor);
        }
    }
    measurement.choose();
    out.errors = measurement.best();
    double const odds = measurement.odds();
    measurement.climb(&ErrorModel::wavelength_factor, step_of_wavelength);
    if (measurement.odds() > odds + clearly_better * static_cast<double>(out.patterns))
        out.better_kilovolts =
            kilovolts_of(rules.fit.library.options.kilovolts, measurement.best().wavelength_factor);
    return out;
}

}  // namespace sluice::orient
