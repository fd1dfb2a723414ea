// The gradients of every option against finite differences of the loss, in double.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/splitmix.h"
#include "domain/ptychography/step/step.h"

namespace sluice::ptycho {
namespace {

// Uniform numbers in [0, 1) out of a counter.
struct Numbers {
    std::uint64_t at = 7;
    double operator()() {
        at += splitmix::golden;
        return static_cast<double>(splitmix::mix(at) >> 11) * 0x1p-53;
    }
};

struct Case {
    char const* name;
    Model model;
    index modes = 1;
    bool descan = false, background = false;
};

struct Setting {
    Measured measured;
    stem4d::Patterns& patterns = measured.patterns;
    State<double> state;
    Model model;

    explicit Setting(Case const& c) : model(c.model) {
        Numbers next;
        index const n = model.window, d = model.detector;
        patterns.size = d;
        patterns.positions = {{3.3, 2.8}, {4.9, 4.1}};
        std::vector<float> counts;
        for (index i = 0; i < 2 * d * d; ++i) counts.push_back(static_cast<float>(9 * next()));
        patterns.counts = counts;
        patterns.bad.assign(static_cast<std::size_t>(d * d), 0);
        patterns.bad[5] = 1;
        auto const noise = [&](index rows, index cols, double about, double width) {
            Planar<double> plane(rows, cols);
            for (index r = 0; r < rows; ++r)
                for (index k = 0; k < cols; ++k)
                    plane.set(r, k, {about + width * (next() - 0.5), width * (next() - 0.5)});
            return plane;
        };
        for (index s = 0; s < model.slices; ++s)
            state.object.push_back(noise(n + 10, n + 12, 0.8, 0.6));
        for (index k = 0; k < c.modes; ++k) state.probe.push_back(noise(n, n, 0.4, 3));
        state.positions = patterns.positions;
        if (c.descan) state.descan = {{0.3, -0.4}, {-0.2, 0.7}};
        if (c.background)
            for (index i = 0; i < d * d; ++i) state.background.push_back(0.5 + next());
    }

    Gradients<double> gradients() const {
        auto const step = make_plain_step<double>(model, measured).value();
        auto out = reserve(model, state, 1);
        index const group[] = {1};
        step->gradients(state, group, {.position = true, .descan = true, .slice_and_tilt = true},
                        out, 1);
        return std::move(out.front());
    }

    double loss() const { return gradients().errors.loss; }

    /// dL/dx by central differences of h and 2 h, whose errors of third order cancel; `change`
    /// adds to x.
    template <class Change>
    double slope(Change const& change, double h) {
        auto const moved = [&](double d) {
            change(d);
            double const found = loss();
            change(-d);
            return found;
        };
        return (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    }
};

void near(double analytic, double measured, char const* what) {
    EXPECT_NEAR(analytic, measured, 1e-6 * std::max(1.0, std::abs(measured))) << what;
}

class GradientTest : public testing::TestWithParam<Case> {};

TEST_P(GradientTest, IsThatOfFiniteDifferences) {
    Setting s(GetParam());
    auto const g = s.gradients();
    double const h = 1e-5;
    auto const by_complex = [&](Planar<double>& z, Planar<double> const& gradient, index r, index c,
                                index dr, index dc, char const* what) {
        near(2 * gradient.at(r, c).real(), s.slope([&](double d) { z.re(r + dr)[c + dc] += d; }, h),
             what);
        near(2 * gradient.at(r, c).imag(), s.slope([&](double d) { z.im(r + dr)[c + dc] += d; }, h),
             what);
    };
    WindowPlace const place = place_of(s.state.positions[1], s.model.sub_pixel);
    for (std::size_t slice = 0; slice < s.state.object.size(); ++slice)
        for (index at : {0, 3, 7})
            by_complex(s.state.object[slice], g.object[slice], at, 2 * at / 3, place.row, place.col,
                       "object");
    for (std::size_t k = 0; k < s.state.probe.size(); ++k)
        by_complex(s.state.probe[k], g.probe[k], 4, 1, 0, 0, "probe");
    if (s.model.sub_pixel) {
        near(g.position[0], s.slope([&](double d) { s.state.positions[1].row += d; }, h), "row");
        near(g.position[1], s.slope([&](double d) { s.state.positions[1].col += d; }, h), "col");
    }
    if (!s.state.descan.empty()) {
        near(g.descan[0], s.slope([&](double d) { s.state.descan[1].row += d; }, h), "descan row");
        near(g.descan[1], s.slope([&](double d) { s.state.descan[1].col += d; }, h), "descan col");
    }
    if (!s.state.background.empty())
        near(g.background[2], s.slope([&](double d) { s.state.background[2] += d; }, h),
             "background");
    if (s.model.slices > 1) {
        near(g.slice, s.slope([&](double d) { s.model.slice_nm += d; }, h), "slice");
        for (std::size_t i : {0u, 1u})
            near(g.tilt[i], s.slope([&](double d) { s.model.tilt_rad[i] += d; }, h), "tilt");
    }
}

Model plain(Likelihood likelihood) {
    return {.window = 12, .detector = 12, .likelihood = likelihood};
}
Model thick(Likelihood likelihood) {
    Model model = plain(likelihood);
    model.slices = 3;
    model.slice_nm = 2;
    model.wavelength_nm = 0.025;
    model.pixel_nm = 0.1;
    model.tilt_rad = {0.02, -0.03};
    return model;
}
Model detected(Likelihood likelihood) {
    Model model = plain(likelihood);
    model.window = 14;
    model.detector = 6;
    model.bin = 2;
    model.blur = 0.4;
    return model;
}
Model near(Likelihood likelihood) {
    Model model = plain(likelihood);
    model.propagation = stem4d::Propagation::near;
    model.distance_nm = 5;
    model.wavelength_nm = 0.025;
    model.pixel_nm = 0.1;
    return model;
}
Model near_detected() {
    Model model = near(Likelihood::poisson);
    model.window = 14;
    model.detector = 6;
    model.bin = 2;
    model.blur = 0.4;
    return model;
}
Model near_thick() {
    Model model = thick(Likelihood::amplitude);
    model.propagation = stem4d::Propagation::near;
    model.distance_nm = 5;
    return model;
}
Model whole_pixels() {
    Model model = plain(Likelihood::amplitude);
    model.sub_pixel = false;
    return model;
}

INSTANTIATE_TEST_SUITE_P(
    All, GradientTest,
    testing::Values(Case{"amplitude", plain(Likelihood::amplitude)},
                    Case{"poisson", plain(Likelihood::poisson), 3},
                    Case{"gaussian", plain(Likelihood::gaussian), 3},
                    Case{"amplitude_thick", thick(Likelihood::amplitude), 3, true},
                    Case{"poisson_thick", thick(Likelihood::poisson), 1},
                    Case{"gaussian_thick", thick(Likelihood::gaussian), 3, false, true},
                    Case{"amplitude_detected", detected(Likelihood::amplitude), 2, true, true},
                    Case{"poisson_detected", detected(Likelihood::poisson), 3, true, true},
                    Case{"gaussian_detected", detected(Likelihood::gaussian), 1, true},
                    Case{"near", near(Likelihood::amplitude), 2, false, true},
                    Case{"near_detected", near_detected(), 2, false, true},
                    Case{"near_thick", near_thick(), 1}, Case{"whole_pixels", whole_pixels(), 2}),
    [](auto const& info) { return info.param.name; });

}  // namespace
}  // namespace sluice::ptycho
