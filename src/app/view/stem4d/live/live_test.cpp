// Scans in the viewer while they are measured.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/view/stem4d/live/test_sender.h"
#include "app/view/stem4d/test_scans.h"

namespace sluice::app {
namespace {

constexpr char const* disk = R"("mode":"sum","detectors":[{"shape":"disk","center":[16,16],)"
                             R"("outer":6}])";

class LiveTest : public ScansFixture {
  protected:
    void listen(std::string const& address, LoadOptions load = {}, double patience_s = 20) {
        ScansOptions options;
        options.streams = {address};
        options.stream.stream.protocol = StreamProtocol::dectris_v2;
        options.stream.stream.patience_s = patience_s;
        options.load = std::move(load);
        ViewerFixture::start(Scans::open(std::move(options)));
    }
    // Until so many points of the first series are shown.
    static Json shown(ScanPage& page, std::string const& which = "d1") {
        while (!page.told.contains(which) || page.told[which]["step"] != 1) page.next();
        return page.told[which];
    }
    static bool all_of(Json const& texts, std::string const& what) {
        return texts.dump().find(what) != std::string::npos;
    }
};

TEST_F(LiveTest, ThePictureFormsAndIsThatOfTheWholeScanInTheEnd) {
    TestSender sender({16, 16});
    listen(sender.address());
    ScanPage page(port());
    EXPECT_EQ(page.hello["live"][0]["state"], "waiting");
    EXPECT_TRUE(page.hello["datasets"].empty());
    sender.begin();
    sender.images(0, 64);
    Json const first = shown(page);
    EXPECT_EQ(first["state"], "live");
    EXPECT_EQ(first["live"]["series"], "7");
    EXPECT_EQ(first["live"]["disk_points"], 64);
    EXPECT_NEAR(first["disk"]["radius"].get<double>(), 6, 0.7);

    Reply const some = page.answer_to(page.ask("image", "image", disk));
    ASSERT_EQ(some.header["op"], "image") << some.header.dump();
    EXPECT_EQ(some.header["live"]["points"], 64);
    EXPECT_EQ(some.header["live"]["of"], 256);
    EXPECT_EQ(some.values()[63], TestSender::sum(63));
    EXPECT_TRUE(std::isnan(some.values()[64]));

    // Who has seen that waits for more.
    auto const more = page.ask("image", "more", std::string(disk) + R"(,"after":64)");
    EXPECT_EQ(
        page.answer_to(page.ask("frame", "frame", R"("row":0,"col":5)")).header["live"]["final"],
        true);
    Reply const none = page.answer_to(page.ask("frame", "frame", R"("row":15,"col":5)"));
    EXPECT_EQ(none.header["live"]["final"], false) << none.header.dump();
    sender.images(64, 96);
    Reply const newer = page.answer_to(more);
    EXPECT_GT(newer.header["live"]["points"], 64);
    // The second sixteen may be ready before the first.
    EXPECT_TRUE(newer.values()[79] == TestSender::sum(79) ||
                newer.values()[95] == TestSender::sum(95));

    auto const last = page.ask("image", "more", std::string(disk) + R"(,"after":256)");
    sender.images(96, 256);
    sender.end();
    Reply const whole = page.answer_to(last);
    EXPECT_FALSE(whole.header.contains("live"));
    for (index i = 0; i < 256; ++i)
        ASSERT_EQ(whole.values()[static_cast<std::size_t>(i)], TestSender::sum(i)) << i;
    Json const ready = page.dataset_in("ready");
    EXPECT_FALSE(ready["live"]["running"]);
    EXPECT_TRUE(ready["live"]["problems"].empty()) << ready.dump();
}

TEST_F(LiveTest, AFileThatIsBeingWrittenIsASeries) {
    namespace fs = std::filesystem;
    fs::path const folder =
        fs::path(testing::TempDir()) / ("sluice_live_view_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    ScansOptions options;
    options.streams = {folder.string()};
    options.stream.stream.patience_s = 20;
    ViewerFixture::start(Scans::open(std::move(options)));
    ScanPage page(port());
    EXPECT_EQ(page.hello["live"][0]["state"], "waiting");
    std::ofstream file(folder / "scan.npy", std::ios::binary);
    std::string head = "{'descr': '<u2', 'fortran_order': False, 'shape': (16, 16, 32, 32), }";
    head.resize(117, ' ');
    file << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << head << "\n";
    auto const write = [&](index first, index last) {
        for (index i = first; i < last; ++i) {
            auto const counts = TestSender::counts(i);
            file.write(reinterpret_cast<char const*>(counts.data()),
                       static_cast<std::streamsize>(2 * counts.size()));
        }
        file.flush();
    };
    write(0, 64);
    Json const first = shown(page);
    EXPECT_EQ(first["live"]["series"], "scan");
    Reply const some = page.answer_to(page.ask("image", "image", disk));
    EXPECT_EQ(some.values()[63], TestSender::sum(63));
    EXPECT_TRUE(std::isnan(some.values()[64]));
    write(64, 256);
    Json const ready = page.dataset_in("ready");
    EXPECT_TRUE(ready["live"]["problems"].empty()) << ready.dump();
    Reply const whole = page.answer_to(page.ask("image", "image", disk));
    EXPECT_EQ(whole.values()[255], TestSender::sum(255));
    fs::remove_all(folder);
}

TEST_F(LiveTest, EverythingCanBeAskedOfWhatHasCome) {
    TestSender sender({16, 16});
    listen(sender.address());
    ScanPage page(port());
    sender.begin();
    sender.images(0, 128);
    shown(page);
    page.answer_to(page.ask("image", "image", std::string(disk) + R"(,"after":127)"));
    for (auto const* mode : {"mean", "com_row", "com_vector", "divergence", "curl", "icom"}) {
        std::string const detector = std::string(disk).substr(std::string(disk).find(','));
        Reply const r = page.answer_to(
            page.ask("image", "image", fmt::format(R"("mode":"{}"{})", mode, detector)));
        ASSERT_EQ(r.header["op"], "image") << mode << r.header.dump();
        EXPECT_TRUE(std::isnan(r.values()[200])) << mode;
        // The phase is of all points, so that it may lack more than those.
        if (std::string(mode) != "icom") {
            EXPECT_FALSE(std::isnan(r.values()[40])) << mode;
        }
    }
    for (auto const* kind : {"sum", "mean", "max", "variance"}) {
        Reply const r =
            page.answer_to(page.ask("pattern", "p", fmt::format(R"("kind":"{}")", kind)));
        EXPECT_EQ(r.header["frames"], 128) << kind << r.header.dump();
    }
    Reply const region = page.answer_to(page.ask(
        "region", "p", R"("kind":"mean","region":{"shape":"rectangle","from":[6,0],"to":[9,15]})"));
    EXPECT_EQ(region.header["frames"], 32) << region.header.dump();
    for (int const row : {2, 12}) {
        Reply const disks = page.answer_to(
            page.ask("disks", "disks",
                     fmt::format(R"("row":{},"col":3,"disks":{{"template_radius":6}})", row)));
        EXPECT_EQ(disks.header["live"]["final"], row == 2) << disks.header.dump();
    }
}

TEST_F(LiveTest, WhatIsLostIsToldAndItsPointsAreEmpty) {
    TestSender sender({8, 16});
    listen(sender.address());
    ScanPage page(port());
    sender.begin();
    sender.images(0, 70);
    sender.images(73, 128);
    sender.end();
    Json const ready = page.dataset_in("ready");
    EXPECT_TRUE(all_of(ready["live"]["problems"], "3 of 128 frames are lost")) << ready.dump();
    EXPECT_TRUE(all_of(ready["notes"], "3 of 128 scan points were not measured")) << ready.dump();
    Reply const image = page.answer_to(page.ask("image", "image", disk));
    for (std::size_t i : {70U, 71U, 72U}) EXPECT_TRUE(std::isnan(image.values()[i]));
    EXPECT_EQ(image.values()[73], TestSender::sum(73));
}

TEST_F(LiveTest, ASenderThatFallsSilentEndsTheSeriesInWords) {
    TestSender sender({8, 16});
    listen(sender.address(), {}, 0.3);
    ScanPage page(port());
    sender.begin();
    sender.images(0, 80);
    Json const ready = page.dataset_in("ready");
    EXPECT_TRUE(all_of(ready["live"]["problems"], "ended early")) << ready.dump();
    Reply const image = page.answer_to(page.ask("image", "image", disk));
    EXPECT_EQ(image.values()[79], TestSender::sum(79));
    EXPECT_TRUE(std::isnan(image.values()[80]));
}

TEST_F(LiveTest, APageEndsASeriesAndAnotherHearsOfIt) {
    TestSender sender({8, 16});
    listen(sender.address());
    ScanPage page(port()), other(port());
    sender.begin();
    sender.images(0, 64);
    shown(page);
    page.ask("cancel", "tell", "");
    Json const ready = other.dataset_in("ready");
    EXPECT_TRUE(all_of(ready["live"]["problems"], "somebody ended it")) << ready.dump();
    // A later page sees it, too, and it cannot be loaded from anywhere.
    ScanPage later(port());
    later.ask("load", "tell", "");
    EXPECT_EQ(later.dataset_in("ready")["live"]["series"], "7");
}

TEST_F(LiveTest, TheDiskIsFoundAgainOnWhatHasCome) {
    TestSender sender({16, 16});
    listen(sender.address());
    ScanPage page(port());
    sender.begin();
    sender.images(0, 64);
    shown(page);
    sender.images(64, 128);
    auto const enough = page.ask("image", "image", std::string(disk) + R"(,"after":127)");
    page.answer_to(enough);
    EXPECT_EQ(page.answer_to(page.ask("find_disk", "disk", "")).header["op"], "find_disk");
    while (page.told["d1"]["live"]["disk_points"] != 128) page.next();
}

TEST_F(LiveTest, TheNextSeriesTakesTheRoomOfTheOldest) {
    TestSender sender({16, 16});
    LoadOptions load;
    load.memory = 120000;
    listen(sender.address(), load);
    ScanPage page(port());
    std::string const names[] = {"d1", "d2", "d3", "d4", "d5", "d6"};
    for (std::uint64_t series = 1; series <= 6; ++series) {
        sender.begin(series);
        sender.images(0, 256);
        sender.end();
        Json const ready = page.dataset_in("ready", names[series - 1]);
        EXPECT_TRUE(ready["live"]["problems"].empty()) << ready.dump();
    }
    page.until(
        [](Json const& h) { return h["op"] == "live" && h["live"][0]["state"] == "waiting"; });
    ScanPage later(port());
    auto const& left = later.hello["datasets"];
    EXPECT_LT(left.size(), 6U) << left.dump();
    EXPECT_EQ(left.back()["live"]["series"], "6");
    EXPECT_EQ(later.hello["live"][0]["series"], 6);
    EXPECT_EQ(later.hello["live"][0]["dropped"].get<std::size_t>(), 6 - left.size());
}

TEST_F(LiveTest, TheDriftOfASeriesIsThatOfTheSender) {
    TestSender sender({32, 32});
    listen(sender.address());
    ScanPage page(port());
    constexpr stem4d::Point drifts[] = {{0, 0}, {1.5, -2.25}, {-3, 0.75}};
    for (std::uint64_t series = 1; series <= std::size(drifts); ++series) {
        sender.show_blobs(drifts[series - 1]);
        sender.begin(series);
        sender.images(0, 1024);
        sender.end();
        page.until([&](Json const& h) {
            return h["op"] == "live" && h["live"][0]["drift"].size() == series;
        });
    }
    ScanPage later(port());
    Json const drift = later.hello["live"][0]["drift"];
    EXPECT_NE(drift[0]["text"].get<std::string>().find("from here"), std::string::npos);
    for (std::size_t i = 0; i < std::size(drifts); ++i) {
        EXPECT_EQ(drift[i]["dataset"], fmt::format("d{}", i + 1));
        EXPECT_EQ(drift[i]["first"], "d1");
        EXPECT_EQ(drift[i]["scan"], i + 1);
        EXPECT_NEAR(drift[i]["row"].get<double>(), drifts[i].row, 0.03) << drift.dump();
        EXPECT_NEAR(drift[i]["col"].get<double>(), drifts[i].col, 0.03) << drift.dump();
        EXPECT_LT(drift[i]["row_error"].get<double>(), 0.03) << drift.dump();
    }
    EXPECT_NE(drift[1]["text"].get<std::string>().find("drift 1.50 +- "), std::string::npos)
        << drift.dump();
}

TEST_F(LiveTest, DriftThatCannotBeToldIsNoNumber) {
    TestSender sender({16, 16});
    listen(sender.address());
    ScanPage page(port());
    for (std::uint64_t series = 1; series <= 2; ++series) {
        // One point of the second series alone.
        sender.begin(series);
        sender.images(0, series == 1 ? 256 : 1);
        sender.end();
        page.until([&](Json const& h) {
            return h["op"] == "live" && h["live"][0]["drift"].size() == series;
        });
    }
    ScanPage later(port());
    Json const second = later.hello["live"][0]["drift"][1];
    EXPECT_TRUE(second["row"].is_null()) << second.dump();
    EXPECT_NE(second["text"].get<std::string>().find("cannot be told"), std::string::npos);
}

TEST_F(LiveTest, ASeriesThatDoesNotFitIsKeptAsFarAsItDoes) {
    TestSender sender({32, 32});
    LoadOptions load;
    load.memory = 20000;
    listen(sender.address(), load);
    ScanPage page(port());
    sender.begin();
    sender.images(0, 1024);
    sender.end();
    while (!page.told.contains("d1") || page.told["d1"]["live"]["running"]) page.next();
    Json const d = page.told["d1"];
    EXPECT_TRUE(all_of(d["live"]["problems"], "does not fit into memory")) << d.dump();
    EXPECT_TRUE(all_of(d["live"]["problems"], "--det-bin")) << d.dump();
}

TEST_F(LiveTest, WhatNeedsTheWholeScanIsRefusedAtTheStart) {
    ScansOptions options;
    options.streams = {"tcp://127.0.0.1:31001"};
    options.load.hot_pixels = true;
    auto const domain = Scans::open(std::move(options));
    ASSERT_FALSE(domain);
    EXPECT_NE(domain.error().message.find("--hot-pixels"), std::string::npos);
}

}  // namespace
}  // namespace sluice::app
