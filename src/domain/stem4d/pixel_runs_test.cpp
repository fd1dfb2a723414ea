// Masks found as stretches of rows are those that are found pixel by pixel, and their errors.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/pixel_runs.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "sluice/stem4d.h"

namespace sluice::stem4d {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(PixelRuns, AreThePixelsThatAreNotZero) {
    std::mt19937 random(5);
    for (int i = 0; i < 500; ++i) {
        planes::Grid const grid{1 + static_cast<index>(random() % 9),
                                1 + static_cast<index>(random() % 70)};
        unsigned const one_in = 1 + random() % 40;
        std::vector<float> weights(static_cast<std::size_t>(grid.rows * grid.cols));
        float const some[] = {1, -0.0F, 1e-45F, -3, inf, nan};
        for (float& w : weights)
            if (random() % one_in == 0) w = some[random() % std::size(some)];
        std::vector<std::uint8_t> inside(weights.size());
        std::uint32_t last = 0;
        for (dense::Run const& run : pixel_runs(weights, grid)) {
            index const at = run.row * grid.cols + run.col;
            ASSERT_GT(run.count, 0U);
            ASSERT_LE(run.col + run.count, static_cast<std::uint32_t>(grid.cols));
            // Each is as long as it can be.
            ASSERT_TRUE(at == 0 || run.col == 0 || at > last);
            last = static_cast<std::uint32_t>(at) + run.count;
            std::fill_n(inside.begin() + at, run.count, std::uint8_t{1});
        }
        for (std::size_t p = 0; p < weights.size(); ++p)
            ASSERT_EQ(inside[p] != 0, weights[p] != 0) << p;
    }
}

Scan scan(index bin = 1) {
    LoadOptions options;
    options.det_bin = bin;
    options.device = Device::cpu(1);
    return Scan::load(open("synthetic:stem4d?scan=6x7&detector=24x40&seed=3").value(), options)
        .value();
}

Detector with_pixels(Detector::Shape shape, Scan const& s, std::vector<float> pixels) {
    auto const [rows, cols] = s.detector_shape();
    return {.name = "d",
            .shape = shape,
            .from = {static_cast<double>(rows), static_cast<double>(cols)},
            .pixels = std::move(pixels)};
}

// Images and numbers of pixels beside sums of frames, one by one.
TEST(PixelRuns, GiveTheImagesOfEveryPixel) {
    std::vector<std::uint8_t> const bad = scan().bad_pixels();
    for (index const bin : {1, 4}) {
        Scan const s = scan(bin);
        auto const [rows, cols] = s.detector_shape();
        std::mt19937 random(9);
        for (Detector::Shape const shape : {Detector::Shape::mask, Detector::Shape::weights}) {
            std::vector<float> pixels(static_cast<std::size_t>(rows * cols));
            // A weight of its own is looked at pixel by pixel.
            for (float const other : {1.0F, 2.5F}) {
                for (float& p : pixels) p = random() % 3 == 0 ? 1.0F : 0.0F;
                pixels[3] = other, pixels[8] = -0.0F;
                Detector const d = with_pixels(shape, s, pixels);
                auto const found = virtual_image(s, std::array{d}, {});
                ASSERT_TRUE(found) << found.error().message;
                double inside = 0;
                for (std::size_t p = 0; p < bad.size(); ++p) {
                    auto const row = static_cast<index>(p) / 40, col = static_cast<index>(p) % 40;
                    auto const at = static_cast<std::size_t>(row / bin * cols + col / bin);
                    inside += !bad[p] && pixels[at] != 0;
                }
                EXPECT_EQ(found->valid_pixels[0], inside);
                for (index f = 0; f < 42; ++f) {
                    auto const values = frame(s, f / 7, f % 7).value();
                    double sum = 0;
                    for (std::size_t p = 0; p < pixels.size(); ++p)
                        sum += values.values[p] *
                               (shape == Detector::Shape::mask ? pixels[p] != 0 : pixels[p]);
                    ASSERT_EQ(found->values.values[static_cast<std::size_t>(f)], sum) << f;
                }
            }
        }
    }
}

TEST(PixelRuns, SayWhatIsWrong) {
    Scan const s = scan();
    std::vector<float> pixels(24 * 40);
    auto const said = [&](Detector::Shape shape, std::vector<float> const& values) {
        auto const found = virtual_image(s, std::array{with_pixels(shape, s, values)}, {});
        return found ? "" : found.error().message;
    };
    for (auto const shape : {Detector::Shape::mask, Detector::Shape::weights}) {
        EXPECT_NE(said(shape, pixels).find("covers no pixel"), std::string::npos);
        for (float const wrong : {nan, inf, -inf})
            for (std::size_t const at : std::array<std::size_t, 3>{0, 400, 959}) {
                auto some = pixels;
                some[3] = 1, some[at] = wrong;
                EXPECT_NE(said(shape, some).find("give finite numbers"), std::string::npos);
            }
        EXPECT_NE(said(shape, std::vector<float>(7, 1.0F)).find("pixels"), std::string::npos);
    }
}

}  // namespace
}  // namespace sluice::stem4d
