// The monitor over its socket: pages that come late, go, and come by twos; nothing is copied
// without a page. SPDX-License-Identifier: Apache-2.0
#include "app/view/ptychography/monitor.h"

#include "app/view/test_viewer.h"

namespace sluice::app {
namespace {

using namespace std::chrono_literals;
using stem4d::PtychographyView;

// A reconstruction whose numbers tell where and when they are from.
class Work {
  public:
    static constexpr index rows = 5, cols = 7, side = 4, slices = 3, modes = 2, iterations = 100;

    static float value(index iteration, index plane, index at) {
        return static_cast<float>(1000 * iteration + 100 * plane + at);
    }
    static Array<std::complex<float>> plane(index iteration, index number, index r, index c) {
        auto out = Array<std::complex<float>>::zeros({r, c});
        for (index i = 0; i < r * c; ++i)
            out.values[static_cast<std::size_t>(i)] = {value(iteration, number, i),
                                                       -value(iteration, number, i)};
        return out;
    }

    /// The next iteration is done, and the monitor looks.
    void iterate(Monitor& monitor, bool within = false) {
        if (!within)
            rounds.push_back({.stage = rounds.size() >= 2, .r = 1.0 / double(rounds.size() + 1)});
        auto const now = std::ssize(rounds);
        positions[1].row = 2 + 0.25 * static_cast<double>(now);
        PtychographyView view{.within = within,
                              .iterations = iterations,
                              .done = static_cast<std::uint64_t>(now) * 2,
                              .all = iterations * 2,
                              .rounds = rounds,
                              .positions = positions,
                              .started = started,
                              .slices = slices,
                              .modes = modes};
        view.slice = [&, now](index s) { return ++copies, plane(now, s, rows, cols); };
        view.mode = [&, now](index k) { return plane(now, k, side, side); };
        view.floor = [&] { return ++floors, 0.125; };
        monitor.look(view);
    }
    stem4d::PtychographyResult result() const {
        stem4d::PtychographyResult r;
        auto const now = std::ssize(rounds);
        r.object.shape = {slices, rows, cols};
        for (index s = 0; s < slices; ++s) {
            auto const one = plane(now, s, rows, cols).values;
            r.object.values.insert(r.object.values.end(), one.begin(), one.end());
        }
        r.probe = plane(now, 0, side, side);
        r.probe.shape = {1, side, side};
        r.mode_powers = {1};
        r.positions = positions;
        r.started = started;
        r.rounds = rounds;
        r.floor = 0.5;
        return r;
    }

    int copies = 0, floors = 0;
    std::vector<stem4d::PtychographyRound> rounds;
    std::vector<stem4d::Position> positions{{1, 1}, {2, 3}}, started = positions;
};

class MonitorTest : public ViewerFixture {
  protected:
    void start(bool keep_all = false) {
        auto domain = std::make_unique<Monitor>(
            keep_all, [this] { return Monitor::Clock::time_point(time_.load()); });
        monitor = domain.get();
        ViewerFixture::start(std::unique_ptr<Domain>(std::move(domain)));
    }
    /// More than the monitor's pace. Its clock stands still otherwise, so that no work is long.
    void pass() { time_ = time_.load() + 250ms; }
    void begin_job() {
        monitor->start({.name = "scan.h5",
                        .patterns = 2,
                        .size = 4,
                        .pixel_nm = 0.01,
                        .slices = Work::slices,
                        .modes = Work::modes,
                        .stages = {{"lsqml", 2}, {"epie", 98, true}}});
    }
    static Reply ask(Page& page, std::string const& op, std::string const& fields = "") {
        return page.answer_to(page.ask(op, op, fields));
    }
    static Json state_of(Page& page, std::uint64_t snapshot) {
        return page
            .until([&](Json const& h) { return h["op"] == "state" && h["snapshot"] == snapshot; })
            .header;
    }
    static auto is(char const* state) {
        return [state](Json const& h) { return h["op"] == "state" && h["state"] == state; };
    }
    static void expect_wave(Reply const& r, index iteration, index plane, index size) {
        ASSERT_EQ(r.header["op"] == "error", false) << r.header.dump();
        EXPECT_EQ(r.header["iteration"], iteration);
        auto const values = r.values();
        ASSERT_EQ(std::ssize(values), 2 * size);
        for (index i = 0; i < size; ++i) {
            EXPECT_EQ(values[static_cast<std::size_t>(i)],
                      double(Work::value(iteration, plane, i)));
            EXPECT_EQ(values[static_cast<std::size_t>(size + i)],
                      -double(Work::value(iteration, plane, i)));
        }
    }

    std::atomic<Monitor::Clock::duration> time_ = Monitor::Clock::duration(1h);
    Monitor* monitor = nullptr;
    Work work;
};

TEST_F(MonitorTest, NothingIsCopiedForNobody) {
    start();
    begin_job();
    for (int i = 0; i < 5; ++i) work.iterate(*monitor);
    pass();
    work.iterate(*monitor);
    EXPECT_EQ(work.copies + work.floors, 0);
    monitor->finish(work.result());
    EXPECT_TRUE(monitor->wait_for_pages(0ms));
}

TEST_F(MonitorTest, APageThatComesLateHasAllThatWasAndSeesWhatIs) {
    start();
    begin_job();
    for (int i = 0; i < 3; ++i) work.iterate(*monitor);
    Page page(port());
    EXPECT_EQ(page.hello["job"]["name"], "scan.h5");
    EXPECT_EQ(page.hello["job"]["stages"][1]["refines"], true);
    EXPECT_EQ(page.hello["state"]["state"], "running");
    EXPECT_EQ(page.hello["state"]["iteration"], 3);
    EXPECT_EQ(page.hello["state"]["iterations"], 100);
    EXPECT_EQ(page.hello["state"]["snapshot"], 0);
    // Within an iteration it need not wait for the end of it.
    work.iterate(*monitor, true);
    Json const state = state_of(page, 1);
    EXPECT_EQ(state["floor"], 0.125);
    EXPECT_EQ(state["powers"].size(), 2U);
    expect_wave(ask(page, "object", R"("slice":0)"), 3, 0, Work::rows * Work::cols);
    expect_wave(ask(page, "probe", R"("mode":1)"), 3, 1, Work::side * Work::side);
    Reply const places = ask(page, "positions");
    EXPECT_EQ(places.values(0), (std::vector<double>{1, 1, 2, 3}));
    EXPECT_EQ(places.values(1), (std::vector<double>{0, 0, 0.75, 0}));
    Reply const curve = ask(page, "curve", R"("from":1)");
    EXPECT_EQ(curve.values(0), (std::vector<double>{0.5, static_cast<double>(1.0F / 3)}));
    EXPECT_EQ(curve.values(1), (std::vector<double>{0, 1}));
    EXPECT_EQ(ask(page, "curve", R"("from":9)").values().size(), 0U);
}

TEST_F(MonitorTest, TellsWhenItWentBack) {
    start();
    begin_job();
    for (int i = 0; i < 5; ++i) work.iterate(*monitor);
    Page page(port());
    EXPECT_EQ(page.hello["state"]["curve"], 0);
    work.rounds.resize(2);
    work.iterate(*monitor);
    Json const state = state_of(page, 1);
    EXPECT_EQ(state["curve"], 1);
    EXPECT_EQ(state["iteration"], 3);
    EXPECT_EQ(ask(page, "curve", R"("from":0)").values().size(), 3U);
}

TEST_F(MonitorTest, CopiesFollowWhatPagesAsk) {
    start();
    begin_job();
    Page page(port());
    work.iterate(*monitor);
    state_of(page, 1);
    // Until it asks for what there is, it is given nothing new.
    pass();
    work.iterate(*monitor);
    EXPECT_EQ(work.copies, 1);
    ask(page, "object", R"("slice":0)");
    work.iterate(*monitor);
    EXPECT_EQ(work.copies, 2);
}

TEST_F(MonitorTest, ASliceThatNobodyLookedAtComesWithTheNextCopy) {
    start();
    begin_job();
    Page page(port());
    work.iterate(*monitor);
    state_of(page, 1);
    auto const asked = page.ask("object", "object", R"("slice":2)");
    Page second(port());
    ask(second, "ping");
    pass();
    work.iterate(*monitor);
    expect_wave(page.answer_to(asked), 2, 2, Work::rows * Work::cols);
    // The other page looks at its own slice.
    expect_wave(ask(second, "object", R"("slice":0)"), 2, 0, Work::rows * Work::cols);
    EXPECT_EQ(ask(page, "object", R"("slice":3)").header["code"], "not_found");
    EXPECT_EQ(ask(page, "probe", R"("mode":2)").header["code"], "not_found");
    EXPECT_EQ(ask(page, "object", R"("slice":-1)").header["code"], "invalid_argument");
    EXPECT_EQ(ask(page, "image").header["code"], "invalid_argument");
    EXPECT_EQ(ask(page, "object").header["op"], "error");
}

TEST_F(MonitorTest, PagesMayGoAndTheLastHaveTheEnd) {
    start();
    begin_job();
    Page stays(port());
    {
        Page goes(port());
        work.iterate(*monitor);
        state_of(goes, 1);
        goes.client.vanish();
    }
    work.iterate(*monitor);
    auto const parked = stays.ask("object", "late", R"("slice":1)");
    ask(stays, "ping");
    work.rounds.resize(1);
    monitor->finish(work.result());
    EXPECT_FALSE(monitor->wait_for_pages(20ms)) << "a page does not have the end yet";
    // It asked before the end: its slice was kept.
    expect_wave(stays.answer_to(parked), 1, 1, Work::rows * Work::cols);
    // Its answer and the news come in any order; what a new page is told is the newest.
    Json const state = Page(port()).hello["state"];
    EXPECT_EQ(state["state"], "finished");
    EXPECT_EQ(state["iteration"], 1);
    EXPECT_EQ(state["floor"], 0.5);
    EXPECT_EQ(state["rate"], nullptr);
    EXPECT_EQ(ask(stays, "object", R"("slice":0)").header["code"], "not_found");
    stays.ask("shown", "shown");
    EXPECT_TRUE(monitor->wait_for_pages(60s));
}

TEST_F(MonitorTest, WhatIsKeptCanBeLookedAtAfterTheEnd) {
    start(true);
    begin_job();
    work.iterate(*monitor);
    monitor->finish(work.result());
    Page page(port());
    EXPECT_EQ(page.hello["state"]["state"], "finished");
    for (index s = 0; s < Work::slices; ++s)
        expect_wave(ask(page, "object", fmt::format(R"("slice":{})", s)), 1, s,
                    Work::rows * Work::cols);
}

TEST_F(MonitorTest, TellsWhyAJobFailedAndBeginsAnother) {
    start();
    Page page(port());
    EXPECT_EQ(page.hello["job"], nullptr);
    EXPECT_EQ(page.hello["state"]["state"], "waiting");
    begin_job();
    auto const waits = page.ask("object", "object", R"("slice":0)");
    monitor->fail("the windows do not overlap", false);
    EXPECT_EQ(page.answer_to(waits).header["code"], "not_found");
    Json const state = Page(port()).hello["state"];
    EXPECT_EQ(state["state"], "failed");
    EXPECT_EQ(state["message"], "the windows do not overlap");
    begin_job();
    Json const next = page.until([](Json const& h) { return h["op"] == "job"; }).header;
    EXPECT_EQ(next["job"]["number"], 2);
    monitor->fail("", true);
    page.until(is("stopped"));
}

// A scan that is measured: job after job, each of more points.
TEST_F(MonitorTest, AJobThatFollowsLeavesWhatPagesLookAt) {
    start();
    Page page(port());
    begin_job();
    work.iterate(*monitor);
    state_of(page, 1);
    auto const parked = page.ask("object", "object", R"("slice":1)");
    ask(page, "ping");
    monitor->pause(work.result());
    expect_wave(page.answer_to(parked), 1, 1, Work::rows * Work::cols);
    // The end is shown, however short the job was.
    Json const paused = Page(port()).hello["state"];
    EXPECT_EQ(paused["state"], "paused");
    EXPECT_EQ(paused["snapshot"], 2);
    EXPECT_EQ(paused["rate"], nullptr);
    EXPECT_TRUE(paused["left"].is_null());
    monitor->start({.name = "scan.h5",
                    .patterns = 2,
                    .size = 4,
                    .slices = Work::slices,
                    .modes = Work::modes,
                    .follows = true});
    Json const next =
        page.until([](Json const& h) { return h["op"] == "job" && h["job"]["number"] == 2; })
            .header;
    EXPECT_EQ(next["job"]["follows"], true);
    work.rounds.clear();
    work.iterate(*monitor);
    page.until(
        [](Json const& h) { return h["op"] == "state" && h["job"] == 2 && h["snapshot"] == 1; });
    expect_wave(ask(page, "object", R"("slice":1)"), 1, 1, Work::rows * Work::cols);
}

TEST_F(MonitorTest, ForeignersAreRefused) {
    start();
    EXPECT_THROW(server::TestClient(port(), "wrong"), std::exception);
    EXPECT_THROW(server::TestClient(port(), "secret", "http://evil"), std::exception);
    EXPECT_EQ(server::http_get(port(), "/?token=wrong").status, 403U);
}

TEST(Pace, IsAShareOfTheTime) {
    Pace pace(100ms, 20);
    auto const t = Pace::Clock::now();
    EXPECT_TRUE(pace.due(t));
    pace.done(t, t + 1ms);
    EXPECT_FALSE(pace.due(t + 100ms));
    EXPECT_TRUE(pace.due(t + 101ms));
    pace.done(t, t + 50ms);
    EXPECT_FALSE(pace.due(t + 1049ms));
    EXPECT_TRUE(pace.due(t + 1050ms));
}

TEST(Speed, IsThatOfTheLastSeconds) {
    Speed speed;
    Speed::Clock::time_point const t{};
    EXPECT_EQ(speed.rate(), 0);
    speed.add(t, 0);
    EXPECT_EQ(speed.rate(), 0);
    speed.add(t + 100s, 100);
    EXPECT_EQ(speed.rate(), 1);
    for (int i = 1; i <= 12; ++i)
        speed.add(t + 100s + i * 1s, 100 + 50 * static_cast<std::uint64_t>(i));
    EXPECT_EQ(speed.rate(), 50);
}

}  // namespace
}  // namespace sluice::app
