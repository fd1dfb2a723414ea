// Detectors that are armed for live scans: series of others, hooks that fail, detectors that are
// taken.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "net/cbor/typed_array.h"
#include "net/control/simulated.h"
#include "net/dectris/messages.h"
#include "net/socket.h"
#include "sluice/stem4d_live.h"

namespace sluice::stem4d {
namespace {

using namespace std::chrono_literals;

constexpr index rows = 3, cols = 4, side = 8;

/// A stream and a control port, between which the test stands.
struct Armable {
    net::Socket socket = net::Socket::push("tcp://127.0.0.1:*").value();
    std::unique_ptr<net::SimulatedControl> control =
        net::simulated_simplon("http://127.0.0.1:*", {.images = rows * cols}).value();
    net::dectris::Start start;
    std::atomic<bool> stop = false;
    std::jthread thread = {};

    Armable() {
        start.images = rows * cols;
        start.rows = start.cols = side;
        start.dtype = DType::u16;
        start.channels = {"threshold_1"};
    }
    ~Armable() { stop = true; }

    void series(std::uint64_t number) {
        start.series_id = number;
        send(write_start(start));
        std::vector<std::uint16_t> const counts(side * side, 1);
        cbor::TypedArray const array{.dtype = DType::u16, .dimensions = 2, .shape = {side, side}};
        for (index i = 0; i < rows * cols; ++i)
            send(write_image({.image_id = static_cast<std::uint64_t>(i), .data = array}, start,
                             std::as_bytes(std::span(counts))));
        send(write_end(start));
    }
    void send(std::vector<std::byte> message) {
        ASSERT_TRUE(socket.send(std::move(message), 5s).value());
    }
    /// Sends a series each time it is armed and triggered.
    void play() {
        thread = std::jthread([this] {
            GoOn const go_on = [this] { return !stop; };
            while (auto const armed = control->state().wait_armed(go_on)) {
                if (control->state().wait_triggered(go_on)) series(armed->series);
                control->state().sent_all();
            }
        });
    }
    LiveOptions options(ArmOptions arm = {.trigger = DetectorTrigger::software}) const {
        arm.control = control->address();
        return {.scan = std::array<index, 2>{rows, cols}, .arm = std::move(arm)};
    }
};

GoOn bounded() {
    auto const until = std::chrono::steady_clock::now() + 20s;
    return [until] { return std::chrono::steady_clock::now() < until; };
}

TEST(Arming, takes_the_series_that_was_armed) {
    Armable detector;
    auto stream = LiveStream::connect(detector.socket.address(), detector.options()).value();
    detector.series(9);  // of somebody else
    detector.play();
    auto scan = stream.next(bounded()).value();
    ASSERT_TRUE(scan);
    EXPECT_EQ(scan->series(), "1");
    ASSERT_TRUE(scan->keep({}));
    scan->wait();
    EXPECT_EQ(scan->why_ended(), "");
    auto const control = scan->control().value();
    EXPECT_EQ(control.series, "1");
    EXPECT_EQ(control.ended, "disarmed");
    auto const problems = scan->problems();
    EXPECT_TRUE(std::ranges::any_of(problems, [](StreamProblem const& p) {
        return p.what == "series that this program did not arm";
    }));
}

TEST(Arming, a_hook_that_fails_cancels) {
    Armable detector;
    detector.play();
    ArmOptions arm{.trigger = DetectorTrigger::software};
    arm.on_armed = [](ArmedScan const& scan, GoOn const&) -> Status {
        EXPECT_EQ(scan.series, "1");
        EXPECT_EQ(scan.images, rows * cols);
        return Error{Code::io, "no stage"};
    };
    auto stream = LiveStream::connect(detector.socket.address(), detector.options(arm)).value();
    auto const scan = stream.next(bounded());
    ASSERT_FALSE(scan);
    EXPECT_EQ(scan.error().message, "no stage");
    EXPECT_EQ(detector.control->state().state(), DetectorState::idle);
}

TEST(Arming, stopping_cancels_and_stops_the_hook) {
    Armable detector;
    detector.play();
    ArmOptions arm{.trigger = DetectorTrigger::software};
    arm.on_armed = [](ArmedScan const&, GoOn const& go_on) -> Status {
        while (go_on()) std::this_thread::sleep_for(1ms);
        return {};
    };
    auto stream = LiveStream::connect(detector.socket.address(), detector.options(arm)).value();
    int asked = 0;
    auto const scan = stream.next([&] { return ++asked < 5; }).value();
    EXPECT_FALSE(scan);
    EXPECT_EQ(detector.control->state().state(), DetectorState::idle);
}

TEST(Arming, somebody_else_has_it) {
    Armable detector;
    detector.play();
    auto other = DetectorControl::connect(detector.control->address()).value();
    ASSERT_TRUE(other.arm());
    auto stream = LiveStream::connect(detector.socket.address(), detector.options()).value();
    auto const refused = stream.next(bounded());
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("armed already ('ready'"), std::string::npos);
}

TEST(Arming, takes_over_what_somebody_else_armed) {
    Armable detector;
    detector.play();
    auto other = DetectorControl::connect(detector.control->address()).value();
    ASSERT_TRUE(other.arm());
    ArmOptions const take{.trigger = DetectorTrigger::software, .take_over = true};
    auto taken = LiveStream::connect(detector.socket.address(), detector.options(take)).value();
    auto scan = taken.next(bounded()).value();
    ASSERT_TRUE(scan);
    EXPECT_EQ(scan->series(), "2");
}

TEST(Arming, options_that_mean_nothing) {
    Armable const detector;
    auto const why = [&](LiveOptions options) {
        auto const stream = LiveStream::connect(detector.socket.address(), std::move(options));
        return stream ? "none" : stream.error().message;
    };
    LiveOptions no_scan = detector.options();
    no_scan.scan.reset();
    EXPECT_NE(why(no_scan).find("give --scan"), std::string::npos);
    EXPECT_NE(why(detector.options({.dwell_s = -1.0})).find("above 0"), std::string::npos);
    EXPECT_NE(why(detector.options({.set = {"x"}})).find("NAME=VALUE"), std::string::npos);
}

}  // namespace
}  // namespace sluice::stem4d
