// Structures: contours, holes, volumes, and what is wrong with them.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/structures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "format/dicom/structures.h"
#include "format/dicom/test_dicom.h"

namespace sluice::dicom {
namespace {

Dataset square(double half, double z) {
    Dataset c;
    set(c, tags::contour_type, "CLOSED_PLANAR");
    set(c, tags::contour_points, "4");
    set(c, tags::contour_data,
        fmt::format("{0}\\{0}\\{2}\\{1}\\{0}\\{2}\\{1}\\{1}\\{2}\\{0}\\{1}\\{2}", -half, half, z));
    return c;
}

Dataset structures_dataset() {
    Dataset d, first, second, contours, observed;
    set(d, tags::sop_class, std::string(classes::structures));
    set(d, tags::structure_label, "all");
    set(first, tags::structure_number, "5");
    set(first, tags::structure_name, "shell");
    set(first, tags::structure_frame, "1.2.9");
    set(second, tags::structure_number, "6");
    set(second, tags::structure_name, "empty");
    set(d, tags::structures, std::vector{first, second});
    set(contours, tags::ref_structure, "5");
    std::vector<Dataset> all;
    for (double const z : {0.0, 2.0, 4.0}) {
        all.push_back(square(10, z));
        all.push_back(square(5, z));
    }
    set(contours, tags::contours, all);
    set(d, tags::structure_contours, std::vector{contours});
    set(observed, tags::ref_structure, "5");
    set(observed, tags::interpreted_type, "PTV");
    set(d, tags::observations, std::vector{observed});
    return d;
}

TEST(Structures, HaveContoursAndVolumes) {
    std::string const path = testing::TempDir() + "/sluice_structures.dcm";
    write_file(path, structures_dataset());
    StructureSet const s = load_structures(path).value();
    EXPECT_EQ(s.label, "all");
    EXPECT_EQ(s.frame_of_reference, "1.2.9");
    ASSERT_EQ(s.structures.size(), 2u);
    EXPECT_EQ(s.structures[0].name, "shell");
    EXPECT_EQ(s.structures[0].type, "PTV");
    ASSERT_EQ(s.structures[0].contours.size(), 6u);
    EXPECT_EQ(s.structures[0].contours[2][2], (std::array<double, 3>{10, 10, 2}));
    // The inner square is a hole: 400 - 100 mm2, three planes of 2 mm.
    EXPECT_NEAR(volume_cm3(s.structures[0]), 1.8, 1e-9);
    EXPECT_TRUE(s.structures[1].contours.empty());
    EXPECT_EQ(volume_cm3(s.structures[1]), 0);
}

TEST(Structures, AnIslandInAHoleCounts) {
    Structure s;
    for (double const z : {0.0, 3.0})
        for (double const h : {10.0, 6.0, 2.0})
            s.contours.push_back({{-h, -h, z}, {h, -h, z}, {h, h, z}, {-h, h, z}});
    EXPECT_NEAR(volume_cm3(s), (400 - 144 + 16) * 6e-3, 1e-9);
    for (Contour& c : s.contours)  // sagittal
        for (auto& p : c) p = {p[2], p[0], p[1]};
    EXPECT_NEAR(volume_cm3(s), (400 - 144 + 16) * 6e-3, 1e-9);
}

TEST(Structures, WhatIsWrongIsNamed) {
    auto const problem = [](auto change) {
        Dataset d = structures_dataset();
        change(d);
        auto const s = read_structures(d, "s.dcm");
        return s ? std::string("none") : s.error().text();
    };
    auto const has = [](std::string const& text, std::string_view part) {
        EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
    };
    // The contour that the change is about.
    auto const with = [&](Tag tag, std::string const& value) {
        return problem([&](Dataset& d) {
            Dataset c = square(5, 0), item;
            set(c, tag, value);
            set(item, tags::ref_structure, "5");
            set(item, tags::contours, std::vector{c});
            set(d, tags::structure_contours, std::vector{item});
        });
    };
    has(with(tags::contour_data, "1\\2"),
        "contours of structure 1: contour 1: ContourData (3006,0050) has 2 numbers");
    has(with(tags::contour_points, "5"),
        "has 4 corners and NumberOfContourPoints (3006,0046) is 5");
    has(with(tags::contour_data, "0\\0\\0\\9\\0\\0\\9\\9\\0\\0\\9\\3"), "not in one plane");
    EXPECT_EQ(with(tags::contour_type, "POINT"), "none");
    has(problem([](Dataset& d) { remove(d, tags::structures); }), "StructureSetROISequence");
    has(problem([](Dataset& d) { set(d, tags::sop_class, std::string(classes::ct)); }),
        "is a CT image, not an RT structure set");
    has(problem([](Dataset& d) {
            Dataset item;
            set(item, tags::ref_structure, "9");
            set(d, tags::structure_contours, std::vector{item});
        }),
        "no structure has this number");
}

}  // namespace
}  // namespace sluice::dicom
