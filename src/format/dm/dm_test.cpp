// DM3 and DM4 files made here tag by tag: images, stacks, scans both ways round, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/dm/dm.h"

#include <numeric>

#include "format/raw/test_flat.h"

namespace sluice {
namespace {

/// Writes tags of one version and byte order.
struct Writer {
    int version = 4;
    bool big = false;

    std::string count(std::uint64_t n) const {
        return version == 4 ? Made().be(n).text() : Made().be(static_cast<std::uint32_t>(n)).text();
    }
    template <class T>
    std::string value(T v) const {
        return big ? Made().be(v).text() : Made().le(v).text();
    }
    std::string entry(char kind, std::string const& label, std::string const& content) const {
        Made m;
        m.raw(std::string(1, kind)).be(static_cast<std::uint16_t>(label.size())).raw(label);
        if (version == 4) m.be(static_cast<std::uint64_t>(content.size()));
        return m.raw(content).text();
    }
    std::string tag(std::string const& label, std::vector<std::uint64_t> const& info,
                    std::string const& values) const {
        std::string content = "%%%%" + count(info.size());
        for (auto const word : info) content += count(word);
        return entry(21, label, content + values);
    }
    std::string u32(std::string const& label, std::uint32_t v) const {
        return tag(label, {5}, value(v));
    }
    std::string f32(std::string const& label, float v) const {
        return tag(label, {6}, value(std::bit_cast<std::uint32_t>(v)));
    }
    std::string text(std::string const& label, std::u16string const& s) const {
        std::string values;
        for (char16_t const c : s) values += value(static_cast<std::uint16_t>(c));
        return tag(label, {20, 4, s.size()}, values);
    }
    std::string inside(std::vector<std::string> const& entries) const {
        std::string s = std::string(2, '\0') + count(entries.size());
        for (auto const& e : entries) s += e;
        return s;
    }
    std::string group(std::string const& label, std::vector<std::string> const& entries) const {
        return entry(20, label, inside(entries));
    }
    std::string file(std::vector<std::string> const& entries) const {
        std::string const tree = inside(entries);
        return Made().be(version).raw(count(tree.size() + 4)).be(big ? 0 : 1).raw(tree).text() +
               std::string(8, '\0');
    }
};

struct Axis {
    std::uint32_t size;
    float scale = 0;
    std::u16string units = {};
};

/// An image of uint16 whose values count up as they lie; its axes come fastest first.
std::string image(Writer const& w, std::vector<Axis> const& axes,
                  std::vector<std::string> const& tags = {}) {
    std::vector<std::string> dimensions, calibrations;
    std::uint32_t n = 1;
    for (Axis const& a : axes) {
        dimensions.push_back(w.u32("", a.size));
        calibrations.push_back(
            w.group("", {w.f32("Origin", 0), w.f32("Scale", a.scale), w.text("Units", a.units)}));
        n *= a.size;
    }
    std::string values;
    for (std::uint32_t i = 0; i < n; ++i) values += w.value(static_cast<std::uint16_t>(i));
    return w.group(
        "", {w.group("ImageData", {w.group("Calibrations", {w.group("Dimension", calibrations)}),
                                   w.tag("Data", {20, 4, n}, values), w.u32("DataType", 10),
                                   w.group("Dimensions", dimensions), w.u32("PixelDepth", 2)}),
             w.group("ImageTags", tags), w.text("Name", u"scan")});
}

std::string file(Writer const& w, std::vector<std::string> const& images) {
    return w.file({w.group("ImageList", images)});
}

std::string meta(Writer const& w, std::vector<std::string> const& tags) {
    return w.group("Meta Data", tags);
}

std::vector<std::uint16_t> counting(std::size_t n) {
    std::vector<std::uint16_t> v(n);
    std::iota(v.begin(), v.end(), std::uint16_t{0});
    return v;
}

using Dm = FormatFolder;

// Fastest first: detector columns 5, rows 4, scan columns 3, rows 2.
std::vector<Axis> const patterns_first{
    {5, 0.02F, u"1/nm"}, {4, 0.02F, u"1/nm"}, {3, 0.5F, u"nm"}, {2, 0.5F, u"nm"}};
std::vector<Axis> const scan_first{
    {3, 0.5F, u"\u00b5m"}, {2, 0.5F, u"\u00b5m"}, {5, 2, u"mrad"}, {4, 2, u"mrad"}};

TEST_F(Dm, patterns_in_one_piece_are_read_in_both_versions_and_byte_orders) {
    for (Writer const w : {Writer{3, false}, Writer{3, true}, Writer{4, false}, Writer{4, true}}) {
        auto const info = w.group("Microscope Info",
                                  {w.f32("Voltage", 300000), w.f32("STEM Camera Length", 115)});
        auto const d = open(write(
            "a.dm4", file(w, {image(w, patterns_first,
                                    {meta(w, {w.tag("Data Order Swapped", {8}, "\1")}), info})})));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->format, "dm");
        EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
        EXPECT_EQ(d->rows, 4);
        EXPECT_EQ(d->cols, 5);
        EXPECT_EQ(values_of<std::uint16_t>(*d), counting(120));
        EXPECT_EQ(d->energy_kv, 300);
        EXPECT_EQ(d->camera_length_mm, 115);
        EXPECT_EQ(d->scan_step_nm, 0.5);
        EXPECT_NEAR(d->detector_step_per_nm, 0.02, 1e-9);
    }
}

TEST_F(Dm, the_scan_of_each_pixel_in_one_piece_is_turned_around) {
    Writer const w;
    for (bool const tagged : {true, false}) {
        std::vector<std::string> const tags =
            tagged ? std::vector{meta(w, {w.tag("Data Order Swapped", {8}, std::string(1, '\0'))})}
                   : std::vector<std::string>();
        auto const d = open(write("a.dm4", file(w, {image(w, scan_first, tags)})));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
        EXPECT_EQ(d->rows, 4);
        EXPECT_EQ(d->cols, 5);
        EXPECT_EQ(d->scan_step_nm, 500);
        EXPECT_EQ(d->detector_step_mrad, 2);
        auto const v = values_of<std::uint16_t>(*d);
        for (std::size_t s = 0; s < 6; ++s)
            for (std::size_t p = 0; p < 20; ++p) ASSERT_EQ(v[s * 20 + p], p * 6 + s);
        EXPECT_TRUE(has_text(d->notes, tagged ? "Data Order Swapped" : "units"));
    }
}

TEST_F(Dm, units_tell_the_order_where_no_tag_does) {
    Writer const w;
    auto const d = open(write("a.dm4", file(w, {image(w, patterns_first)})));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->rows, 4);
    EXPECT_EQ(values_of<std::uint16_t>(*d), counting(120));
}

TEST_F(Dm, a_stack_asks_for_its_scan_and_a_spectrum_image_has_frames_of_one_row) {
    Writer const w{3};
    std::string const path = write("a.dm3", file(w, {image(w, {{5}, {4}, {6}})}));
    auto d = open(path);
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("2x3, 1x6"), std::string::npos) << d.error().message;
    d = open(path, {.scan_shape = {{2, 3}}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(values_of<std::uint16_t>(*d), counting(120));

    d = open(write("b.dm3", file(w, {image(w, {{3, 1, u"nm"}, {2, 1, u"nm"}, {7, 0.3F, u"eV"}},
                                           {meta(w, {w.text("Format", u"Spectrum image")})})})));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    EXPECT_EQ(d->rows, 1);
    EXPECT_EQ(d->cols, 7);
    auto const v = values_of<std::uint16_t>(*d);
    EXPECT_EQ(v[1], 6);
    EXPECT_EQ(v[7], 1);
}

TEST_F(Dm, of_several_images_the_largest_opens_and_others_by_their_numbers) {
    Writer const w;
    std::string const small = image(w, {{4}, {4}}), large = image(w, patterns_first);
    std::string const path = write("a.dm4", file(w, {small, large}));
    auto d = open(path);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->frames, 6);
    EXPECT_TRUE(has_text(d->notes, "--dm-image"));
    d = open(path, {.format = DmOptions{.dm_image = 1}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->frames, 1);
    d = open(path, {.format = DmOptions{.dm_image = 7}});
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("2 (2x3x4x5)"), std::string::npos) << d.error().message;
}

TEST_F(Dm, damage_is_an_error_with_its_place) {
    Writer const w;
    std::string const whole = file(w, {image(w, patterns_first)});
    std::string const path = write("a.dm4", whole);
    // The 8 bytes at the end are not read.
    for (std::size_t n = 0; n + 8 < whole.size(); n += 7)
        ASSERT_FALSE(open(write("a.dm4", whole.substr(0, n)))) << n;
    std::string lie = whole;
    auto const at = lie.find("Dimensions");
    lie[at + 10 + 8 + 2 + 8 + 1 + 2 + 8 + 4 + 8 + 8] = 6;  // of the first dimension
    auto d = open(write("a.dm4", lie));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::corrupt);
    EXPECT_TRUE(d.error().at);
    lie = whole;
    lie[lie.find("%%%%")] = '$';
    d = open(write("a.dm4", lie));
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("%%%%"), std::string::npos);
}

}  // namespace
}  // namespace sluice
