// Slopes and curvatures along a line against finite differences of the loss, in double.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/splitmix.h"
#include "domain/ptychography/step/step.h"

namespace sluice::ptycho {
namespace {

struct LineCase {
    char const* name;
    Likelihood likelihood;
    index slices, bin;
};

class LineTest : public testing::TestWithParam<LineCase> {};

// Few counts and a bright model: there no curvature is left out.
TEST_P(LineTest, IsThatOfFiniteDifferences) {
    auto const& c = GetParam();
    std::uint64_t at = 5;
    auto const next = [&] {
        at += splitmix::golden;
        return static_cast<double>(splitmix::mix(at) >> 11) * 0x1p-53;
    };
    index const n = 12, d = n / c.bin;
    Model model{.window = n, .detector = d, .bin = c.bin, .likelihood = c.likelihood};
    model.slices = c.slices;
    model.slice_nm = 2;
    model.wavelength_nm = 0.025;
    model.pixel_nm = 0.1;
    Measured measured;
    measured.patterns.size = d;
    measured.patterns.positions = {{3.3, 2.8}};
    std::vector<float> counts;
    for (index i = 0; i < d * d; ++i) counts.push_back(static_cast<float>(0.01 * next()));
    measured.patterns.counts = counts;
    auto const noise = [&](index rows, index cols, double about, double width) {
        Planar<double> plane(rows, cols);
        for (index r = 0; r < rows; ++r)
            for (index k = 0; k < cols; ++k)
                plane.set(r, k, {about + width * (next() - 0.5), width * (next() - 0.5)});
        return plane;
    };
    State<double> state, way;
    for (index s = 0; s < c.slices; ++s) {
        state.object.push_back(noise(n + 8, n + 8, 0.9, 0.4));
        way.object.push_back(noise(n + 8, n + 8, 0, 1));
    }
    for (index k = 0; k < 2; ++k) {
        state.probe.push_back(noise(n, n, 20, 60));
        way.probe.push_back(noise(n, n, 0, 30));
    }
    state.positions = measured.patterns.positions;
    auto const step = make_plain_step<double>(model, measured).value();
    index const group[] = {0};
    Line line;
    step->lines(state, way, group, {&line, 1}, 1);
    auto const loss = [&](double t) {
        State<double> moved = state;
        auto const go = [&](auto& planes, auto const& by) {
            for (std::size_t s = 0; s < planes.size(); ++s)
                for (index r = 0; r < planes[s].rows(); ++r)
                    for (index i = 0; i < planes[s].cols(); ++i)
                        planes[s].set(r, i, planes[s].at(r, i) + t * by[s].at(r, i));
        };
        go(moved.object, way.object);
        go(moved.probe, way.probe);
        auto out = reserve(model, moved, 1);
        step->gradients(moved, group, {}, out, 1);
        return out.front().errors.loss;
    };
    double const h = 1e-5;
    double const slope = (8 * (loss(h) - loss(-h)) - (loss(2 * h) - loss(-2 * h))) / (12 * h);
    EXPECT_NEAR(line.slope, slope, 1e-6 * std::abs(slope));
    double const g = 1e-3;
    double const curvature =
        (16 * (loss(g) + loss(-g)) - (loss(2 * g) + loss(-2 * g)) - 30 * loss(0)) / (24 * g * g);
    EXPECT_NEAR(line.curvature, curvature, 1e-5 * std::abs(curvature));
    // The slope is also that of the gradients.
    auto out = reserve(model, state, 1);
    step->gradients(state, group, {}, out, 1);
    WindowPlace const place = place_of(state.positions[0], true);
    double sum = 0;
    for (index r = 0; r < n; ++r)
        for (index k = 0; k < n; ++k) {
            for (std::size_t s = 0; s < way.object.size(); ++s)
                sum += 2 * (std::conj(out[0].object[s].at(r, k)) *
                            way.object[s].at(place.row + r, place.col + k))
                               .real();
            for (std::size_t m = 0; m < way.probe.size(); ++m)
                sum += 2 * (std::conj(out[0].probe[m].at(r, k)) * way.probe[m].at(r, k)).real();
        }
    EXPECT_NEAR(line.slope, sum, 1e-9 * std::abs(sum));
}

INSTANTIATE_TEST_SUITE_P(All, LineTest,
                         testing::Values(LineCase{"amplitude", Likelihood::amplitude, 1, 1},
                                         LineCase{"poisson", Likelihood::poisson, 1, 1},
                                         LineCase{"gaussian", Likelihood::gaussian, 1, 1},
                                         LineCase{"thick", Likelihood::amplitude, 3, 1},
                                         LineCase{"binned", Likelihood::gaussian, 2, 2}),
                         [](auto const& info) { return info.param.name; });

}  // namespace
}  // namespace sluice::ptycho
