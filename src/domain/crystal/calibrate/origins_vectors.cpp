// measure_origins of Bragg vectors: the direct disk of each pattern, or the middle of its pairs.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>

#include "domain/crystal/calibrate/friedel.h"
#include "domain/crystal/calibrate/origins.h"
#include "domain/crystal/calibrate/robust.h"
#include "domain/crystal/lattice/differences.h"

namespace sluice::stem4d {
namespace {

// So many patterns' brightest disks agree where the direct beam is the brightest.
constexpr double least_share = 0.6;

class DiskOrigins {
  public:
    DiskOrigins(BraggVectors const& vectors, double radius) : v_(vectors), radius_(radius) {}

    /// [pattern] where the origin is expected.
    using Expected = std::vector<Point>;

    Origins brightest() const {
        return of_each(OriginMethod::direct, [&](index p, Origins& out) {
            put_disk(p, brightest_of(p, {}, std::numeric_limits<double>::infinity()), out);
        });
    }
    Origins direct(Expected const& expected) const {
        return of_each(OriginMethod::direct, [&](index p, Origins& out) {
            put_disk(p, brightest_of(p, expected[static_cast<std::size_t>(p)], radius_), out);
        });
    }
    Origins friedel(Expected const& expected) const {
        return of_each(OriginMethod::friedel, [&](index p, Origins& out) {
            auto const i = static_cast<std::size_t>(p);
            auto const found = crystal::friedel_origin(v_, p, expected[i], radius_ / 2);
            if (!found) {
                out.reason[i] = OriginReason::no_pairs;
                return;
            }
            crystal::put_origin(out, p, found->at, {found->var_row, found->var_col, found->cov});
        });
    }
    Expected everywhere(Point at) const {
        return Expected(static_cast<std::size_t>(v_.patterns()), at);
    }
    /// What a robust surface through the origins says; the same place where none can be fitted.
    Expected smooth(Origins const& origins, OriginSurface surface, Point otherwise) const {
        auto const fit = fit_origins(origins, {.surface = surface});
        if (!fit) return everywhere(otherwise);
        Expected out;
        for (index p = 0; p < v_.patterns(); ++p)
            out.push_back(fit->at(p / v_.scan_shape[1], p % v_.scan_shape[1]));
        return out;
    }
    /// Of patterns with disks: how many have their brightest one where it is expected.
    double share_there(Expected const& expected) const {
        index all = 0, there = 0;
        for (index p = 0; p < v_.patterns(); ++p) {
            auto const j = brightest_of(p, {}, std::numeric_limits<double>::infinity());
            if (j < 0) continue;
            ++all;
            there += distance(j, expected[static_cast<std::size_t>(p)]) <= radius_;
        }
        return all > 0 ? static_cast<double>(there) / static_cast<double>(all) : 0;
    }
    /// How many patterns have any disk there.
    double share_seen(Expected const& expected) const {
        index all = 0, there = 0;
        for (index p = 0; p < v_.patterns(); ++p) {
            if (v_.count(p) == 0) continue;
            ++all;
            there += brightest_of(p, expected[static_cast<std::size_t>(p)], radius_) >= 0;
        }
        return all > 0 ? static_cast<double>(there) / static_cast<double>(all) : 0;
    }

  private:
    template <class Work>
    Origins of_each(OriginMethod method, Work const& work) const {
        Origins out = crystal::no_origins(v_.scan_shape, OriginReason::no_disks);
        out.method = method, out.radius = radius_;
        for (index p = 0; p < v_.patterns(); ++p)
            if (v_.count(p) > 0) work(p, out);
        return out;
    }
    double distance(index j, Point at) const {
        auto const i = static_cast<std::size_t>(j);
        return std::hypot(static_cast<double>(v_.row[i]) - at.row,
                          static_cast<double>(v_.col[i]) - at.col);
    }
    index brightest_of(index pattern, Point at, double radius) const {
        index best = -1;
        for (index j = v_.first[static_cast<std::size_t>(pattern)], end = j + v_.count(pattern);
             j < end; ++j) {
            double const away = distance(j, at);
            if (!std::isfinite(away) || away > radius) continue;
            if (best < 0 || v_.intensity[static_cast<std::size_t>(j)] >
                                v_.intensity[static_cast<std::size_t>(best)])
                best = j;
        }
        return best;
    }
    void put_disk(index pattern, index j, Origins& out) const {
        if (j < 0) {
            out.reason[static_cast<std::size_t>(pattern)] = OriginReason::not_near;
            return;
        }
        auto const i = static_cast<std::size_t>(j);
        crystal::put_origin(out, pattern, {v_.row[i], v_.col[i]},
                            {v_.var_row[i], v_.var_col[i], v_.cov_row_col[i]});
    }

    BraggVectors const& v_;
    double radius_;
};

Point median_of(Origins const& origins) {
    std::vector<double> rows, cols;
    for (std::size_t p = 0; p < origins.reason.size(); ++p)
        if (origins.reason[p] == OriginReason::measured) {
            rows.push_back(origins.values.values[2 * p]);
            cols.push_back(origins.values.values[2 * p + 1]);
        }
    return {crystal::middle_of(std::move(rows)), crystal::middle_of(std::move(cols))};
}

std::string text_of_place(Point p) {
    return fmt::format("({:.2f}, {:.2f})", p.row, p.col);
}

Error no_origin(std::string why) {
    return {Code::invalid_argument,
            "no pattern shows where its origin is (" + std::move(why) +
                ") detect more disks, or give the place of the direct beam"};
}

Result<Origins> by_pairs(BraggVectors const& v, DiskOrigins const& measure, double spacing,
                         std::optional<Point> guess) {
    std::optional<Point> const center = guess ? guess : crystal::friedel_center(v, spacing);
    if (!center) return no_origin("no pattern has two disks of like intensity");
    Origins out = measure.friedel(measure.everywhere(*center));
    out = measure.friedel(measure.smooth(out, OriginSurface::plane, *center));
    if (crystal::measured(out) == 0) return no_origin("no pattern has two pairs about one place");
    out.notes.push_back(
        fmt::format("origins are the middles of pairs of disks about {}: the direct beam itself "
                    "takes no part",
                    text_of_place(median_of(out))));
    return out;
}

}  // namespace

Result<Origins> measure_origins(BraggVectors const& v, OriginOptions const& options) {
    SLUICE_CHECK(check_vectors(v));
    SLUICE_CHECK(crystal::check_origin_options(options));
    if (options.method == OriginMethod::mass)
        return Error{Code::invalid_argument,
                     "centres of mass are those of frames (these are disks) give the scan, or "
                     "another method"};
    double const spacing = crystal::differences_of(v).spacing;
    double const side = static_cast<double>(std::min(v.detector_shape[0], v.detector_shape[1]));
    DiskOrigins const measure(
        v, options.radius > 0 ? options.radius : (spacing > 0 ? spacing / 2 : side / 8));
    if (options.method == OriginMethod::friedel)
        return by_pairs(v, measure, spacing, options.guess);
    Origins const bright =
        options.guess ? measure.direct(measure.everywhere(*options.guess)) : measure.brightest();
    if (crystal::measured(bright) == 0)
        return no_origin(options.guess ? "no disk lies near the place that is given"
                                       : "there are no disks");
    Point const usual = median_of(bright);
    auto expected = measure.smooth(bright, OriginSurface::plane, usual);
    Origins out = measure.direct(expected);
    expected = measure.smooth(out, OriginSurface::parabola, usual);
    out = measure.direct(expected);
    double const share = measure.share_there(expected);
    if (options.method == OriginMethod::automatic && !options.guess) {
        // One reflection may outshine all others in a whole crystal: the direct beam is then
        // hidden, and disks lie about another place, where few or none is seen.
        auto const center = crystal::friedel_center(v, spacing);
        Point const here = median_of(out);
        bool const elsewhere =
            center && std::hypot(center->row - here.row, center->col - here.col) > spacing / 2 &&
            measure.share_seen(measure.everywhere(*center)) < 0.5;
        if (share < least_share || elsewhere) {
            SLUICE_TRY(out, by_pairs(v, measure, spacing, {}));
            out.notes.push_back(
                elsewhere ? fmt::format("the brightest disks lie about {}, but the pairs about "
                                        "another place: the direct beam is taken as hidden",
                                        text_of_place(here))
                          : fmt::format("the brightest disks of {:.0f} % of the patterns agree "
                                        "(60 % would do): the direct beam is taken as hidden",
                                        100 * share));
            return out;
        }
    }
    out.notes.push_back(fmt::format(
        "origins are the brightest disks within {:.3g} px of a surface through all, about {}; in "
        "{:.0f} % of the patterns it is the brightest disk of all",
        out.radius, text_of_place(median_of(out)), 100 * share));
    return out;
}

}  // namespace sluice::stem4d
