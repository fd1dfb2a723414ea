// Points of a scan by times: against hits that are placed one by one, whatever their order.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/scan_clock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "format/tpx3/packets.h"

namespace sluice::tpx3 {
namespace {

using Images = std::map<index, std::vector<std::uint16_t>>;

struct Clocked {
    Images images = {};
    ScanClock clock;

    explicit Clocked(ScanPlan plan)
        : clock(plan,
                [this](index image, Bytes pixels, std::shared_ptr<void const> const& /*owner*/) {
                    EXPECT_TRUE(images.empty() || images.rbegin()->first < image);
                    auto& at = images[image];
                    at.resize(pixels.size() / 2);
                    if (!at.empty()) std::memcpy(at.data(), pixels.data(), pixels.size());
                    std::ranges::sort(at);
                }) {}
    /// "image:hits", of those with hits.
    std::string list() const {
        std::string text;
        for (auto const& [image, pixels] : images)
            if (!pixels.empty()) text += fmt::format("{}:{} ", image, pixels.size());
        return text;
    }
};

/// Hits over some lines, and where they belong.
struct Scanned {
    struct Event {
        std::int64_t time = 0, comes = 0;
        int counter = -1;  ///< of a line start; else a hit
        std::uint16_t pixel = 0;
    };
    index lines = 0, per_line = 0;
    std::int64_t line = 0, begin = 0;
    std::vector<Event> events = {};
    Images expected = {};

    Scanned(index lines_, index per_line_, std::int64_t line_, std::int64_t begin_,
            std::int64_t window, double dwell = 0)
        : lines(lines_), per_line(per_line_), line(line_), begin(begin_) {
        std::mt19937_64 random(7);
        auto const upto = [&](std::int64_t n) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
        };
        double const length =
            dwell > 0 ? dwell : static_cast<double>(line) / static_cast<double>(per_line);
        for (index i = 0; i < lines * per_line; ++i) expected[i];
        for (index l = 0; l <= lines; ++l)
            events.push_back(
                {begin + l * line, begin + l * line + upto(window), static_cast<int>(l)});
        for (int i = 0; i < 50'000; ++i) {
            std::int64_t const at = upto(lines * line);
            Event const hit{begin + at, begin + at + upto(window), -1,
                            static_cast<std::uint16_t>(random())};
            events.push_back(hit);
            auto const in_line = static_cast<double>(at % line);
            auto const place = static_cast<index>(in_line / length);
            if (place < per_line) expected[at / line * per_line + place].push_back(hit.pixel);
        }
        for (auto& [image, pixels] : expected) std::ranges::sort(pixels);
        std::ranges::stable_sort(events, {}, &Event::comes);
        // The first start comes first, as a receiver sees to.
        std::ranges::stable_partition(events, [](Event const& e) { return e.counter == 0; });
    }
    /// By clocks that begin anew; looks at the time every so many events.
    void send(Clocked& to, int every = 100) const {
        Times times;
        constexpr std::uint64_t mask = (std::uint64_t{1} << clock_bits) - 1;
        auto const at = [&](std::int64_t time) {
            return times.whole(static_cast<std::uint64_t>(time) & mask);
        };
        times.hear(at(begin));
        times.hear(at(begin));
        int n = 0;
        for (Event const& e : events) {
            std::int64_t const time = at(e.time);
            times.hear(time);
            if (e.counter >= 0)
                to.clock.start(time, e.counter);
            else
                to.clock.hit(time, e.pixel);
            if (++n % every == 0) to.clock.pass(*times.newest());
        }
        to.clock.finish(*times.newest());
    }
};

constexpr std::int64_t window = 640'000;
constexpr std::int64_t turn = std::int64_t{1} << clock_bits;

TEST(Timepix3Scan, HitsInAnyOrderLieWhereTheyBelong) {
    // Lines that are longer and shorter than the window, over the end of the clock.
    for (std::int64_t const line : {std::int64_t{10'000'000}, std::int64_t{80'000}})
        for (int const every : {1, 1000}) {
            Scanned const s(16, 20, line, turn - 7 * line, window);
            Clocked c({.images = 320, .per_line = 20, .window = window});
            s.send(c, every);
            EXPECT_EQ(c.images, s.expected) << line;
            EXPECT_EQ(c.clock.counts().late, 0);
            EXPECT_EQ(c.clock.counts().hits, 50'000);
            EXPECT_TRUE(c.clock.done());
        }
}

TEST(Timepix3Scan, WithADwellTheRestOfALineIsTheWayBack) {
    for (double const dwell : {300'000.0, 300.0}) {
        auto const line = static_cast<std::int64_t>(25 * dwell);
        Scanned const s(16, 20, line, turn - 7 * line, window, dwell);
        Clocked c({.images = 320, .per_line = 20, .dwell = dwell, .window = window});
        s.send(c);
        EXPECT_EQ(c.images, s.expected) << dwell;
        index kept = 0;
        for (auto const& [image, pixels] : s.expected) kept += std::ssize(pixels);
        EXPECT_EQ(c.clock.counts().hits, kept);
        EXPECT_EQ(c.clock.counts().between, 50'000 - kept);
    }
}

TEST(Timepix3Scan, AStartAndADwellAreEnough) {
    Clocked c({.images = 6, .dwell = 100, .window = 50});
    c.clock.hit(990, 1);
    c.clock.start(1000, 0);
    for (std::int64_t const t : {1000, 1099, 1100, 1350, 1349, 1590, 1610}) c.clock.hit(t, 1);
    c.clock.pass(1610);
    EXPECT_EQ(c.list(), "0:2 1:1 3:2 ");
    EXPECT_EQ(std::ssize(c.images), 5);  // two without hits; the last one may still get some
    c.clock.hit(1200, 1);
    c.clock.pass(1650);
    EXPECT_EQ(c.list(), "0:2 1:1 3:2 5:1 ");
    EXPECT_TRUE(c.clock.done());
    EXPECT_EQ(c.clock.counts().before, 1);
    EXPECT_EQ(c.clock.counts().late, 1);
}

// Lines of 100 with hits at 10 and 60, two images each.
std::string lines(std::vector<std::pair<std::int64_t, int>> const& starts, ClockCounts& counts,
                  double dwell = 0) {
    Clocked c({.images = 10, .per_line = 2, .dwell = dwell, .window = 20});
    for (std::int64_t t = 0; t < 900; t += 10) {
        for (auto const& [at, counter] : starts)
            if (at >= t && at < t + 10) c.clock.start(at, counter);
        if (t % 50 == 10) c.clock.hit(t, 1);
        c.clock.pass(t);
    }
    c.clock.finish(900);
    counts = c.clock.counts();
    return c.list();
}

TEST(Timepix3Scan, AStartThatIsLostIsPlacedByTime) {
    ClockCounts counts;
    std::string const whole = "0:1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 ";
    EXPECT_EQ(lines({{0, 0}, {100, 1}, {200, 2}, {300, 3}, {400, 4}}, counts), whole);
    EXPECT_EQ(counts.lost_starts, 0);
    EXPECT_EQ(counts.between, 8);
    // By the counter, whether a line's length is known or not; over its end.
    EXPECT_EQ(lines({{0, 0}, {100, 1}, {300, 3}, {400, 4}}, counts), whole);
    EXPECT_EQ(counts.lost_starts, 1);
    EXPECT_EQ(lines({{0, 4094}, {200, 0}, {300, 1}, {400, 2}}, counts), whole);
    EXPECT_EQ(counts.lost_starts, 1);
    // By the time alone, where there is no counter.
    EXPECT_EQ(lines({{0, 0}, {100, 0}, {400, 0}}, counts), whole);
    EXPECT_EQ(counts.lost_starts, 2);
    EXPECT_EQ(lines({{0, 0}, {100, 1}, {300, 3}, {400, 4}}, counts, 50), whole);
    EXPECT_EQ(counts.lost_starts, 1);
}

TEST(Timepix3Scan, StartsThatCannotBeAreTold) {
    ClockCounts counts;
    std::string const whole = "0:1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 ";
    EXPECT_EQ(lines({{0, 0}, {100, 1}, {130, 2}, {200, 3}, {300, 4}, {400, 5}}, counts), whole);
    EXPECT_EQ(counts.early_starts, 1);
    EXPECT_EQ(lines({{0, 0}, {100, 1}, {200, 900}, {300, 901}, {400, 902}}, counts), whole);
    EXPECT_EQ(counts.jumped, 1);
    // A pause: the counter says that no start is missing.
    EXPECT_EQ(lines({{0, 0}, {100, 1}, {400, 2}, {500, 3}, {600, 4}}, counts), whole);
    EXPECT_EQ(counts.longer, 1);
    EXPECT_EQ(counts.lost_starts, 0);
    // Lines that are shorter than their images.
    EXPECT_EQ(lines({{0, 0}, {100, 1}, {150, 2}, {250, 3}, {350, 4}}, counts, 50),
              "0:1 1:1 2:1 4:1 5:1 6:1 7:1 8:1 9:1 ");
    EXPECT_EQ(counts.shorter, 1);
}

TEST(Timepix3Scan, ImagesBesideDamageAreNotMade) {
    Clocked c({.images = 6, .dwell = 100, .window = 50});
    c.clock.start(0, 0);
    for (std::int64_t t = 0; t < 600; t += 50) c.clock.hit(t, 1);
    c.clock.damaged(210, 310);
    c.clock.pass(700);
    EXPECT_EQ(c.list(), "0:2 1:2 4:2 5:2 ");
    EXPECT_EQ(c.clock.counts().hurt, 2);
}

TEST(Timepix3Scan, WhatEndsEarlyLacksWhatHadNotEnded) {
    Clocked c({.images = 6, .dwell = 100, .window = 50});
    c.clock.start(0, 0);
    for (std::int64_t t = 0; t <= 350; t += 50) c.clock.hit(t, 1);
    EXPECT_FALSE(c.clock.reached_last(350));
    EXPECT_TRUE(c.clock.reached_last(500));
    c.clock.finish(350);
    EXPECT_EQ(c.list(), "0:2 1:2 2:2 ");
}

TEST(Timepix3Scan, HitsWithoutRoomSpoilTheirImages) {
    Clocked c({.images = 6, .dwell = 100, .window = 50, .most_hits = 3});
    c.clock.start(0, 0);
    for (std::int64_t const t : {10, 20, 210, 220}) c.clock.hit(t, 1);
    c.clock.pass(1000);
    EXPECT_EQ(c.list(), "0:2 ");
    EXPECT_EQ(c.clock.counts().no_room, 1);
    EXPECT_EQ(std::ssize(c.images), 5);
}

}  // namespace
}  // namespace sluice::tpx3
