// Detectors out of text: every form, its names, and a clear message for a text that is not a
// detector. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "sluice/save.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {
namespace {

using Shape = Detector::Shape;
using Unit = Detector::Unit;

Detector parsed(std::string const& text) {
    auto d = parse_detector(text);
    EXPECT_TRUE(d) << d.error().text();
    return d ? *d : Detector{};
}

std::string fresh_file(std::string const& name) {
    auto const* const test = testing::UnitTest::GetInstance()->current_test_info();
    return testing::TempDir() + "sluice_" + std::to_string(::getpid()) + "_" + test->name() + "_" +
           name;
}

TEST(ParseDetector, Presets) {
    struct Preset {
        char const* text;
        Shape shape;
        double inner, outer;
    };
    for (Preset const& p : {Preset{"bf", Shape::disk, 0, 1},
                            {"abf", Shape::annulus, 0.5, 1},
                            {"adf", Shape::annulus, 1, 2},
                            {"haadf", Shape::annulus, 2, 4}}) {
        Detector const d = parsed(p.text);
        EXPECT_EQ(d.name, p.text);
        EXPECT_EQ(d.shape, p.shape);
        EXPECT_EQ(d.unit, Unit::disk_radii);
        EXPECT_EQ(d.inner, p.inner);
        EXPECT_EQ(d.outer, p.outer);
        EXPECT_FALSE(d.center);
    }
    Detector const d = parsed("adf:center=90.5:80");
    ASSERT_TRUE(d.center);
    EXPECT_EQ(d.center->row, 90.5);
    EXPECT_EQ(d.center->col, 80);
}

TEST(ParseDetector, DisksAndAnnuli) {
    Detector d = parsed("disk:r=20");
    EXPECT_EQ(d.shape, Shape::disk);
    EXPECT_EQ(d.unit, Unit::pixels);
    EXPECT_EQ(d.outer, 20);
    EXPECT_FALSE(d.center);
    d = parsed("disk:r=12.5,center=80.5:96");
    EXPECT_EQ(d.outer, 12.5);
    EXPECT_EQ(d.center.value().row, 80.5);
    EXPECT_EQ(d.center.value().col, 96);
    d = parsed("annulus:center=-3:96.25,r=40..90");
    EXPECT_EQ(d.shape, Shape::annulus);
    EXPECT_EQ(d.inner, 40);
    EXPECT_EQ(d.outer, 90);
    EXPECT_EQ(d.center.value().row, -3);
    EXPECT_EQ(parsed("annulus:r=7..7").inner, 7);
    EXPECT_EQ(parsed("annulus:r=0.5..1.25").outer, 1.25);
}

TEST(ParseDetector, LengthsInMrad) {
    Detector d = parsed("adf:60..200mrad");
    EXPECT_EQ(d.name, "adf:60..200mrad");
    EXPECT_EQ(d.shape, Shape::annulus);
    EXPECT_EQ(d.unit, Unit::mrad);
    EXPECT_EQ(d.inner, 60);
    EXPECT_EQ(d.outer, 200);
    d = parsed("bf:0..20mrad,center=8:9");
    EXPECT_EQ(d.shape, Shape::disk);
    EXPECT_EQ(d.unit, Unit::mrad);
    EXPECT_EQ(d.outer, 20);
    EXPECT_EQ(d.center.value().col, 9);
    EXPECT_EQ(parsed("bf:5..20").unit, Unit::pixels);
    EXPECT_EQ(parsed("bf:5..20").shape, Shape::annulus);
    EXPECT_EQ(parsed("disk:r=20mrad").unit, Unit::mrad);
    EXPECT_EQ(parsed("annulus:r=40mrad..90mrad").inner, 40);
    EXPECT_EQ(parsed("square:half=1.5mrad").outer, 1.5);
    d = parsed("rectangle:rows=-10..10mrad,cols=5..7mrad");
    EXPECT_EQ(d.unit, Unit::mrad);
    EXPECT_EQ(d.from.row, -10);
    EXPECT_EQ(d.to.col, 7);
}

TEST(ParseDetector, PointsRectanglesAndPolygons) {
    Detector d = parsed("point:row=96,col=95");
    EXPECT_EQ(d.shape, Shape::point);
    EXPECT_EQ(d.center.value().row, 96);
    EXPECT_EQ(d.center.value().col, 95);
    EXPECT_FALSE(parsed("point").center);
    d = parsed("rectangle:rows=10..20,cols=0..191");
    EXPECT_EQ(d.shape, Shape::rectangle);
    EXPECT_EQ(d.from.row, 10);
    EXPECT_EQ(d.to.row, 20);
    EXPECT_EQ(d.from.col, 0);
    EXPECT_EQ(d.to.col, 191);
    d = parsed("polygon:10:10/10:90/60.5:50");
    EXPECT_EQ(d.shape, Shape::polygon);
    ASSERT_EQ(d.corners.size(), 3u);
    EXPECT_EQ(d.corners[1].row, 10);
    EXPECT_EQ(d.corners[1].col, 90);
    EXPECT_EQ(d.corners[2].row, 60.5);
}

TEST(ParseDetector, Names) {
    EXPECT_EQ(parsed("ring=annulus:r=40..90").name, "ring");
    EXPECT_EQ(parsed("ring=annulus:r=40..90").outer, 90);
    EXPECT_EQ(parsed("bright=bf").name, "bright");
    EXPECT_EQ(parsed("bright=bf").unit, Unit::disk_radii);
    EXPECT_EQ(parsed("disk:r=20").name, "disk:r=20");
}

TEST(ParseDetector, MaskAndWeightsOutOfFiles) {
    std::string const path = fresh_file("mask.npy");
    Array<float> plane{{2, 3}, {0, 1, 0.5F, -2, 0, 7}};
    ASSERT_TRUE(save_npy(path, plane));
    for (char const* kind : {"mask", "weights"}) {
        Detector const d = parsed("name=" + std::string(kind) + ":" + path);
        EXPECT_EQ(d.name, "name");
        EXPECT_EQ(d.shape, std::string(kind) == "mask" ? Shape::mask : Shape::weights);
        EXPECT_EQ(d.pixels, plane.values);
    }
    ::unlink(path.c_str());
    auto const gone = parse_detector("mask:" + path);
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().file, path);
}

// Each message quotes the text, says what is wrong with it, and shows how it is written.
TEST(ParseDetector, WhatIsNoDetector) {
    struct Bad {
        char const* text;
        char const* why;
    };
    for (Bad const& b : {Bad{"", "unknown shape ''"},
                         {"bright", "unknown shape 'bright'"},
                         {"BF", "unknown shape 'BF'"},
                         {"x=", "unknown shape ''"},
                         {"circle:r=3", "unknown shape 'circle'"},
                         {"disk", "disk needs r="},
                         {"disk:", "disk needs r="},
                         {"disk:20", "'20' is not key=value"},
                         {"disk:r=", "'' is not a number"},
                         {"disk:r=20px", "'20px' is not a number"},
                         {"disk:r=20,,center=1:1", "'' is not key=value"},
                         {"disk:r=20,centre=1:1", "disk has no 'centre'"},
                         {"disk:r=20,center=1", "'1' lacks ':'"},
                         {"disk:r=20,center=a:1", "'a' is not a number"},
                         {"disk:r=-1", "radii 0 to -1"},
                         {"annulus:r=40", "'40' lacks '..'"},
                         {"annulus:r=90..40", "radii 90 to 40"},
                         {"annulus:r=-2..40", "radii -2 to 40"},
                         {"annulus:r=1...2", "radii 1 to 0.2"},
                         {"bf:r=20", "bf has no 'r'"},
                         {"bf:20mrad", "'20mrad' lacks '..'"},
                         {"adf:60..200mm", "'200mm' is not a number"},
                         {"adf:60..200mrad,1..2", "'1..2' is not key=value"},
                         {"disk:20..30mrad", "'20..30mrad' is not key=value"},
                         {"annulus:r=40mrad..90", "some of its numbers are in mrad"},
                         {"disk:r=20,center=1mrad:2", "'1mrad' is not a number"},
                         {"rectangle:rows=1..2mrad,cols=3..4", "some of its numbers are in mrad"},
                         {"point:row=4", "point needs col="},
                         {"square", "square needs half="},
                         {"square:half=-1", "radii 0 to -1"},
                         {"disk:r=20,r=30", "'r' is given twice"},
                         {"rectangle:rows=1..2", "rectangle needs cols="},
                         {"rectangle:rows=1-2,cols=3..4", "'1-2' lacks '..'"},
                         {"rectangle:rows=2..1,cols=3..4", "the smaller number comes first"},
                         {"rectangle:rows=1..2,cols=4..3", "the smaller number comes first"},
                         {"rectangle:rows=1..2,cols=3..4,center=1:1", "rectangle has no 'center'"},
                         {"polygon:", "three corners"},
                         {"polygon:1:1/2:2", "three corners"},
                         {"polygon:1:1/2:2/3", "'3' lacks ':'"},
                         {"polygon:1:1//2:2/3:3", "'' lacks ':'"}}) {
        auto const d = parse_detector(b.text);
        ASSERT_FALSE(d) << b.text;
        EXPECT_EQ(d.error().code, Code::invalid_argument);
        std::string const& m = d.error().message;
        EXPECT_EQ(m.rfind("detector '" + std::string(b.text) + "': ", 0), 0u) << m;
        EXPECT_NE(m.find(b.why), std::string::npos) << b.text << ": " << m;
        EXPECT_NE(m.find("write for example bf"), std::string::npos) << m;
    }
}

TEST(ParseDetector, NumbersThatAreNone) {
    for (char const* text :
         {"disk:r=nan", "disk:r=inf", "disk:r=20,center=nan:3", "annulus:r=nan..3",
          "point:row=inf,col=2", "square:half=nan", "polygon:nan:1/2:2/3:3"})
        EXPECT_FALSE(parse_detector(text)) << text;
}

}  // namespace
}  // namespace sluice::stem4d
