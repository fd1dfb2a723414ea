// fit_grains: finds lattices in turn, and sorts patterns into grains.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

#include "domain/crystal/grains/turn.h"

namespace sluice::stem4d {
namespace {

using crystal::lattice_of;

constexpr int most_tries = 4;

bool is_fitted(LatticeFit const& fit, std::size_t p) {
    return fit.reason[p] == LatticeReason::fitted;
}

// The vectors of some patterns, as a scan of one row.
BraggVectors only(BraggVectors const& v, std::span<index const> patterns) {
    BraggVectors out;
    out.scan_shape = {1, std::ssize(patterns)};
    out.detector_shape = v.detector_shape;
    out.first = {0};
    for (index const p : patterns) {
        auto const from = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p)]),
                   to = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p) + 1]);
        for (auto const column :
             {&BraggVectors::row, &BraggVectors::col, &BraggVectors::intensity,
              &BraggVectors::background, &BraggVectors::var_row, &BraggVectors::var_col,
              &BraggVectors::cov_row_col, &BraggVectors::intensity_error, &BraggVectors::score})
            for (std::size_t j = from; j < to; ++j) (out.*column).push_back((v.*column)[j]);
        out.first.push_back(out.size());
        out.reason.push_back(v.reason[static_cast<std::size_t>(p)]);
    }
    return out;
}

index count_fitted(LatticeFit const& fit, std::span<index const> of) {
    return std::ranges::count_if(
        of, [&](index p) { return is_fitted(fit, static_cast<std::size_t>(p)); });
}

// All bases with their fits of all patterns.
class Search {
  public:
    Search(BraggVectors const& vectors, GrainOptions const& options, Options const& run)
        : vectors_(vectors), options_(options), run_(run) {}

    Status add(LatticeBasis const& basis) {
        SLUICE_TRY(LatticeFit fit, fit_lattice(vectors_, basis, options_.lattice, run_));
        bases_.push_back(basis);
        fits_.push_back(std::move(fit));
        return {};
    }
    // Together the patterns that are left show their commonest lattice; where they show none, those
    // with the most disks are asked alone. False: no basis fits enough of them.
    Result<bool> add_next() {
        std::vector<index> left = unexplained();
        if (std::ssize(left) < options_.least_patterns) return false;
        for (int attempt = 0; attempt < most_tries; ++attempt) {
            std::size_t const n = attempt == 0 ? left.size() : 1;
            if (attempt > static_cast<int>(left.size())) break;
            std::size_t const from = attempt == 0 ? 0 : static_cast<std::size_t>(attempt - 1);
            auto const basis = find_basis(only(vectors_, std::span(left).subspan(from, n)));
            if (!basis) continue;
            SLUICE_CHECK(add(*basis));
            if (count_fitted(fits_.back(), left) >= options_.least_patterns) return true;
            bases_.pop_back(), fits_.pop_back();
        }
        return false;
    }
    // Of the bases that fit a pattern the one that is least turned and strained; -1: none.
    std::vector<index> best() const {
        std::vector<index> out(static_cast<std::size_t>(vectors_.patterns()), -1);
        for (std::size_t p = 0; p < out.size(); ++p) {
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t b = 0; b < fits_.size(); ++b) {
                if (!is_fitted(fits_[b], p)) continue;
                auto const change = crystal::change_of(bases_[b], lattice_of(fits_[b], p));
                double const far = change.stretch + change.angle;
                if (far < least) least = far, out[p] = static_cast<index>(b);
            }
        }
        return out;
    }
    std::vector<LatticeBasis> const& bases() const { return bases_; }
    std::vector<LatticeFit> const& fits() const { return fits_; }

  private:
    // Most disks first.
    std::vector<index> unexplained() const {
        std::vector<index> out;
        std::vector<index> const by = best();
        for (index p = 0; p < vectors_.patterns(); ++p)
            if (by[static_cast<std::size_t>(p)] < 0 &&
                vectors_.count(p) >= options_.lattice.least_disks)
                out.push_back(p);
        std::ranges::stable_sort(out, std::ranges::greater{},
                                 [&](index p) { return vectors_.count(p); });
        return out;
    }

    BraggVectors const& vectors_;
    GrainOptions const& options_;
    Options const& run_;
    std::vector<LatticeBasis> bases_;
    std::vector<LatticeFit> fits_;
};

// What each pattern is by the basis that it has.
LatticeFit joined(Search const& search, std::vector<index> const& by) {
    LatticeFit out = search.fits().front();
    for (std::size_t p = 0; p < by.size(); ++p) {
        if (by[p] < 1) continue;
        LatticeFit const& fit = search.fits()[static_cast<std::size_t>(by[p])];
        auto const at = static_cast<std::ptrdiff_t>(p);
        std::copy_n(fit.values.values.begin() + 6 * at, 6, out.values.values.begin() + 6 * at);
        std::copy_n(fit.covariance.values.begin() + 36 * at, 36,
                    out.covariance.values.begin() + 36 * at);
        out.chi2[p] = fit.chi2[p], out.used[p] = fit.used[p], out.left_out[p] = fit.left_out[p];
        out.reason[p] = fit.reason[p];
    }
    out.notes.clear();
    return out;
}

// Patterns of one basis are one grain where their turns follow each other without a gap.
std::vector<std::vector<index>> grains_of(Search const& search, std::vector<index> const& by,
                                          LatticeFit const& fit, double least_turn) {
    std::vector<std::vector<index>> out;
    for (std::size_t b = 0; b < search.bases().size(); ++b) {
        std::vector<std::pair<double, index>> turns;
        for (std::size_t p = 0; p < by.size(); ++p)
            if (by[p] == static_cast<index>(b))
                turns.emplace_back(crystal::turn_of(search.bases()[b], lattice_of(fit, p)),
                                   static_cast<index>(p));
        std::ranges::sort(turns);
        for (std::size_t i = 0; i < turns.size(); ++i) {
            if (i == 0 || turns[i].first - turns[i - 1].first > least_turn) out.emplace_back();
            out.back().push_back(turns[i].second);
        }
    }
    std::ranges::stable_sort(out, std::ranges::greater{},
                             [](auto const& patterns) { return patterns.size(); });
    return out;
}

LatticeBasis median_of(LatticeFit const& fit, std::vector<index> const& patterns) {
    std::array<double, 6> middle{};
    for (std::size_t i = 0; i < 6; ++i) {
        std::vector<double> values;
        for (index const p : patterns)
            values.push_back(fit.values.values[static_cast<std::size_t>(6 * p) + i]);
        auto const at = values.begin() + std::ssize(values) / 2;
        std::ranges::nth_element(values, at);
        middle[i] = *at;
    }
    return {{middle[0], middle[1]}, {middle[2], middle[3]}, {middle[4], middle[5]}};
}

Status check_grains(GrainOptions const& o) {
    if (o.most_bases < 1 || o.least_patterns < 1 || !(o.least_turn > 0))
        return Error{Code::invalid_argument,
                     fmt::format("most_bases {}, least_patterns {} and least_turn {:g} are not all "
                                 "above 0; give such numbers",
                                 o.most_bases, o.least_patterns, o.least_turn)};
    return {};
}

}  // namespace

Result<GrainFit> fit_grains(BraggVectors const& vectors, std::optional<LatticeBasis> const& first,
                            GrainOptions const& options, Options const& run) {
    SLUICE_CHECK(refuse_references(run.references, "grains are made of disks that were"));
    SLUICE_CHECK(check_vectors(vectors));
    SLUICE_CHECK(check_grains(options));
    Search search(vectors, options, run);
    LatticeBasis start;
    if (first) {
        start = *first;
    } else {
        SLUICE_TRY(start, find_basis(vectors));
    }
    SLUICE_CHECK(search.add(start));
    bool more = true;
    while (more && std::ssize(search.bases()) < options.most_bases) {
        SLUICE_TRY(more, search.add_next());
    }
    std::vector<index> const by = search.best();
    GrainFit out{.fit = joined(search, by), .grains = {}, .grain = {}, .notes = {}};
    out.grain.assign(by.size(), -1);
    for (auto const& patterns : grains_of(search, by, out.fit, options.least_turn)) {
        for (index const p : patterns)
            out.grain[static_cast<std::size_t>(p)] = std::ssize(out.grains);
        LatticeBasis const basis = median_of(out.fit, patterns);
        double const turn =
            out.grains.empty() ? 0 : crystal::disorientation(out.grains.front().basis, basis);
        out.grains.push_back({basis, std::ssize(patterns), turn});
    }
    auto const fitted = std::ranges::count_if(out.grain, [](index g) { return g >= 0; });
    auto const both = std::ranges::count(out.fit.reason, LatticeReason::two_lattices);
    out.notes.push_back(fmt::format(
        "grains: {} of {} patterns lie on {} grains, {} patterns hold two lattices at once, and {} "
        "fit none",
        fitted, by.size(), out.grains.size(), both, std::ssize(by) - fitted - both));
    if (more)
        out.notes.push_back(
            fmt::format("no more than {} lattices were looked for; most_bases allows more",
                        options.most_bases));
    return out;
}

}  // namespace sluice::stem4d
