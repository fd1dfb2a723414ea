// Control ports: simulated detectors are set, armed, triggered and let go of; wrong answers are
// told.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "net/control/simulated.h"
#include "net/control/test_port.h"
#include "net/json/tree.h"

namespace sluice::net {
namespace {

using namespace std::chrono_literals;

std::string http_of(std::string const& body, std::string const& status = "200 OK") {
    return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}
std::string mpx(std::string const& text) {
    std::string digits = std::to_string(text.size() + 1);
    return "MPX," + std::string(10 - digits.size(), '0') + digits + "," + text;
}

/// What a simulator does with a series, on a thread of its own.
struct Images {
    SimulatedDetectorState& state;
    std::atomic<bool> stop = false;
    std::atomic<index> series = 0, images = 0, cancelled = 0;
    std::jthread thread{[this] {
        GoOn const go_on = [this] { return !stop; };
        while (auto const armed = state.wait_armed(go_on)) {
            ++series;
            if (state.wait_triggered(go_on)) images += armed->images;
            if (state.cancelled()) ++cancelled;
            state.sent_all();
        }
    }};
    ~Images() { stop = true; }
};

TEST(DetectorControl, simplon_is_set_armed_and_triggered) {
    auto const simulated = simulated_simplon("http://127.0.0.1:*", {.images = 4}).value();
    Images made{simulated->state()};
    auto d = DetectorControl::connect(simulated->address()).value();
    EXPECT_EQ(d.status().value().state, DetectorState::idle);
    EXPECT_EQ(d.status().value().software, "SIMPLON 1.8.0");
    auto const changes = d.set("nimages", "9").value();
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].before + changes[0].after, "49");
    EXPECT_EQ(d.get("nimages").value(), "9");
    EXPECT_EQ(d.set("count_time", "0.5").value().back().name, "frame_time");
    EXPECT_EQ(d.set("trigger_mode", "ints").value()[0].after, "ints");
    EXPECT_EQ(d.arm().value(), 1u);
    EXPECT_EQ(d.status().value().state, DetectorState::armed);
    EXPECT_FALSE(d.arm());
    EXPECT_FALSE(d.set("nimages", "3"));
    ASSERT_TRUE(d.trigger());
    EXPECT_EQ(made.images, 9);
    ASSERT_TRUE(d.disarm());
    EXPECT_EQ(d.arm().value(), 2u);
    ASSERT_TRUE(d.cancel());
    EXPECT_EQ(d.status().value().state, DetectorState::idle);
    EXPECT_EQ(made.cancelled, 1);
}

TEST(DetectorControl, simplon_says_what_it_does_not_take) {
    auto const simulated = simulated_simplon("http://127.0.0.1:*", {}).value();
    auto d = DetectorControl::connect(simulated->address()).value();
    auto const why = [&](char const* name, char const* value) {
        auto const changed = d.set(name, value);
        return changed ? "none" : changed.error().message;
    };
    EXPECT_NE(why("trigger_mode", "often").find("cannot be 'often'"), std::string::npos);
    EXPECT_NE(why("trigger_mode", "\xff").find("it is no UTF-8"), std::string::npos);
    EXPECT_NE(why("nimages", "many").find("is no text"), std::string::npos);
    EXPECT_NE(why("nimages", "0").find("400 Bad Request"), std::string::npos);
    EXPECT_NE(why("no_such", "1").find("404 Not Found"), std::string::npos);
    EXPECT_NE(why("detector/status/state", "1").find("no setting but a state"), std::string::npos);
    EXPECT_NE(why("../x", "1").find("names no setting"), std::string::npos);
    EXPECT_EQ(d.get("no_such").error().code, Code::not_found);
}

TEST(DetectorControl, wrong_answers_of_simplon) {
    auto const why = [](std::string const& answer) {
        TestPort const port({{answer}});
        auto const d = DetectorControl::connect(port.http());
        return d ? "none" : d.error().text();
    };
    EXPECT_NE(why(http_of("{\"value\":\"../../x\"}")).find("no version"), std::string::npos);
    EXPECT_NE(why(http_of("<html>")).find("no JSON"), std::string::npos);
    EXPECT_NE(why(http_of(std::string(100000, '['))).find("brackets"), std::string::npos);
    EXPECT_NE(why(http_of("x\ny", "500 Oh\tno")).find("500 Oh no (x y)"), std::string::npos);
    EXPECT_NE(why(http_of("", "302 Found\r\nLocation: /y")).find("302 Found"), std::string::npos);
    EXPECT_NE(why(http_of("7")).find("no version"), std::string::npos);
}

TEST(DetectorControl, merlin_is_set_armed_and_triggered) {
    auto const simulated = simulated_merlin("tcp://127.0.0.1:*", {.images = 4}).value();
    Images made{simulated->state()};
    auto d = DetectorControl::connect(simulated->address(), ControlKind::merlin).value();
    EXPECT_EQ(d.status().value().state, DetectorState::idle);
    EXPECT_EQ(d.status().value().word, "idle");
    EXPECT_EQ(d.set("NUMFRAMESTOACQUIRE", "9").value()[0].before, "4");
    EXPECT_EQ(d.get("NUMFRAMESTOACQUIRE").value(), "9");
    ASSERT_TRUE(d.set("TRIGGERSTART", "5"));
    EXPECT_EQ(d.arm().value(), std::nullopt);
    EXPECT_EQ(d.status().value().word, "armed");
    EXPECT_NE(d.set("TRIGGERSTART", "1").error().message.find("busy"), std::string::npos);
    ASSERT_TRUE(d.trigger());
    while (d.status().value().state != DetectorState::idle) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(made.images, 9);
    ASSERT_TRUE(d.disarm());
    EXPECT_NE(d.get("NOSUCH").error().message.find("does not know"), std::string::npos);
    EXPECT_NE(d.set("ACQUISITIONTIME", "-1").error().message.find("out of range"),
              std::string::npos);
    EXPECT_FALSE(d.set("ACQUISITIONTIME", "1,2"));
    EXPECT_FALSE(d.get("A,B"));
}

TEST(DetectorControl, wrong_answers_of_merlin) {
    auto const why = [](std::string const& answer) {
        TestPort const port({{answer}});
        auto const d = DetectorControl::connect(port.tcp(), ControlKind::merlin);
        return d ? "none" : d.error().message;
    };
    EXPECT_NE(why("HTTP/1.1 400 Bad Request").find("begins no message"), std::string::npos);
    EXPECT_NE(why("MPX,9999999999,").find("begins no message"), std::string::npos);
    EXPECT_NE(why("MPX,0000000000,").find("begins no message"), std::string::npos);
    EXPECT_NE(why("MPX,0000000050,GET").find("cut off"), std::string::npos);
    EXPECT_NE(why("").find("closed the connection"), std::string::npos);
    EXPECT_NE(why(mpx("GET,OTHER,0,0")).find("no answer to that"), std::string::npos);
    EXPECT_NE(why(mpx("GET,DETECTORSTATUS")).find("no answer to that"), std::string::npos);
    EXPECT_NE(why(mpx("GET,DETECTORSTATUS,0,9")).find("status 9"), std::string::npos);
    EXPECT_NE(why(mpx("GET,DETECTORSTATUS,0,x")).find("no answer to that"), std::string::npos);
}

TEST(DetectorControl, addresses_say_what_is_there) {
    EXPECT_EQ(kind_of("http://dcu", ControlKind::by_address).value(), ControlKind::simplon);
    EXPECT_EQ(kind_of("tcp://m:6341", ControlKind::by_address).value(), ControlKind::merlin);
    EXPECT_FALSE(kind_of("tcp://m:80", ControlKind::by_address));
}

TEST(ReadJson, is_bounded) {
    EXPECT_EQ(plain_text(read_json("{\"a\": [1, \"b\"]}").value()), "{\"a\":[1,\"b\"]}");
    EXPECT_EQ(plain_text(read_json("\"b\"").value()), "b");
    EXPECT_FALSE(read_json(""));
    EXPECT_FALSE(read_json("[1"));
    EXPECT_FALSE(read_json(std::string(40, '[') + std::string(40, ']')));
    std::string many = "[";
    for (int i = 0; i < 1000001; ++i) many += "1,";
    EXPECT_FALSE(read_json(many + "1]"));
}

}  // namespace
}  // namespace sluice::net
