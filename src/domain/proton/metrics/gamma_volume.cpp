// The gamma index of two images: what can be compared, and the sum over all points.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/plural.h"
#include "device/share_out.h"
#include "domain/proton/metrics/dose_cells.h"
#include "sluice/device.h"
#include "sluice/proton_gamma.h"

namespace sluice::proton {
namespace {

Status check(Volume const& v, std::string_view what) {
    auto const refuse = [&](std::string const& why) {
        return Error{Code::invalid_argument, fmt::format("the {} dose {}", what, why)};
    };
    auto const& shape = v.image.shape;
    if (shape.size() != 3) return refuse("has not three axes; give maps as .npy");
    if (*std::ranges::min_element(shape) < 2)
        return refuse(
            fmt::format("of {}x{}x{} voxels is one plane or less; between planes a dose is "
                        "linear, so give two at least",
                        shape[2], shape[1], shape[0]));
    if (v.spacing.size() != 3 || v.origin.size() != 3)
        return refuse("does not state its spacing and origin; save it as .nrrd or .mha with them");
    auto const bad =
        std::ranges::count_if(v.image.values, [](float x) { return !std::isfinite(x); });
    if (bad > 0)
        return refuse(
            fmt::format("has {} not a finite number; set them to 0 if they mean no dose",
                        bad == 1 ? "a value that is" : fmt::format("{} values that are", bad)));
    return {};
}

Status check(Volume const& reference, Volume const& evaluated) {
    SLUICE_CHECK(check(reference, "reference"));
    SLUICE_CHECK(check(evaluated, "evaluated"));
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t i = 0; i < 3; ++i)
            if (!(std::abs(reference.direction[a][i] - evaluated.direction[a][i]) < 1e-6))
                return Error{
                    Code::invalid_argument,
                    fmt::format("the doses lie with other axes ({}, and {}); resample one to "
                                "the axes of the other",
                                describe(reference.direction, 3),
                                describe(evaluated.direction, 3))};
    return {};
}

/// Places along the axes of the image, in units of `distance`.
DoseCells::Grid grid_of(Volume const& v, double distance) {
    DoseCells::Grid g;
    for (std::size_t a = 0; a < 3; ++a) {
        g.sides[a] = v.image.shape[2 - a];
        g.step[a] = v.spacing[a] / distance;
        double along = 0;
        for (std::size_t i = 0; i < 3; ++i) along += v.direction[a][i] * v.origin[i];
        g.first[a] = along / distance;
    }
    return g;
}

/// What a worker counts; whole numbers and sums in the order of rows do not depend on workers.
struct Row {
    index points = 0, passed = 0, outside = 0;
    double sum = 0;
};

}  // namespace

Result<VolumeGamma> gamma_index(Volume const& reference, Volume const& evaluated,
                                GammaOptions const& options) {
    SLUICE_CHECK(check(reference, evaluated));
    if (!(options.dose > 0 && options.distance > 0 && options.most > 0 && options.cutoff >= 0))
        return Error{Code::invalid_argument,
                     "gamma needs a dose, a distance and a largest value above 0"};
    auto const& doses = reference.image.values;
    auto const top = static_cast<double>(*std::ranges::max_element(doses));
    if (top <= 0) return Error{Code::invalid_argument, "the reference has no dose"};
    DoseCells::Grid const grid = grid_of(reference, options.distance);
    DoseCells::Grid const other = grid_of(evaluated, options.distance);
    DoseCells const cells(other, evaluated.image.values.data(), options.most);
    VolumeGamma out{.gamma = {.image = {reference.image.shape, {}},
                              .spacing = reference.spacing,
                              .origin = reference.origin,
                              .direction = reference.direction,
                              .content = "gamma index"},
                    .highest_dose = top};
    out.gamma.image.values.assign(doses.size(), std::numeric_limits<float>::quiet_NaN());
    index const columns = grid.sides[0], rows = grid.sides[1] * grid.sides[2];
    std::vector<Row> found(static_cast<std::size_t>(rows));
    Run run(options.progress, rows);
    share_out(rows, Device::cpu(options.threads).threads(), &run, [&](index r, int) {
        Row& row = found[static_cast<std::size_t>(r)];
        for (index x = 0; x < columns && run.wanted(); ++x) {
            auto const k = static_cast<std::size_t>(r * columns + x);
            auto const dose = static_cast<double>(doses[k]);
            if (dose < options.cutoff * top || dose <= 0) continue;
            Vector<3> place;
            std::array<index, 3> const at{x, r % grid.sides[1], r / grid.sides[1]};
            for (std::size_t a = 0; a < 3; ++a)
                place[a] = grid.first[a] + static_cast<double>(at[a]) * grid.step[a];
            double const g = cells.gamma(place, dose, options.dose * (options.local ? dose : top));
            out.gamma.image.values[k] = static_cast<float>(g);
            ++row.points;
            row.passed += g <= 1 ? 1 : 0;
            row.outside += other.misses(place) ? 1 : 0;
            row.sum += g;
        }
        run.done();
    });
    SLUICE_CHECK(run.check());
    Row all;
    for (Row const& r : found) {
        all.points += r.points;
        all.passed += r.passed;
        all.outside += r.outside;
        all.sum += r.sum;
    }
    out.points = all.points;
    out.outside = all.outside;
    if (all.points > 0) {
        out.passed = static_cast<double>(all.passed) / static_cast<double>(all.points);
        out.mean = all.sum / static_cast<double>(all.points);
    }
    return out;
}

}  // namespace sluice::proton
