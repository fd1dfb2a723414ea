// Counted electrons, written by libhdf5 as stempy writes them, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/stempy/stempy.h"

#include "format/hdf5/test_files.h"
#include "format/raw/test_flat.h"

namespace sluice {
namespace {

using Stempy = FormatFolder;
using namespace hdf5::test;
using Lists = std::vector<std::vector<std::uint32_t>>;

void write_number(hdf5::Handle const& o, char const* name, std::int64_t value) {
    hdf5::Handle const space(H5Screate(H5S_SCALAR), H5Sclose);
    hdf5::Handle const a(
        H5Acreate2(o.id(), name, H5T_STD_I64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    H5Awrite(a.id(), H5T_NATIVE_INT64, &value);
}

// Frames of 4 x 5 pixels of a scan of 2 x 3, whose lists are of the points.
std::string made(std::string const& path, Lists const& lists,
                 std::vector<std::int64_t> const& points, hid_t item = H5T_STD_U32LE) {
    hdf5::Handle const file = create_file(path);
    hdf5::Handle type;
    {
        hdf5::LibraryLock lock;
        type = hdf5::Handle(H5Tvlen_create(item), H5Tclose);
    }
    auto const frames = make_dataset(file.id(), "/electron_events/frames",
                                     {.extent = {lists.size()}, .type = type.id()});
    auto const positions = make_dataset(file.id(), "/electron_events/scan_positions",
                                        {.extent = {points.size()}, .type = H5T_STD_I64LE});
    write_all(positions, H5T_NATIVE_INT64, points);
    hdf5::LibraryLock lock;
    std::vector<hvl_t> all;
    for (auto const& l : lists) all.push_back({l.size(), const_cast<std::uint32_t*>(l.data())});
    hdf5::Handle const memory(H5Tvlen_create(H5T_NATIVE_UINT32), H5Tclose);
    EXPECT_GE(H5Dwrite(frames.id(), memory.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
    write_number(frames, "Nx", 4), write_number(frames, "Ny", 5);
    write_number(positions, "Nx", 3), write_number(positions, "Ny", 2);
    return path;
}

Lists const six{{0, 19, 19}, {1}, {2, 3}, {}, {4}, {5, 5, 5}};

void is_six(Dataset const& d) {
    EXPECT_EQ(d.scan, (std::array<index, 2>{2, 3}));
    EXPECT_EQ(d.rows, 4);
    EXPECT_EQ(d.cols, 5);
    auto const v = values_of<std::uint16_t>(d, 4);
    ASSERT_EQ(v.size(), 120u);
    std::vector<std::uint16_t> wanted(120);
    for (std::size_t f = 0; f < six.size(); ++f)
        for (auto const hit : six[f]) ++wanted[20 * f + hit];
    EXPECT_EQ(v, wanted);
}

TEST_F(Stempy, hits_are_counted) {
    for (hid_t const item : {H5T_STD_U32LE, H5T_STD_U64LE}) {
        auto const d = open(made((folder_ / "a.h5").string(), six, {0, 1, 2, 3, 4, 5}, item));
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->format, "stempy");
        is_six(*d);
    }
}

TEST_F(Stempy, lists_lie_in_any_order_and_several_are_one_frame) {
    auto d = open(made((folder_ / "a.h5").string(),
                       {six[5], {19}, {0, 19}, six[4], {}, six[2], six[1]}, {5, 0, 0, 4, 3, 2, 1}));
    ASSERT_TRUE(d) << d.error().text();
    is_six(*d);
    EXPECT_TRUE(has_text(d->notes, "up to 2 lists"));
    Lists twice;
    for (auto const& l : six) twice.push_back(l), twice.emplace_back();
    d = open(made((folder_ / "a.h5").string(), twice, {0, 1, 2, 3, 4, 5}));
    ASSERT_TRUE(d) << d.error().text();
    is_six(*d);
}

TEST_F(Stempy, points_without_a_list_are_missing) {
    std::string const path = made((folder_ / "a.h5").string(), {{1}, {2}}, {1, 2});
    auto d = open(path);
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    d = open(path, {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 4);
    EXPECT_EQ(values_of<std::uint16_t>(*d)[22], 0);
    EXPECT_EQ(values_of<std::uint16_t>(*d)[42], 1);
}

TEST_F(Stempy, what_does_not_fit_is_told) {
    auto d = open(made((folder_ / "a.h5").string(), six, {0, 1, 2, 3, 4, 6}));
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("outside"), std::string::npos);
    d = open(made((folder_ / "a.h5").string(), {{1}, {2}, {3}, {4}}, {1, 2, 3}));
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("do not fit"), std::string::npos);
    d = open(made((folder_ / "a.h5").string(), six, {0, 1, 2, 3, 4, 5}, H5T_STD_I16LE));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::unsupported);
    d = open(made((folder_ / "a.h5").string(), {{20}, {}, {}, {}, {}, {}}, {0, 1, 2, 3, 4, 5}));
    ASSERT_TRUE(d) << d.error().text();
    std::vector<EncodedFrame> frames(1);
    FetchScratch scratch;
    ASSERT_TRUE(d->source->fetch(0, frames, scratch));
    std::vector<std::byte> values(40);
    EXPECT_FALSE(decode_frame(frames[0], {.rows = 4, .cols = 5, .pixel_bytes = 2}, values));
}

TEST_F(Stempy, no_damage_goes_beyond_the_file) {
    std::string const path = made((folder_ / "a.h5").string(), six, {0, 1, 2, 3, 4, 5});
    std::ifstream in(path, std::ios::binary);
    std::string const whole{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t n = 0; n < whole.size(); n += 61) {
        auto const d = open(write("b.h5", whole.substr(0, n)));
        EXPECT_FALSE(d);
    }
    for (std::size_t at = 0; at < whole.size(); at += 3) {
        std::string lie = whole;
        lie[at] = static_cast<char>(lie[at] ^ 0x55);
        auto const d = open(write("b.h5", lie));
        std::vector<EncodedFrame> frames(6);
        FetchScratch scratch;
        if (d && d->bytes() < 1 << 20) (void)d->source->fetch(0, frames, scratch);
    }
}

}  // namespace
}  // namespace sluice
