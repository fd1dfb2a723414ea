// Tests of the sums over a crop: every instruction set agrees with the twin in double.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "domain/crystal/fit/crops.h"

namespace sluice::crystal {
namespace {

// A crop with a disk in it, as it is seen.
struct Seen {
    Tables tables;
    std::vector<float> counts, weights, shape, near;

    explicit Seen(stem4d::ProbeTemplate const& probe, double fit_radius)
        : tables(probe, fit_radius) {
        std::mt19937 random(5);
        for (index i = 0; i < tables.packed_pixels(); ++i) {
            float const under = 2 + 0.5F * tables.rows()[i] - 0.3F * tables.cols()[i];
            std::poisson_distribution<int> draw(under + 30 * tables.packed_at(3, 5)[i]);
            shape.push_back(under);
            near.push_back(0.3F + 0.2F * tables.rows()[i]);
            counts.push_back(static_cast<float>(draw(random)));
            weights.push_back(tables.packed_inside()[i] * (i % 37 ? 1.0F : 0.0F));
        }
    }
    Crop crop(bool plane, bool with_near = false, bool ring = false) const {
        return {counts.data(),
                weights.data(),
                plane ? nullptr : shape.data(),
                tables.packed_at(4, 4),
                tables.rows(),
                tables.cols(),
                with_near ? near.data() : nullptr,
                ring ? tables.around() : nullptr,
                tables.packed_pixels()};
    }
};

void expect_near(double is, double should, double scale) {
    EXPECT_NEAR(is, should, 2e-5 * scale) << "scale " << scale;
}

void compare(FitKernels const& k, Crop const& crop) {
    FitKernels const& twin = fit_twin();
    Model const model{1.1, 25, 0.2, -0.1, 0.04, -0.03, {3, -2, 1, 2}};
    auto const a = k.score(crop, model), b = twin.score(crop, model);
    int const n = unknowns_of(crop);
    for (int i = 0, at = 0; i < n; ++i) {
        // Slopes are sums of positive and negative numbers: their error goes with those.
        double const own = b.fisher[i * (i + 1) / 2 + i];
        expect_near(a.slopes[i], b.slopes[i], std::sqrt(own * static_cast<double>(crop.pixels)));
        for (int j = 0; j <= i; ++j, ++at)
            expect_near(a.fisher[at], b.fisher[at], std::sqrt(own * b.fisher[j * (j + 1) / 2 + j]));
    }
    Model without = model;
    without.height = 0;
    without.background = 9;
    expect_near(k.gain(crop, model, without), twin.gain(crop, model, without),
                std::abs(twin.gain(crop, model, without)));
    auto const c = k.correlate(crop, 0.4), d = twin.correlate(crop, 0.4);
    expect_near(c.counts, d.counts, d.counts);
    expect_near(c.variance, d.variance, d.variance);
    expect_near(c.squares, d.squares, d.squares);
    expect_near(c.norm, d.norm, d.norm);
    expect_near(c.ring, d.ring, d.ring);
    expect_near(c.ring_shape, d.ring_shape, d.ring_shape);
}

TEST(FitKernels, EveryInstructionSetAgreesWithTheTwin) {
    for (auto const& [radius, width, fit] :
         {std::array{8.0, 1.0, 11.9}, {3.0, 0.7, 7.0}, {20.0, 3.0, 28.0}}) {
        stem4d::ProbeTemplate probe;
        probe.radius = radius;
        probe.edge_width = width;
        Seen const seen(probe, fit);
        for (Isa const isa : compiled_isas()) {
            if (!runs_here(isa)) continue;
            SCOPED_TRACE(name_of(isa));
            for (int kind = 0; kind < 8; ++kind)
                compare(fit_kernels(isa), seen.crop(kind & 1, kind & 2, kind & 4));
        }
    }
}

double* unknown(Model& m, Crop const& crop, int i) {
    double* const flat[6] = {&m.background, &m.height,    &m.d_row,
                             &m.d_col,      &m.slope_row, &m.slope_col};
    int const even = crop.shape ? 4 : 6;
    return i < even ? flat[i] : &m.around[static_cast<std::size_t>(i - even)];
}

// The slopes are those of the log-likelihood, which gain() says.
TEST(FitKernels, SlopesAreTheGainsDerivatives) {
    stem4d::ProbeTemplate probe;
    probe.radius = 8;
    Seen const seen(probe, 11.9);
    for (int kind = 0; kind < 8; ++kind) {
        Crop const crop = seen.crop(kind & 1, kind & 2, kind & 4);
        Model const model{1.1, 25, 0.2, -0.1, 0.04, -0.03, {3, -2, 1, 2}};
        auto const sums = fit_twin().score(crop, model);
        for (int i = 0; i < unknowns_of(crop); ++i) {
            Model more = model, less = model;
            *unknown(more, crop, i) += 1e-4;
            *unknown(less, crop, i) -= 1e-4;
            EXPECT_NEAR(sums.slopes[i], fit_twin().gain(crop, more, less) / 2e-4,
                        1e-4 * std::abs(sums.slopes[i]) + 1e-6);
        }
    }
}

}  // namespace
}  // namespace sluice::crystal
