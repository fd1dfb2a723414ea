// A pixel belongs to a detector when its centre is inside or exactly on an edge.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "sluice/stem4d.h"

namespace sluice::stem4d {
namespace {

using Pixels = std::vector<std::pair<index, index>>;

Array<float> drawn(std::string const& text, index rows = 64, index cols = 64,
                   Disk const& disk = {{32, 32}, 10}) {
    auto const d = parse_detector(text);
    EXPECT_TRUE(d) << d.error().text();
    auto const out = rasterize(*d, {rows, cols}, disk);
    EXPECT_TRUE(out) << text << ": " << out.error().text();
    return out ? *out : Array<float>::zeros({rows, cols});
}

Pixels pixels_of(Array<float> const& a) {
    Pixels out;
    for (index r = 0; r < a.shape[0]; ++r)
        for (index c = 0; c < a.shape[1]; ++c)
            if (a.values[static_cast<std::size_t>(r * a.shape[1] + c)] != 0) out.emplace_back(r, c);
    return out;
}

// In whole numbers, so that there is no rounding to argue about.
index count_between(index inner, index outer, index reach) {
    index n = 0;
    for (index r = -reach; r <= reach; ++r)
        for (index c = -reach; c <= reach; ++c)
            n += r * r + c * c >= inner * inner && r * r + c * c <= outer * outer;
    return n;
}

TEST(Rasterize, DiskOfOneAboutAPixelHasFive) {
    EXPECT_EQ(pixels_of(drawn("disk:r=1,center=5:7")),
              (Pixels{{4, 7}, {5, 6}, {5, 7}, {5, 8}, {6, 7}}));
    EXPECT_EQ(pixels_of(drawn("disk:r=0,center=5:7")), (Pixels{{5, 7}}));
    EXPECT_EQ(pixels_of(drawn("disk:r=0.5,center=5.5:7")), (Pixels{{5, 7}, {6, 7}}));
}

TEST(Rasterize, WholeRadiiAsCountedInWholeNumbers) {
    for (index r : {1, 2, 5, 13, 20, 25, 31})
        EXPECT_EQ(std::ssize(pixels_of(drawn("disk:r=" + std::to_string(r)))),
                  count_between(0, r, 31))
            << r;
    for (auto const& [a, b] : {std::pair<index, index>{0, 5}, {5, 5}, {5, 10}, {13, 25}, {20, 31}})
        EXPECT_EQ(std::ssize(pixels_of(
                      drawn("annulus:r=" + std::to_string(a) + ".." + std::to_string(b)))),
                  count_between(a, b, 31))
            << a << ".." << b;
    // Two annuli that touch share the pixels on the edge between them.
    Array<float> const in = drawn("annulus:r=0..5"), out = drawn("annulus:r=5..10");
    index both = 0;
    for (std::size_t i = 0; i < in.values.size(); ++i)
        both += in.values[i] != 0 && out.values[i] != 0;
    EXPECT_EQ(both, 12);  // (0, 5) and (3, 4) in all directions
}

TEST(Rasterize, RadiiThatAreNoFractionsOfTwoKeepTheirEdge) {
    // 0.1 + 0.2 is not 0.3 in floating point; the pixel at 0.3 is on the edge all the same.
    EXPECT_EQ(pixels_of(drawn("disk:r=0.3,center=5.3:7")), (Pixels{{5, 7}}));
    EXPECT_EQ(pixels_of(drawn("disk:r=0.7,center=5.3:7")), (Pixels{{5, 7}, {6, 7}}));
    EXPECT_EQ(pixels_of(drawn("annulus:r=0.3..0.7,center=5.3:7")), (Pixels{{5, 7}, {6, 7}}));
}

TEST(Rasterize, PresetsScaleWithTheDisk) {
    Disk const disk{{30, 31}, 6};
    EXPECT_EQ(drawn("bf", 64, 64, disk).values, drawn("disk:r=6,center=30:31").values);
    EXPECT_EQ(drawn("abf", 64, 64, disk).values, drawn("annulus:r=3..6,center=30:31").values);
    EXPECT_EQ(drawn("adf", 64, 64, disk).values, drawn("annulus:r=6..12,center=30:31").values);
    EXPECT_EQ(drawn("haadf", 64, 64, disk).values, drawn("annulus:r=12..24,center=30:31").values);
    EXPECT_EQ(drawn("bf:center=20:21", 64, 64, disk).values, drawn("disk:r=6,center=20:21").values);
}

TEST(Rasterize, Points) {
    EXPECT_EQ(pixels_of(drawn("point:row=3,col=4")), (Pixels{{3, 4}}));
    EXPECT_EQ(pixels_of(drawn("point:row=3.4,col=4.6")), (Pixels{{3, 5}}));
    EXPECT_EQ(pixels_of(drawn("point", 64, 64, {{11.2, 12.9}, 5})), (Pixels{{11, 13}}));
}

TEST(Rasterize, RectanglesAndSquares) {
    EXPECT_EQ(pixels_of(drawn("rectangle:rows=2..3,cols=5..6")),
              (Pixels{{2, 5}, {2, 6}, {3, 5}, {3, 6}}));
    EXPECT_EQ(pixels_of(drawn("rectangle:rows=2..2,cols=5..5")), (Pixels{{2, 5}}));
    EXPECT_EQ(pixels_of(drawn("rectangle:rows=1.5..2.5,cols=4.6..5.4")), (Pixels{{2, 5}}));
    EXPECT_EQ(pixels_of(drawn("rectangle:rows=-9..0,cols=63..900")), (Pixels{{0, 63}}));
    EXPECT_EQ(pixels_of(drawn("square:half=10", 64, 64, {{30, 30}, 5})).size(), 21u * 21u);
    EXPECT_EQ(pixels_of(drawn("square:half=0.5,center=8.5:9.5")),
              (Pixels{{8, 9}, {8, 10}, {9, 9}, {9, 10}}));
}

TEST(Rasterize, SquareOfOnePixelIsAtItsCentre) {
    EXPECT_EQ(pixels_of(drawn("square:half=0,center=8:9")), (Pixels{{8, 9}}));
    EXPECT_EQ(pixels_of(drawn("square:half=0", 64, 64, {{8, 9}, 5})), (Pixels{{8, 9}}));
}

TEST(Rasterize, PolygonsWithTheirEdges) {
    // Corners, edges and inside, whatever the direction of the corners.
    EXPECT_EQ(pixels_of(drawn("polygon:2:2/2:4/4:4/4:2")).size(), 9u);
    EXPECT_EQ(pixels_of(drawn("polygon:2:2/4:2/4:4/2:4")).size(), 9u);
    EXPECT_EQ(
        pixels_of(drawn("polygon:0:0/0:3/3:0")),
        (Pixels{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {3, 0}}));
    // An arrow with a notch whose tip is (4, 4).
    Array<float> const arrow = drawn("polygon:0:0/4:4/8:0/4:8");
    EXPECT_EQ(arrow.values[4 * 64 + 4], 1);
    EXPECT_EQ(arrow.values[4 * 64 + 3], 0);
    EXPECT_EQ(arrow.values[4 * 64 + 5], 1);
}

TEST(Rasterize, MaskAndWeights) {
    Detector d;
    d.name = "mine";
    d.from = {2, 3};
    d.pixels = {0, 1, 0.5F, -2, 0, 7};
    d.shape = Detector::Shape::mask;
    EXPECT_EQ(rasterize(d, {2, 3}, {}).value().values, (std::vector<float>{0, 1, 1, 1, 0, 1}));
    d.shape = Detector::Shape::weights;
    EXPECT_EQ(rasterize(d, {2, 3}, {}).value().values, d.pixels);
    auto const turned = rasterize(d, {3, 2}, {});
    ASSERT_FALSE(turned);
    EXPECT_EQ(turned.error().code, Code::invalid_argument);
    EXPECT_NE(turned.error().message.find("'mine' has 2x3 pixels (the data have 3x2)"),
              std::string::npos)
        << turned.error().message;
    for (float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        d.pixels[2] = bad;
        for (auto shape : {Detector::Shape::mask, Detector::Shape::weights}) {
            d.shape = shape;
            EXPECT_FALSE(rasterize(d, {2, 3}, {}));
        }
    }
}

TEST(Rasterize, ADetectorWithoutAPixelIsAnError) {
    for (char const* text :
         {"disk:r=3,center=-10:5", "disk:r=0.2,center=5.5:5.5", "point:row=64,col=0",
          "annulus:r=500..600", "rectangle:rows=64..70,cols=0..3",
          "polygon:100:100/110:100/110:110"}) {
        auto const out = rasterize(parse_detector(text).value(), {64, 64}, {{32, 32}, 10});
        ASSERT_FALSE(out) << text;
        EXPECT_EQ(out.error().code, Code::invalid_argument);
        EXPECT_NE(out.error().message.find("covers no pixel of the 64x64 detector"),
                  std::string::npos);
        EXPECT_NE(out.error().message.find(text), std::string::npos) << out.error().message;
    }
}

TEST(Rasterize, TheErrorNamesAPlaceThatTheDetectorHas) {
    auto const message = [](char const* text) {
        return rasterize(parse_detector(text).value(), {64, 64}, {{32, 32}, 10}).error().message;
    };
    for (auto const& [text, place] :
         {std::pair{"rectangle:rows=64..70,cols=0..3",
                    "its own rows are 64 to 70 and its columns 0 to 3"},
          {"polygon:100:110/110:105/107:120",
           "its own rows are 100 to 110 and its columns 105 to 120"},
          {"disk:r=2,center=90:80", "its own centre is row 90.0, column 80.0"},
          {"annulus:r=500..600", "its own centre is row 32.0, column 32.0"}})
        EXPECT_NE(message(text).find(place), std::string::npos) << message(text);
}

}  // namespace
}  // namespace sluice::stem4d
