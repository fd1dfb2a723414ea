// EMPAD scans: frames made here, the XML beside them, and what is wrong with others.
// SPDX-License-Identifier: Apache-2.0
#include "format/empad/empad.h"

#include "format/empad/sidecar.h"
#include "format/raw/test_flat.h"

namespace sluice {
namespace {

using Empad = FormatFolder;

constexpr std::size_t pixels = 128 * 128, stored = 130 * 128;

// Frame f has the values f + pixel / 2^15, the first of them negative, and 1e9 in the last 2 rows.
std::string frames(int count) {
    std::vector<float> all;
    for (int f = 0; f < count; ++f)
        for (std::size_t p = 0; p < stored; ++p)
            all.push_back(p >= pixels ? 1e9F
                          : p == 0    ? -0.25F
                                      : static_cast<float>(f) + static_cast<float>(p) / 32768);
    return {reinterpret_cast<char const*>(all.data()), all.size() * 4};
}

std::string xml(std::string const& raw, int cols, int rows, std::string const& mode = "acquire") {
    return "<?xml version=\"1.0\"?>\n<root>\n<raw_file filename=\"C:\\data\\" + raw +
           "\"/>\n<scan_parameters mode=\"" + mode + "\"><scan_resolution_x>" +
           std::to_string(cols) + "</scan_resolution_x><scan_resolution_y>" + std::to_string(rows) +
           "</scan_resolution_y></scan_parameters>\n<iom_measurements><high_voltage>200000.0"
           "</high_voltage><nominal_camera_length>0.3</nominal_camera_length></iom_measurements></"
           "root>";
}

TEST_F(Empad, the_xml_and_the_frames_open_the_same_scan) {
    std::string const raw = write("a.raw", frames(6)), side = write("a.xml", xml("a.raw", 3, 2));
    for (std::string const& path : {raw, side}) {
        auto const d = open(path);
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->format, "empad");
        EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
        EXPECT_EQ(d->scan_from, "the XML's scan_parameters (acquire)");
        EXPECT_EQ(d->rows, 128);
        EXPECT_EQ(d->cols, 128);
        EXPECT_EQ(d->energy_kv, 200);
        EXPECT_EQ(d->files.size(), 2u);
        auto const v = values_of<float>(*d);
        ASSERT_EQ(v.size(), 6 * pixels);
        EXPECT_EQ(v[0], -0.25F);
        EXPECT_EQ(v[5 * pixels + pixels - 1], 5 + 16383.F / 32768);
        EXPECT_EQ(std::ranges::count(v, 1e9F), 0);
    }
}

TEST_F(Empad, the_search_scan_counts_where_only_it_fits) {
    write("a.raw", frames(6));
    std::string both = xml("a.raw", 4, 4);
    std::string const search = xml("a.raw", 2, 3, "search");
    auto const from = search.find("<scan_parameters"), to = search.find("<iom");
    both.insert(both.find("<iom"), search.substr(from, to - from));
    auto const d = open(write("a.xml", both));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{3, 2}));
    EXPECT_TRUE(has_text(d->notes, "search"));
}

TEST_F(Empad, a_name_that_tells_the_scan_and_fits_the_size_needs_no_xml) {
    auto const d = open(write("scan_x3_y1.raw", frames(3)));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "empad");
    EXPECT_EQ(d->scan, (std::array<index, 2>{1, 3}));
    auto const other = open(write("scan_x4_y1.raw", frames(3)));
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("--raw-frame"), std::string::npos);
}

TEST_F(Empad, names_the_file_that_is_missing) {
    auto const d = open(write("a.xml", xml("b.raw", 3, 2)));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::not_found);
    EXPECT_NE(d.error().message.find("b.raw"), std::string::npos);
    write("a.raw", frames(6));
    auto const renamed = open((folder_ / "a.xml").string());
    ASSERT_TRUE(renamed) << renamed.error().text();
    EXPECT_TRUE(has_text(renamed->notes, "b.raw"));
}

TEST_F(Empad, frames_that_are_missing_are_told) {
    std::string const path = write("a.raw", frames(4));
    write("a.xml", xml("a.raw", 3, 2));
    auto d = open(path);
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    d = open(path, {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 2);
    d = open(path, {.scan_shape = {{3, 3}}});
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("2x2, 1x4"), std::string::npos) << d.error().message;
    write("a.raw", frames(4).substr(0, 3 * stored * 4 + 70));
    d = open(path);
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().at, 3 * stored * 4u);
}

TEST_F(Empad, broken_xml_says_where) {
    write("a.raw", frames(1));
    auto const d = open(write("a.xml", xml("a.raw", 1, 1).substr(0, 150)));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::corrupt);
    EXPECT_NE(d.error().file.find("a.xml"), std::string::npos);
}

TEST_F(Empad, in_a_folder_the_frames_stand_for_both) {
    write("a.raw", frames(1));
    write("a.xml", xml("a.raw", 1, 1));
    auto const members = list_members(folder_.string());
    ASSERT_TRUE(members) << members.error().text();
    EXPECT_EQ(members->size(), 1u);
    EXPECT_TRUE(members->front().ends_with("a.raw"));
}

}  // namespace
}  // namespace sluice
