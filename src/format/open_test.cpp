// sluice::open and open_series: which format, which members, and what is said when none fits.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "format/table.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

class Open : public testing::Test {
  protected:
    Open() : folder_(fs::path(testing::TempDir()) / ("sluice_open_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~Open() override { fs::remove_all(folder_); }
    std::string write(std::string const& name, std::string const& data) {
        std::string const path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << data;
        return path;
    }
    /// A 4-D NPY file of zeros in uint8.
    std::string npy(std::string const& name, std::array<int, 4> s, int bytes_short = 0) {
        std::string shape = "(";
        std::size_t n = 1;
        for (int side : s) {
            shape += std::to_string(side) + ", ";
            n *= static_cast<std::size_t>(side);
        }
        std::string const d = "{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + ")}";
        std::string h("\x93NUMPY\x01\x00", 8);
        h += static_cast<char>(d.size());
        h += '\0';
        return write(name, h + d + std::string(n - static_cast<std::size_t>(bytes_short), '\0'));
    }
    fs::path folder_;
};

void expect_said(Error const& e, std::string const& text) {
    EXPECT_NE(e.message.find(text), std::string::npos) << e.message;
}

TEST_F(Open, missing_files_folders_and_unknown_bytes_are_explained) {
    auto d = open((folder_ / "nothing.h5").string());
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::not_found);
    expect_said(d.error(), "no such file");

    write("si_master.h5", "");
    d = open((folder_ / "si").string());
    ASSERT_FALSE(d);
    expect_said(d.error(), "si_master.h5");

    d = open(folder_.string());
    ASSERT_FALSE(d);
    expect_said(d.error(), "series");

    d = open(write("notes.txt", "these are my notes"));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::unsupported);
    expect_said(d.error(), "looks like text");

    d = open(write("bytes.xyz", "\x01\x02\x03\xff\xfe"));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::unsupported);
    expect_said(d.error(), "01 02 03");
    for (Format const& f : formats()) expect_said(d.error(), std::string(f.name));

    d = open(write("empty.xyz", ""));
    ASSERT_FALSE(d);
    expect_said(d.error(), "empty");
    EXPECT_FALSE(open(""));
    EXPECT_FALSE(open("holographic:stem4d"));
}

TEST_F(Open, format_names_are_unique_and_every_format_can_open) {
    for (Format const& f : formats()) {
        EXPECT_EQ(std::ranges::count(formats(), f.name, &Format::name), 1);
        EXPECT_FALSE(f.title.empty());
        EXPECT_FALSE(f.open((folder_ / "not there").string(), {})) << f.name;
    }
}

TEST_F(Open, an_option_that_a_format_does_not_understand_is_refused) {
    std::string const file = npy("a.npy", {1, 2, 3, 4});
    FormatOptions const of_others[] = {
        Hdf5Options{.dataset = "/a"}, NxmxOptions{.channel = "0"}, RawOptions{.raw_dtype = "uint8"},
        RawOptions{.raw_offset = 1}, FormatOptions(Hdf5Options{}, NxmxOptions{.channel = "0"})};
    for (FormatOptions const& o : of_others) {
        auto const d = open(file, {.format = o});
        ASSERT_FALSE(d);
        EXPECT_EQ(d.error().code, Code::invalid_argument);
        expect_said(d.error(), "and this one is npy; leave it out");
    }
    EXPECT_FALSE(open("synthetic:stem4d", {.axis_order = "sr,sc,dr,dc"}));
    // A struct with usual values wishes nothing.
    EXPECT_TRUE(open(file, {.format = {Hdf5Options{}, RawOptions{}}}));
}

TEST_F(Open, every_field_belongs_to_all_formats_or_to_one_in_the_table) {
    std::vector<std::string_view> names;
    for (auto const& field : open_fields()) {
        EXPECT_EQ(std::ranges::count(names, field.name), 0) << field.name;
        names.push_back(field.name);
    }
    for (Format const& f : formats())
        for (auto const& field : f.fields) {
            EXPECT_EQ(std::ranges::count(names, field.name), 1) << field.name;
            EXPECT_EQ(config::find_field(common_open_fields(), field.name), nullptr);
        }
}

TEST_F(Open, a_frame_shape_chooses_the_raw_format) {
    std::string const file = npy("a.npy", {1, 2, 3, 4});
    auto const d = open(file, {.allow_incomplete = true,
                               .format = RawOptions{.raw_dtype = "uint8", .raw_frame = {{2, 3}}}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "raw");
}

TEST_F(Open, a_folder_is_opened_in_natural_order) {
    for (std::string const name : {"t10.npy", "t9.npy", "t1.npy", "t02.npy"})
        npy(name, {1, 2, 3, 4});
    write("notes.txt", "not a scan");
    write(".hidden.npy", "nor this");
    auto const s = open_series({folder_.string()});
    ASSERT_TRUE(s) << s.error().text();
    std::vector<std::string> names;
    for (Dataset const& d : s->members) names.push_back(fs::path(d.path).filename().string());
    EXPECT_EQ(names, (std::vector<std::string>{"t1.npy", "t02.npy", "t9.npy", "t10.npy"}));
    EXPECT_TRUE(s->skipped.empty());
}

TEST_F(Open, members_that_differ_are_named_or_skipped) {
    std::string const odd = npy("a.npy", {2, 2, 3, 4});
    npy("b.npy", {1, 2, 3, 4});
    npy("c.npy", {1, 2, 3, 4});
    std::string const cut = npy("d.npy", {1, 2, 3, 4}, 5);
    auto const refused = open_series({folder_.string()});
    ASSERT_FALSE(refused);
    expect_said(refused.error(), "2 of the 4 members");
    expect_said(refused.error(), odd + ": has 2x2 points");
    expect_said(refused.error(), cut);
    expect_said(refused.error(), "--skip-bad");

    SeriesOptions options;
    options.skip_bad = true;
    auto const s = open_series({folder_.string()}, options);
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_EQ(s->members.size(), 2u);
    EXPECT_EQ(s->skipped.size(), 2u);
}

TEST_F(Open, a_series_of_nothing_is_an_error) {
    EXPECT_FALSE(open_series({}));
    auto const empty = open_series({folder_.string()});
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().code, Code::not_found);

    std::string const cut = npy("d.npy", {1, 2, 3, 4}, 5);
    SeriesOptions options;
    options.skip_bad = true;
    auto const alone = open_series({cut}, options);
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().code, Code::truncated);
    EXPECT_FALSE(open_series({cut, cut}, options));
}

TEST_F(Open, a_list_keeps_its_order_and_each_members_metadata) {
    auto const s = open_series({"synthetic:stem4d?seed=2", "synthetic:stem4d?seed=1"});
    ASSERT_TRUE(s) << s.error().text();
    ASSERT_EQ(s->members.size(), 2u);
    EXPECT_EQ(s->members[0].metadata.back().value, "2");
    EXPECT_EQ(s->members[1].metadata.back().value, "1");
}

}  // namespace
}  // namespace sluice
