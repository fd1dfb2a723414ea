// Files of hits made here: which frame each hit belongs to, signals, chips, and damage.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/tpx3.h"

#include <algorithm>
#include <random>

#include "format/raw/test_flat.h"
#include "format/tpx3/packets.h"

namespace sluice {
namespace {

using tpx3::chunk_of;
using tpx3::Edge;
using tpx3::edge_packet;
using tpx3::hit_packet;
using Tpx3 = FormatFolder;

constexpr std::int64_t line = 2'000'000, first = 7'000'000;

struct Make {
    index rows = 3, cols = 4, each = 40;
    std::int64_t late = 100'000;  // hits come up to so much later than they were
    std::int64_t begin = first;
    std::size_t in_chunk = 50;
    index leave_out = -1;  // the start of that line
    int chips = 1;
};

/// The bytes of a scan, and what its frames are.
struct Made3 {
    std::string bytes;
    std::vector<std::uint16_t> frames;
};

Made3 made(Make const& m) {
    Made3 out;
    out.frames.resize(static_cast<std::size_t>(m.rows * m.cols) * 65536);
    std::mt19937_64 random(5);
    std::vector<std::pair<std::int64_t, std::uint64_t>> sent;  // when, and what
    for (index r = 0; r <= m.rows; ++r)
        if (r != m.leave_out)
            sent.emplace_back(m.begin + r * line, edge_packet(m.begin + r * line, Edge::tdc1_rise,
                                                              static_cast<int>(r)));
    for (index p = 0; p < m.rows * m.cols; ++p)
        for (index i = 0; i < m.each; ++i) {
            auto const pixel = static_cast<index>(random() % 65536);
            std::int64_t const point = line / m.cols;
            auto const within =
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(point / 2));
            std::int64_t const time = m.begin + p * point + point / 4 + within;
            sent.emplace_back(time + static_cast<std::int64_t>(random() % 1000) * m.late / 1000,
                              hit_packet(time, pixel / 256, pixel % 256));
            ++out.frames[static_cast<std::size_t>(p * 65536 + pixel)];
        }
    // Before and behind the scan.
    sent.emplace_back(m.begin - 5000, hit_packet(m.begin - 5000, 1, 1));
    sent.emplace_back(m.begin + m.rows * line + 9000,
                      hit_packet(m.begin + m.rows * line + 9000, 2, 2));
    std::ranges::stable_sort(sent, {}, [](auto const& s) { return s.first; });
    std::vector<std::uint64_t> packets;
    int chunk = 0;
    for (auto const& [when, packet] : sent) {
        packets.push_back(packet);
        if (packets.size() < m.in_chunk) continue;
        out.bytes += chunk_of(packets, chunk++ % m.chips);
        packets.clear();
    }
    out.bytes += chunk_of(packets, 0);
    return out;
}

OpenOptions of(index rows, index cols, Tpx3Options how = {}) {
    return {.scan_shape = {{rows, cols}}, .format = {std::move(how)}};
}

TEST_F(Tpx3, hits_become_the_frames_of_their_points) {
    for (std::int64_t const late : {0, 100'000, 500'000})
        // The second turns the clock of hits over within the scan.
        for (std::int64_t const begin : {first, (std::int64_t{1} << 34) - line - line / 3}) {
            Made3 const m = made({.late = late, .begin = begin});
            auto const d = open(write("a.tpx3", m.bytes), of(3, 4));
            ASSERT_TRUE(d) << d.error().text();
            EXPECT_EQ(d->format, "tpx3");
            EXPECT_EQ(d->scan, (std::array<index, 2>{3, 4}));
            EXPECT_EQ(values_of<std::uint16_t>(*d, 5), m.frames) << late;
            EXPECT_TRUE(d->warnings.empty()) << d->warnings.front();
            EXPECT_NEAR(d->dwell_s, line / 4 / tpx3::steps_per_s, 1e-9);
        }
}

TEST_F(Tpx3, a_point_time_makes_the_same_frames) {
    Made3 const m = made({.rows = 2, .cols = 5});
    double const point = line / 5 / tpx3::steps_per_s;
    auto d = open(write("a.tpx3", m.bytes), of(2, 5, {.point_s = point}));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(values_of<std::uint16_t>(*d), m.frames);
    d = open(write("a.tpx3", m.bytes), of(2, 5, {.one_edge = true, .point_s = point}));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(values_of<std::uint16_t>(*d), m.frames);
}

TEST_F(Tpx3, images_of_the_way_back_are_left_out) {
    Made3 const m = made({});
    auto const d = open(write("a.tpx3", m.bytes), of(3, 3, {.tpx3_flyback = 1}));
    ASSERT_TRUE(d) << d.error().text();
    auto const v = values_of<std::uint16_t>(*d, 2);
    for (std::size_t r = 0; r < 3; ++r)
        EXPECT_TRUE(std::equal(v.begin() + static_cast<std::ptrdiff_t>(r * 3 * 65536),
                               v.begin() + static_cast<std::ptrdiff_t>((r + 1) * 3 * 65536),
                               m.frames.begin() + static_cast<std::ptrdiff_t>(r * 4 * 65536)))
            << r;
}

TEST_F(Tpx3, what_the_file_does_not_say_is_asked_for) {
    std::string const path = write("a.tpx3", made({}).bytes);
    auto d = open(path);
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("4 of tdc1-rise"), std::string::npos) << d.error().text();
    d = open(path, of(3, 4, {.line_edge = TdcEdge::tdc2_rise}));
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("tdc2-rise"), std::string::npos);
    d = open(path, of(9, 4));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    OpenOptions part = of(9, 4);
    part.allow_incomplete = true;
    d = open(path, part);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_GE(d->missing, 5 * 4);
    d = open(path, of(2, 4));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_TRUE(has_text(d->notes, "line starts behind the scan"));
    EXPECT_FALSE(open(path, of(index{1} << 40, 4)));
    EXPECT_FALSE(open(path, of(3, 4, {.one_edge = true})));
}

TEST_F(Tpx3, a_start_that_was_lost_is_placed_and_told) {
    Made3 const m = made({.rows = 6, .leave_out = 3});
    auto const d = open(write("a.tpx3", m.bytes), of(6, 4));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(values_of<std::uint16_t>(*d), m.frames);
    EXPECT_TRUE(has_text(d->warnings, "placed by time: 1"));
}

TEST_F(Tpx3, several_chips_need_a_layout) {
    Made3 const m = made({.chips = 2});
    std::string const path = write("a.tpx3", m.bytes);
    auto d = open(path, of(3, 4));
    ASSERT_FALSE(d);
    EXPECT_NE(d.error().message.find("--chip-layout"), std::string::npos);
    d = open(path, of(3, 4, {.chip_layout = "0:0:0,1:0:260"}));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->cols, 516);
    auto const v = values_of<std::uint16_t>(*d);
    index hits = 0, wanted = 0;
    for (auto const n : v) hits += n;
    for (auto const n : m.frames) wanted += n;
    EXPECT_EQ(hits, wanted);
}

TEST_F(Tpx3, frames_beside_damage_are_missing) {
    Made3 const m = made({.each = 400});
    std::string hurt = m.bytes;
    std::size_t const at = hurt.find("TPX3", hurt.size() / 2);
    hurt[at + 1] = 'x';
    std::string const path = write("a.tpx3", hurt);
    auto d = open(path, of(3, 4, {.window_s = 2e-4}));
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, Code::incomplete);
    OpenOptions part = of(3, 4, {.window_s = 2e-4});
    part.allow_incomplete = true;
    d = open(path, part);
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_GE(d->missing, 1);
    EXPECT_LT(d->missing, 6);
    EXPECT_TRUE(has_text(d->warnings, "no chunk"));
    // Every frame that is there is right, and the others are empty.
    auto const v = values_of<std::uint16_t>(*d);
    index same = 0;
    for (std::size_t f = 0; f < 12; ++f)
        same += std::equal(v.begin() + static_cast<std::ptrdiff_t>(f * 65536),
                           v.begin() + static_cast<std::ptrdiff_t>((f + 1) * 65536),
                           m.frames.begin() + static_cast<std::ptrdiff_t>(f * 65536));
    EXPECT_EQ(same, 12 - d->missing);
}

TEST_F(Tpx3, no_truncation_is_silent) {
    Made3 const m = made({.rows = 2, .cols = 2, .each = 20});
    for (std::size_t n = 0; n + 8 < m.bytes.size(); n += 37) {
        OpenOptions o = of(2, 2);
        o.allow_incomplete = true;
        auto const d = open(write("a.tpx3", m.bytes.substr(0, n)), o);
        if (!d) continue;
        EXPECT_TRUE(d->missing > 0 || has_text(d->warnings, "cuts off") ||
                    values_of<std::uint16_t>(*d) == m.frames)
            << n;
    }
}

}  // namespace
}  // namespace sluice
