// Tests of templates: their slopes, their fits, their files.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "sluice/memory_dataset.h"
#include "sluice/probe_template.h"

namespace sluice::stem4d {
namespace {

// A disk with a wavy edge, drawn without the code that is tested.
struct Drawn {
    double radius = 12, width = 1.2, cos2 = 0, sin3 = 0;
    double at(double row, double col) const {
        double const phi = std::atan2(col, row);
        double const edge = radius * (1 + cos2 * std::cos(2 * phi) + sin3 * std::sin(3 * phi));
        return 1 / (1 + std::exp(4 * (std::hypot(row, col) - edge) / width));
    }
    Array<double> image(index side, Point center, double height, double under) const {
        auto out = Array<double>::zeros({side, side});
        for (index i = 0; i < side * side; ++i)
            out.values[static_cast<std::size_t>(i)] =
                under + height * at(static_cast<double>(i / side) - center.row,
                                    static_cast<double>(i % side) - center.col);
        return out;
    }
};

void add_noise(Array<double>& image, unsigned seed) {
    std::mt19937 random(seed);
    for (double& v : image.values)
        v = v > 0 ? static_cast<double>(std::poisson_distribution<int>(v)(random)) : 0;
}

void expect_slopes(ProbeTemplate const& t) {
    for (double const row : {-9.3, 0.4, 7.9})
        for (double const col : {-8.2, 0.1, 5.5}) {
            auto const v = t.value_and_slopes(row, col);
            constexpr double h = 1e-5;
            EXPECT_NEAR(v[1], (t.value(row + h, col) - t.value(row - h, col)) / (2 * h), 1e-6);
            EXPECT_NEAR(v[2], (t.value(row, col + h) - t.value(row, col - h)) / (2 * h), 1e-6);
        }
    EXPECT_LT(std::abs(t.value(t.reach() + 0.01, 0)), 1.1e-3);
}

TEST(ProbeTemplate, SlopesAreThoseOfTheValue) {
    auto t = synthetic_template(9, 1.5).value();
    expect_slopes(t);
    t.harmonics = {{0.05, -0.02}, {0.01, 0.03}};
    expect_slopes(t);
    t.harmonics.clear();
    for (int i = 0; i < 60; ++i) t.profile.push_back(1 / (1 + std::exp((0.25 * i - 9) * 2)));
    expect_slopes(t);
    EXPECT_FALSE(synthetic_template(0));
    EXPECT_FALSE(synthetic_template(3, -1));
    EXPECT_FALSE(synthetic_template(std::nan(""), 1));
}

TEST(FitTemplate, FindsRadiusAndWidth) {
    for (auto const& [radius, width] : {std::array{12.0, 1.2}, {5.0, 1.0}, {20.0, 4.0}}) {
        Drawn const drawn{radius, width};
        auto const clean = fit_template(drawn.image(96, {47.3, 48.9}, 100, 2)).value();
        EXPECT_NEAR(clean.probe.radius, radius, 0.001);
        EXPECT_NEAR(clean.probe.edge_width, width, 0.005);
        EXPECT_NEAR(clean.disk.center.row, 47.3, 0.001);
        EXPECT_NEAR(clean.disk.center.col, 48.9, 0.001);
    }
}

// Errors are as large as they say.
TEST(FitTemplate, ErrorsAreThoseOfManyFits) {
    Drawn const drawn{8, 1};
    double chi2 = 0, chi2_width = 0;
    constexpr int fits = 30;
    for (unsigned i = 0; i < fits; ++i) {
        auto image = drawn.image(64, {31.1 + 0.03 * i, 32.7}, 30, 0.5);
        add_noise(image, i);
        auto const f = fit_template(image).value();
        chi2 += std::pow((f.probe.radius - 8) / f.radius_error, 2) / fits;
        chi2_width += std::pow((f.probe.edge_width - 1) / f.edge_width_error, 2) / fits;
    }
    EXPECT_NEAR(chi2, 1, 0.7);
    EXPECT_NEAR(chi2_width, 1, 0.8);
}

TEST(FitTemplate, FindsHarmonics) {
    Drawn const drawn{15, 1.2, 0.03, -0.02};
    auto const f =
        fit_template(drawn.image(96, {47.3, 48.9}, 100, 2), {}, {.harmonics = 3}).value();
    EXPECT_NEAR(f.probe.radius, 15, 0.002);
    EXPECT_NEAR(f.probe.harmonics[0][0], 0.03, 2e-4);
    EXPECT_NEAR(f.probe.harmonics[1][1], -0.02, 2e-4);
    EXPECT_NEAR(f.probe.harmonics[2][0], 0, 2e-4);
    EXPECT_LT(f.residual, 0.002);
    EXPECT_FALSE(fit_template(drawn.image(96, {47, 48}, 100, 2), {}, {.harmonics = 17}));
}

TEST(FitTemplate, ProfilesFollowTheEdge) {
    Drawn const drawn{12, 2};
    auto const f =
        fit_template(drawn.image(96, {47.3, 48.9}, 100, 2), {}, {.profile = true}).value();
    EXPECT_NEAR(f.probe.radius, 12, 0.02);
    for (double r = 8; r < 16; r += 0.3) EXPECT_NEAR(f.probe.value(r, 0), drawn.at(r, 0), 0.02);
}

TEST(FitTemplate, CutDisksAreRefused) {
    auto const f = fit_template(Drawn{}.image(96, {8, 48}, 100, 2));
    ASSERT_FALSE(f);
}

// A disk that wanders blurs the mean pattern, and not the template.
TEST(FitTemplate, ScansArePooledAboutTheirCentres) {
    Drawn const drawn{8, 1};
    std::vector<float> values;
    for (unsigned i = 0; i < 36; ++i) {
        auto image = drawn.image(64, {31 + 2 * std::sin(0.7 * i), 32 + 0.05 * i}, 60, 0.3);
        add_noise(image, i);
        values.insert(values.end(), image.values.begin(), image.values.end());
    }
    auto dataset = from_memory({values.data(), DType::f32, {6, 6, 64, 64}, {}, {}, "memory"});
    Scan const scan = Scan::load(std::move(dataset).value()).value();
    auto const edge = fit_template(scan).value();
    EXPECT_NEAR(edge.probe.radius, 8, 5 * edge.radius_error + 0.001);
    EXPECT_NEAR(edge.probe.edge_width, 1, 5 * edge.edge_width_error + 0.005);
    auto const profile = fit_template(scan, {.profile = true}).value();
    for (double r = 5; r < 11; r += 0.3)
        EXPECT_NEAR(profile.probe.value(r, 0), drawn.at(r, 0), 0.02);
}

class Files : public testing::Test {
  protected:
    // Tests of this suite run at once.
    std::string path = testing::TempDir() + "template_" + std::to_string(::getpid()) + ".json";
    Result<ProbeTemplate> load(std::string const& text) {
        std::ofstream(path) << text;
        return load_template(path);
    }
    void TearDown() override { std::filesystem::remove(path); }
};

TEST_F(Files, KeepAllOfATemplate) {
    auto t = synthetic_template(9, 1.5).value();
    t.harmonics = {{0.05, -0.02}};
    ASSERT_TRUE(save_template(path, t));
    auto const back = load_template(path).value();
    EXPECT_EQ(back.radius, t.radius);
    EXPECT_EQ(back.edge_width, t.edge_width);
    EXPECT_EQ(back.harmonics, t.harmonics);
    EXPECT_EQ(back.source, t.source);
    t.harmonics.clear();
    t.profile = {1, 0.5, 0.1};
    t.profile_step = 0.5;
    ASSERT_TRUE(save_template(path, t));
    EXPECT_EQ(load_template(path).value().profile, t.profile);
    EXPECT_EQ(load_template(path).value().profile_step, 0.5);
}

TEST_F(Files, WrongOnesAreRefusedByTheirKey) {
    std::string const start = R"({"kind":"probe template","radius":)";
    EXPECT_TRUE(load(start + R"(8,"edge_width":1})"));
    for (char const* const rest :
         {R"(8})", R"(-1,"edge_width":1})", R"("8","edge_width":1})", R"(8,"edge_width":1e300})",
          R"(8,"edge_width":1,"harmonics":[1]})", R"(8,"edge_width":1,"profile":["a"]})",
          R"(8,"edge_width":1,"profile":[1],"profile_step":0})",
          R"(8,"edge_width":1,"harmonics":{}})", R"(8)", ""})
        EXPECT_FALSE(load(start + rest)) << rest;
    EXPECT_FALSE(load("[]"));
    EXPECT_FALSE(load_template(path + ".none"));
}

}  // namespace
}  // namespace sluice::stem4d
