// The synthetic: format: its path, its options' errors, and its frames.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "format/frame_source.h"
#include "format/synthetic/pattern.h"

namespace sluice {
namespace {

TEST(synthetic, default_is_a_64x64_scan_of_96x96_u16) {
    auto const d = open("synthetic:stem4d");
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "synthetic");
    EXPECT_EQ(d->path, "synthetic:stem4d");
    EXPECT_EQ(d->scan, (std::array<index, 2>{64, 64}));
    EXPECT_EQ(d->frames, 4096);
    EXPECT_EQ(d->rows, 96);
    EXPECT_EQ(d->cols, 96);
    EXPECT_EQ(d->dtype, DType::u16);
    EXPECT_EQ(d->saturation, 65534u);
    EXPECT_TRUE(d->sentinel);
    EXPECT_GT(d->scan_step_nm, 0);
    EXPECT_GT(d->detector_step_mrad, 0);
    EXPECT_GT(d->dwell_s, 0);
    EXPECT_EQ(d->source->stored_bytes(), d->bytes());
}

TEST(synthetic, options_in_the_path_are_used) {
    auto const o = synthetic::parse_path(
        "synthetic:stem4d?scan=3x5&detector=7x9&dtype=uint32&dose=12.5&disk_radius=2&bragg=0.5&"
        "diffuse=0.25&wobble=0.5&lattice=0&seed=99&masked=2&sentinel=off");
    ASSERT_TRUE(o) << o.error().text();
    EXPECT_EQ(o->scan, (std::array<index, 2>{3, 5}));
    EXPECT_EQ(o->detector, (std::array<index, 2>{7, 9}));
    EXPECT_EQ(o->dtype, DType::u32);
    EXPECT_EQ(o->dose, 12.5);
    EXPECT_EQ(o->disk_radius, 2);
    EXPECT_EQ(o->bragg, 0.5);
    EXPECT_EQ(o->diffuse, 0.25);
    EXPECT_EQ(o->wobble, 0.5);
    EXPECT_EQ(o->lattice, 0);
    EXPECT_EQ(o->seed, 99u);
    EXPECT_EQ(o->masked, 2);
    EXPECT_FALSE(o->sentinel);
}

TEST(synthetic, fetch_gives_the_simulators_values_in_any_grouping) {
    auto const d = open("synthetic:stem4d?scan=4x4&detector=16x12&dose=100");
    ASSERT_TRUE(d);
    auto const o = synthetic::parse_path(d->path);
    Simulator const simulator(*o);
    std::vector<std::uint32_t> scratch(192);
    std::vector<std::byte> expected(384);
    std::vector<EncodedFrame> frames(5);
    FetchScratch memory;
    ASSERT_TRUE(d->source->fetch(11, frames, memory));
    for (index i = 0; i < 5; ++i) {
        EncodedFrame const& f = frames[static_cast<std::size_t>(i)];
        simulator.values(11 + i, scratch, expected);
        EXPECT_EQ(f.encoding, Encoding::values);
        EXPECT_TRUE(std::ranges::equal(f.bytes, expected)) << i;
    }
}

TEST(synthetic, bad_paths_are_refused_and_explained) {
    struct Case {
        std::string path, said;
    };
    for (Case const& c : {Case{"synthetic:holography", "synthetic:stem4d"},
                          Case{"synthetic:stem4d?doze=3", "dose, disk_radius"},
                          Case{"synthetic:stem4d?dose", "dose="},
                          Case{"synthetic:stem4d?dose=", "not a number"},
                          Case{"synthetic:stem4d?dose=3x", "not a number"},
                          Case{"synthetic:stem4d?dose=nan", "dose"},
                          Case{"synthetic:stem4d?dose=-1", "dose"},
                          Case{"synthetic:stem4d?dose=1e300", "dose"},
                          Case{"synthetic:stem4d?scan=64", "rows x columns"},
                          Case{"synthetic:stem4d?scan=0x4", "rows x columns"},
                          Case{"synthetic:stem4d?scan=-4x4", "rows x columns"},
                          Case{"synthetic:stem4d?scan=9999999999999999999x1", "rows x columns"},
                          Case{"synthetic:stem4d?detector=70000x1", "65536"},
                          Case{"synthetic:stem4d?dtype=float32", "uint16"},
                          Case{"synthetic:stem4d?sentinel=maybe", "on nor off"},
                          Case{"synthetic:stem4d?bragg=0.9&diffuse=0.2", "at most 1"},
                          Case{"synthetic:stem4d?disk_radius=49", "48"},
                          Case{"synthetic:stem4d?masked=100000", "half"},
                          Case{"synthetic:stem4d?wobble=1000", "wobble"},
                          Case{"synthetic:stem4d?lattice=0.1", "lattice"}}) {
        auto const d = open(c.path);
        ASSERT_FALSE(d) << c.path;
        EXPECT_EQ(d.error().code, Code::invalid_argument) << c.path;
        EXPECT_NE(d.error().message.find(c.said), std::string::npos)
            << c.path << ": " << d.error().message;
    }
}

TEST(synthetic, another_scan_than_the_simulated_one_is_refused) {
    OpenOptions options;
    options.scan_shape = {8, 512};
    auto const d = open("synthetic:stem4d", options);
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("scan=8x512"), std::string::npos) << d.error().message;
    options.scan_shape = {64, 64};
    EXPECT_TRUE(open("synthetic:stem4d", options));
}

}  // namespace
}  // namespace sluice
