// Scans from a stream: kept while they grow, and what results say of points that have not come.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>

#include "net/cbor/typed_array.h"
#include "net/dectris/messages.h"
#include "net/socket.h"
#include "sluice/memory_dataset.h"
#include "sluice/stem4d_live.h"

namespace sluice::stem4d {
namespace {

using namespace std::chrono_literals;

constexpr index rows = 10, cols = 13, side = 24;

/// Sends frames of counts that depend on the frame and the pixel.
struct Detector {
    net::Socket socket = net::Socket::push("tcp://127.0.0.1:*").value();
    net::dectris::Start start;

    Detector() {
        start.series_id = 3;
        start.images = rows * cols;
        start.rows = start.cols = side;
        start.dtype = DType::u16;
        start.channels = {"threshold_1"};
        start.scan = {rows, cols};
    }
    static std::uint16_t count(index frame, index pixel) {
        return static_cast<std::uint16_t>((frame * 131 + pixel * 7919) % 11);
    }
    void begin() { send(write_start(start)); }
    void image(index frame) {
        std::vector<std::uint16_t> counts(side * side);
        for (index p = 0; p < side * side; ++p)
            counts[static_cast<std::size_t>(p)] = count(frame, p);
        cbor::TypedArray const array{.dtype = DType::u16, .dimensions = 2, .shape = {side, side}};
        send(write_image({.image_id = static_cast<std::uint64_t>(frame), .data = array}, start,
                         std::as_bytes(std::span(counts))));
    }
    void images(index first, index last) {
        for (index f = first; f < last; ++f) image(f);
    }
    void end() { send(write_end(start)); }
    void send(std::vector<std::byte> message) {
        ASSERT_TRUE(socket.send(std::move(message), 5s).value());
    }
};

/// Gives up after some seconds.
GoOn bounded() {
    auto const until = std::chrono::steady_clock::now() + 20s;
    return [until] { return std::chrono::steady_clock::now() < until; };
}

template <class Condition>
bool comes_true(Condition const& is_so) {
    GoOn const go_on = bounded();
    while (!is_so() && go_on()) std::this_thread::sleep_for(1ms);
    return is_so();
}

Scan finished() {
    std::vector<std::uint16_t> counts;
    for (index f = 0; f < rows * cols; ++f)
        for (index p = 0; p < side * side; ++p) counts.push_back(Detector::count(f, p));
    Dataset d = from_memory({counts.data(), DType::u16, {rows, cols, side, side}, {}, {}, "memory"})
                    .value();
    return Scan::load(std::move(d), {.layout = Layout::planes}).value();
}

std::vector<double> image_of(Scan const& scan) {
    std::vector const detectors{parse_detector("disk:r=9,center=10:11").value()};
    return virtual_image(scan, detectors).value().values.values;
}

/// Of a live scan, with NaN at points that have not come: whether all others are right.
index right_points(std::vector<double> const& live, std::vector<double> const& whole) {
    index right = 0;
    for (std::size_t i = 0; i < live.size(); ++i) {
        if (std::isnan(live[i])) continue;
        EXPECT_EQ(live[i], whole[i]) << i;
        ++right;
    }
    return right;
}

TEST(LiveScan, GrowsAndIsTheFinishedScanAtItsEnd) {
    std::vector<double> const whole = image_of(finished());
    Detector detector;
    LiveStream stream = LiveStream::connect(detector.socket.address()).value();
    detector.begin();
    LiveScan live = std::move(*stream.next(bounded()).value());
    EXPECT_EQ(live.series(), "3");
    EXPECT_EQ(live.dataset().scan_from, "the stream's user data");
    ASSERT_TRUE(live.keep({.device = Device::cpu(2)}));
    EXPECT_FALSE(live.keep({}));
    Scan const nothing = live.kept()->so_far();
    EXPECT_EQ(right_points(image_of(nothing), whole), 0);
    EXPECT_NE(nothing.notes().back().find("130 of 130 scan points have not come yet"),
              std::string::npos);

    detector.images(0, 50);
    ASSERT_TRUE(comes_true([&] { return live.kept()->ready() == 50; }));
    Scan const part = live.kept()->so_far();
    EXPECT_EQ(right_points(image_of(part), whole), 50);
    EXPECT_NE(part.notes().back().find("80 of 130 scan points have not come yet"),
              std::string::npos);
    EXPECT_TRUE(std::isnan(center_of_mass(part).value().row.values[100]));
    EXPECT_TRUE(std::isnan(frame(part, 9, 12).value().values[0]));
    EXPECT_EQ(frame(part, 0, 7).value().values, frame(finished(), 0, 7).value().values);

    detector.images(50, 130);
    detector.end();
    ASSERT_TRUE(live.finish());
    live.wait();
    EXPECT_EQ(live.why_ended(), "");
    EXPECT_EQ(live.kept()->ready(), 130);
    Scan const all = live.kept()->so_far();
    EXPECT_EQ(image_of(all), whole);
    EXPECT_EQ(all.dataset().missing, 0);
    // What was looked at before stays as it was.
    EXPECT_EQ(right_points(image_of(part), whole), 50);
}

// Each as soon as it comes, wherever it is, and nothing that was shown is hidden again.
TEST(LiveScan, ASlowScanIsSeenPointByPoint) {
    std::vector<double> const whole = image_of(finished());
    Detector detector;
    LiveStream stream = LiveStream::connect(detector.socket.address(), {.reorder_s = 0}).value();
    detector.begin();
    LiveScan live = std::move(*stream.next(bounded()).value());
    ASSERT_TRUE(live.keep({.device = Device::cpu(2)}));
    std::vector<Scan> looks;
    for (index const f : {0, 1, 5, 40, 129, 2}) {
        detector.image(f);
        auto const sent = std::ssize(looks) + 1;
        ASSERT_TRUE(comes_true([&] { return live.kept()->ready() == sent; })) << f;
        looks.push_back(live.kept()->so_far());
        std::vector<double> const image = image_of(looks.back());
        EXPECT_EQ(right_points(image, whole), sent);
        EXPECT_EQ(image[static_cast<std::size_t>(f)], whole[static_cast<std::size_t>(f)]);
        EXPECT_EQ(live.state().lag_s, 0);
    }
    for (index f = 3; f < 129; ++f)
        if (f != 5 && f != 40) detector.image(f);
    detector.end();
    for (index ready = 6, now = 6; ready < 130; ready = now) {
        ASSERT_TRUE(comes_true([&] { return (now = live.kept()->ready()) > ready; }));
        EXPECT_GE(right_points(image_of(live.kept()->so_far()), whole), now);
    }
    ASSERT_TRUE(live.finish());
    EXPECT_EQ(image_of(live.kept()->so_far()), whole);
    for (std::size_t i = 0; i < looks.size(); ++i)
        EXPECT_EQ(right_points(image_of(looks[i]), whole), static_cast<index>(i + 1));
}

TEST(LiveScan, LostFramesAreNotMeasuredAndTheNextSeriesFollows) {
    std::vector<double> const whole = image_of(finished());
    Detector detector;
    LiveStream stream = LiveStream::connect(detector.socket.address()).value();
    detector.begin();
    std::optional<LiveScan> live = stream.next(bounded()).value();
    ASSERT_TRUE(live->keep({.device = Device::cpu(1)}));
    detector.images(0, 20);
    detector.images(24, 100);
    detector.image(30);
    detector.end();
    ASSERT_TRUE(live->finish());
    ASSERT_EQ(live->problems().size(), 1u);
    EXPECT_EQ(text_of(live->problems()[0]), "images that came twice: 1 (the first: image 30)");
    Scan const first = live->kept()->so_far();
    EXPECT_EQ(right_points(image_of(first), whole), 96);
    EXPECT_EQ(first.dataset().missing, 34);
    EXPECT_NE(first.notes()[1].find("34 of 130 scan points were not measured (their frames did not "
                                    "come)"),
              std::string::npos)
        << first.notes()[1];

    detector.start.series_id = 4;
    detector.begin();
    LiveScan next = std::move(*stream.next(bounded()).value());
    EXPECT_TRUE(next.problems().empty());
    EXPECT_EQ(live->problems().size(), 1u);
    live.reset();  // `first` goes on
    EXPECT_EQ(next.series(), "4");
    ASSERT_TRUE(next.keep({.device = Device::cpu(2)}));
    detector.images(0, 130);
    detector.end();
    ASSERT_TRUE(next.finish());
    EXPECT_EQ(image_of(next.kept()->so_far()), whole);
    EXPECT_EQ(right_points(image_of(first), whole), 96);
}

TEST(LiveScan, AScanThatIsGivenUpEnds) {
    Detector detector;
    LiveStream stream = LiveStream::connect(detector.socket.address()).value();
    detector.begin();
    detector.images(0, 40);
    {
        LiveScan live = std::move(*stream.next(bounded()).value());
        ASSERT_TRUE(live.keep({.device = Device::cpu(2)}));
        ASSERT_TRUE(comes_true([&] { return live.kept()->ready() == 40; }));
        live.end("enough");
        ASSERT_TRUE(live.finish());
        EXPECT_EQ(live.why_ended(), "enough");
        EXPECT_EQ(live.kept()->so_far().dataset().missing, 90);
        LiveScan const dropped = std::move(live);
    }
    EXPECT_FALSE(stream.next([] { return false; }).value());
}

TEST(LiveScan, WhatFindsNoRoomIsSaid) {
    Detector detector;
    LiveStream stream = LiveStream::connect(detector.socket.address()).value();
    detector.begin();
    detector.images(0, 130);
    LiveScan live = std::move(*stream.next(bounded()).value());
    ASSERT_TRUE(live.keep({.memory = 20000, .device = Device::cpu(1)}));
    Status const full = live.finish();
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, Code::out_of_memory);
    EXPECT_NE(live.why_ended().find("are needed in memory"), std::string::npos);
    Scan const part = live.kept()->so_far();
    EXPECT_GT(right_points(image_of(part), image_of(finished())), 0);
    EXPECT_NE(part.notes().back().find("found no room in memory"), std::string::npos);
}

TEST(LiveScan, IsRecordedAlsoWhenNobodyLooks) {
    namespace fs = std::filesystem;
    fs::path const folder = fs::path(testing::TempDir()) / fmt::format("sluice_live_{}", getpid());
    fs::remove_all(folder);
    Detector detector;
    LiveOptions options;
    options.memory = 200000;  // of 130 frames of 1152 bytes half of them find room
    options.record.prefix = (folder / "scan").string();
    LiveStream stream = LiveStream::connect(detector.socket.address(), options).value();
    detector.begin();
    detector.images(0, 130);
    detector.end();
    LiveScan live = std::move(*stream.next(bounded()).value());
    EXPECT_FALSE(live.record());
    live.only_record();
    live.wait();
    ASSERT_TRUE(live.record());
    EXPECT_EQ(live.record()->recorded, 130);
    EXPECT_EQ(live.record()->error, "");
    auto const recorded = open((folder / "scan_master.h5").string());
    ASSERT_TRUE(recorded) << recorded.error().text();
    EXPECT_EQ(recorded->scan, (std::array<index, 2>{rows, cols}));
    EXPECT_FALSE(LiveStream::connect(detector.socket.address(), options));
    fs::remove_all(folder);
}

TEST(LiveScan, ShapesThatDoNotFit) {
    Detector detector;
    LiveOptions options;
    options.scan = {index{1} << 20, index{1} << 20};
    LiveStream stream = LiveStream::connect(detector.socket.address(), options).value();
    detector.begin();
    EXPECT_NE(stream.next(bounded()).error().message.find("a scan of 1048576x1048576 points"),
              std::string::npos);
}

TEST(LiveScan, TheDiskIsMeasuredOnTheFirstFrames) {
    Detector detector;
    LiveStream stream = LiveStream::connect(detector.socket.address()).value();
    detector.begin();
    detector.images(0, 10);
    LiveScan live = std::move(*stream.next(bounded()).value());
    index used = 0;
    // There is no disk in these patterns; what counts is that it was looked for in what came.
    static_cast<void>(live.find_disk(10, {.device = Device::cpu(1)}, used));
    EXPECT_EQ(used, 10);
    EXPECT_EQ(live.state().waiting(), 10);
}

}  // namespace
}  // namespace sluice::stem4d
