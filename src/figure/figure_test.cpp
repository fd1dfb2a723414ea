// Tests of figures; they leave example pictures in the test's temporary folder.
// SPDX-License-Identifier: Apache-2.0
#include "figure/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "figure/render.h"
#include "figure/theme.h"

namespace sluice::figure {
namespace {

constexpr double pi = std::numbers::pi;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Where example figures go: $SLUICE_FIGURES, to be looked at, or nowhere.
void show(std::string const& name, Drawing const& drawing) {
    char const* folder = std::getenv("SLUICE_FIGURES");
    if (folder == nullptr) return;
    for (char const* const ending : {".png", ".svg", ".pdf"})
        EXPECT_TRUE(save_drawing(std::string(folder) + "/" + name + ending, drawing));
}

Picture drawn(Drawing const& drawing) {
    return picture_of(drawing).value();
}

template <class F>
Array<float> made(index rows, index cols, F f) {
    Array<float> a = Array<float>::zeros({rows, cols});
    for (index row = 0; row < rows; ++row)
        for (index col = 0; col < cols; ++col)
            view<2>(a)(row, col) =
                static_cast<float>(f(static_cast<double>(row), static_cast<double>(col)));
    return a;
}

/// Blobs on a hexagonal lattice, as an annular detector shows atoms.
Array<float> lattice(index side) {
    return made(side, side, [](double row, double col) {
        double const a = 14, k = 4 * pi / (std::sqrt(3.0) * a);
        double v = 0;
        for (int i = 0; i < 3; ++i)
            v += std::cos(k * (col * std::cos(i * pi / 3) + row * std::sin(i * pi / 3)));
        return 800 + 240 * std::exp(1.2 * v) + 120 * std::sin(row * 0.11 + col * 0.07);
    });
}

Array<float> disk(index side) {
    return made(side, side, [side](double row, double col) {
        double const c = static_cast<double>(side) / 2, r = std::hypot(row - c, col - c);
        double v = 4e4 / (1 + std::exp((r - c * 0.3) / 1.2)) + 600 * std::exp(-r / 22) + 0.02;
        for (int i = 0; i < 6; ++i) {
            double const x = c + c * 0.72 * std::cos(i * pi / 3 + 0.2);
            double const y = c + c * 0.72 * std::sin(i * pi / 3 + 0.2);
            v += 500 / (1 + std::exp((std::hypot(row - y, col - x) - c * 0.16) / 1.2));
        }
        return v;
    });
}

TEST(Figure, Example) {
    Array<float> const atoms = lattice(128), diffraction = disk(192);
    auto const vortex = [](bool down) {
        return made(128, 128, [down](double row, double col) {
            double v[2] = {0, 0};
            for (int i = 0; i < 4; ++i) {
                double const dy = row - (i / 2 == 0 ? 34 : 94), dx = col - (i % 2 == 0 ? 34 : 94);
                double const r = std::hypot(dx, dy) + 1e-9;
                double const s =
                    (i == 0 || i == 3 ? 1 : -1) * std::tanh(r / 8) * std::exp(-r * r / 1600) / r;
                v[0] += s * dx;
                v[1] -= s * dy;
            }
            return down ? v[0] : v[1];
        });
    };
    Array<float> const down = vortex(true), right = vortex(false);
    Array<float> holes = lattice(64);
    for (index i = 0; i < 12; ++i) view<2>(holes)(30 + i, 20 + i) = nan;
    std::vector<Drawing> panels;
    panels.push_back(render(view<2>(atoms), {.title = "Annular dark field, 60–180 mrad",
                                             .unit = "e⁻",
                                             .step = PixelStep{0.021, "nm"},
                                             .exact_side = true,
                                             .margin = 0}));
    panels.push_back(render(view<2>(diffraction), {.map = Map::ember,
                                                   .scale = Scale::log,
                                                   .title = "Mean diffraction",
                                                   .unit = "e⁻",
                                                   .step = PixelStep{0.52, "mrad"},
                                                   .exact_side = true,
                                                   .margin = 0}));
    panels.push_back(colour_wheel(view<2>(down), view<2>(right),
                                  {.title = "Centre of mass",
                                   .unit = "mrad",
                                   .step = PixelStep{12.5, "nm"},
                                   .exact_side = true,
                                   .margin = 0}));
    panels.push_back(render(view<2>(right), {.map = Map::balance,
                                             .title = "Centre of mass, x",
                                             .unit = "mrad",
                                             .step = PixelStep{0.3, "Å"},
                                             .exact_side = true,
                                             .margin = 0}));
    panels.push_back(render(view<2>(diffraction), {.map = Map::meadow,
                                                   .scale = Scale::power,
                                                   .power = 0.4,
                                                   .title = "Largest count of every pixel",
                                                   .unit = "counts",
                                                   .step = PixelStep{0.06, "1/nm"},
                                                   .exact_side = true,
                                                   .margin = 0}));
    panels.push_back(render(view<2>(std::as_const(holes)), {.map = Map::dusk,
                                                            .title = "With points missing",
                                                            .step = PixelStep{},
                                                            .exact_side = true,
                                                            .margin = 0}));
    Drawing const sheets = grid(panels, 3, "overview  scan_0042.h5",
                                "256 × 256 scan points of 192 × 192 pixels, 300 kV, 1.8 µs dwell. "
                                "Å, µm, mrad, 10⁻³, ±0.5°; source /data/2024-11-05/scan_0042.h5, "
                                "sluice 0.1.0, sluice image scan_0042.h5 --all --out figures/");
    show("grid", sheets);
    Picture const page = drawn(sheets);
    show("single", render(view<2>(diffraction), {.map = Map::ember,
                                                 .scale = Scale::log,
                                                 .title = "Mean diffraction pattern",
                                                 .unit = "e⁻",
                                                 .step = PixelStep{0.52, "mrad"}}));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(pixel(page, page.rows - 1 - i, i), background);
    EXPECT_GT(page.cols, 3 * 512);
    EXPECT_GT(page.rows, 2 * 512);
    EXPECT_LT(page.cols, 3 * 680);
}

/// A style without anything around the image.
Style bare() {
    return {.limits = Limits{0, 1}, .colour_bar = false, .margin = 0};
}

TEST(Figure, SmallImagesGrowByWholeFactorsAndLargeOnesAreAveraged) {
    struct Case {
        index rows, cols, want_rows, want_cols;
    };
    for (Case const& c : {Case{64, 64, 512, 512}, Case{1, 1, 512, 512}, Case{100, 300, 200, 600},
                          Case{512, 512, 512, 512}, Case{1000, 700, 1000, 700},
                          Case{4096, 4096, 1024, 1024}, Case{1025, 3, 513, 2}}) {
        Array<float> const a = Array<float>::zeros({c.rows, c.cols});
        Picture const p = drawn(render(view<2>(a), bare()));
        EXPECT_EQ(p.rows, c.want_rows + 2);  // a line of frame on each side
        EXPECT_EQ(p.cols, c.want_cols + 2);
        Style exact = bare();
        exact.exact_side = true;
        Picture const q = drawn(render(view<2>(a), exact));
        EXPECT_EQ(std::max(q.rows, q.cols), 514) << c.rows << " " << c.cols;
    }
}

TEST(Figure, ValuesBecomeColours) {
    Array<float> const a{{2, 2}, {0, 1, nan, 0.5f}};
    Picture const p = drawn(render(view<2>(a), bare()));
    EXPECT_EQ(pixel(p, 100, 100), (Rgb{0, 0, 0}));
    EXPECT_EQ(pixel(p, 100, 400), (Rgb{255, 255, 255}));
    EXPECT_EQ(pixel(p, 400, 100), no_data);
    EXPECT_EQ(pixel(p, 400, 400), (Rgb{128, 128, 128}));
}

TEST(Figure, MeansLeaveOutWhatIsNoNumber) {
    Array<float> a = Array<float>::zeros({2048, 2048});
    for (auto& v : a.values) v = nan;
    a.values[0] = 1;
    Picture const p = drawn(render(view<2>(std::as_const(a)), bare()));
    EXPECT_EQ(pixel(p, 1, 1), (Rgb{255, 255, 255}));
    EXPECT_EQ(pixel(p, 1, 2), no_data);
}

/// Pixels in a part of a picture that are brighter than its background.
index ink(Picture const& p, Box box) {
    index n = 0;
    for (index row = box.top; row < box.bottom(); ++row)
        for (index col = box.left; col < box.right(); ++col) n += pixel(p, row, col).g > 90;
    return n;
}

TEST(Figure, TextsStandAroundTheImage) {
    Array<float> const zero = Array<float>::zeros({64, 64});
    Style style{.limits = Limits{0, 1}, .title = std::string(500, 'm'), .step = PixelStep{}};
    Picture const p = drawn(render(view<2>(zero), style));
    // The image is 512 pixels wide behind a margin of 16 and a line.
    EXPECT_GT(ink(p, {16, 17, 20, 512}), 1000) << "the title";
    EXPECT_EQ(ink(p, {16, 530, 20, p.cols - 530}), 0) << "it is shortened";
    EXPECT_GT(ink(p, {p.rows - 90, 17, 60, 200}), 100) << "the scale bar";
    EXPECT_GT(ink(p, {50, 565, p.rows - 60, p.cols - 566}), 200) << "the labels of the colour bar";
    style.title.clear(), style.colour_bar = false, style.step = {};
    Picture const bare = drawn(render(view<2>(zero), style));
    EXPECT_EQ(ink(bare, {0, 0, bare.rows, bare.cols}), 0);
}

TEST(Figure, Limits) {
    Array<float> const a{{1, 5}, {-2, 0, 1, 5, nan}};
    EXPECT_EQ(limits_for(view<2>(a), {.low_percentile = 0, .high_percentile = 100}).low, -2);
    Limits const even =
        limits_for(view<2>(a), {.map = Map::balance, .low_percentile = 0, .high_percentile = 100});
    EXPECT_EQ(even.low, -5);
    EXPECT_EQ(even.high, 5);
    EXPECT_EQ(limits_for(view<2>(a), {.scale = Scale::log, .low_percentile = 0}).low, 1);
    EXPECT_EQ(limits_for(view<2>(a), {.limits = Limits{3, 4}}).high, 4);
}

TEST(Figure, AnyArrayCanBeDrawn) {
    float const inf = std::numeric_limits<float>::infinity();
    float const most = std::numeric_limits<float>::max();
    for (auto const& values : std::vector<std::vector<float>>{
             {nan, nan}, {0, 0}, {inf, -inf}, {most, -most}, {-3, -1}, {1e-44f, 0}})
        for (Scale scale : {Scale::linear, Scale::log, Scale::power})
            for (Map map : {Map::gray, Map::balance, Map::phase})
                for (auto const& [rows, cols] : {std::pair<index, index>{1, 2}, {2, 1}}) {
                    View<float const, 2> const v(values.data(), {rows, cols});
                    Style const style{.map = map,
                                      .scale = scale,
                                      .title = std::string(500, 'm'),
                                      .unit = "e⁻",
                                      .step = PixelStep{1e-30, "nm"},
                                      .least_side = 60};
                    EXPECT_GT(render(v, style).rows, 0);
                    EXPECT_GT(colour_wheel(v, v, style).rows, 0);
                }
    Array<float> const wide = Array<float>::zeros({1, 5000});
    EXPECT_GT(render(view<2>(wide), {.step = PixelStep{}}).rows, 0);
}

TEST(ColourWheel, PositiveRowsPointDown) {
    Array<float> const down{{1, 2}, {1, 0}}, right{{1, 2}, {0, 2}};
    Style const style{.limits = Limits{0, 2}, .colour_bar = false, .margin = 0};
    Picture const p = drawn(colour_wheel(view<2>(down), view<2>(right), style));
    EXPECT_EQ(pixel(p, 100, 100), vector_colour(-0.5, 0));
    EXPECT_EQ(pixel(p, 100, 400), vector_colour(0, 1));
}

TEST(Grid, PlacesPanels) {
    std::vector<Drawing> const panels = {sheet(50, 40, {255, 0, 0}), sheet(30, 60, {0, 255, 0}),
                                         sheet(20, 20, {0, 0, 255})};
    Picture const p = drawn(grid(panels, 2));
    EXPECT_EQ(p.cols, 28 + 40 + 26 + 60 + 28);
    EXPECT_EQ(p.rows, 28 + 50 + 26 + 20 + 28);
    EXPECT_EQ(pixel(p, 28, 28), (Rgb{255, 0, 0}));
    EXPECT_EQ(pixel(p, 28, 28 + 40 + 26), (Rgb{0, 255, 0}));
    EXPECT_EQ(pixel(p, 28 + 50 + 26, 28), (Rgb{0, 0, 255}));
    EXPECT_EQ(pixel(p, 27, 27), background);
    EXPECT_GT(grid(panels, 9, "heading", "caption of several words").rows, p.rows - 46);
}

}  // namespace
}  // namespace sluice::figure
