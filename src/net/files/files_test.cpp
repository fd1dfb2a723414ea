// Files that are read while they are written. Every wait is bounded, and nothing hangs on its
// length.
// SPDX-License-Identifier: Apache-2.0
#include "net/files/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "format/mib/test_mib.h"
#include "net/test_receiver.h"

namespace sluice::net::files {
namespace {

namespace fs = std::filesystem;
using mib::made;
using mib::made_hdr;

class LiveFiles : public testing::Test {
  protected:
    LiveFiles()
        : folder_(fs::path(testing::TempDir()) / ("sluice_files_" + std::to_string(::getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~LiveFiles() override { fs::remove_all(folder_); }

    std::string at(std::string const& name) const { return (folder_ / name).string(); }
    void add(std::string const& name, std::string const& data) const {
        std::ofstream(at(name), std::ios::binary | std::ios::app) << data;
    }
    static TestReceiver watch(std::string const& path, StreamOptions options = {}) {
        if (options.patience_s == 10) options.patience_s = 0.4;
        return {Files::watch(path, std::move(options)).value()};
    }
    static std::optional<Series> begun(TestReceiver& r) {
        auto series = r.stream->wait_for_series(r.bounded());
        EXPECT_TRUE(series) << series.error().text();
        return series ? *series : std::nullopt;
    }
    // What comes of a series while `writer` goes on.
    template <class Writer>
    static std::string come(TestReceiver& r, index frames, Writer const& writer,
                            std::string* why = nullptr) {
        FrameRing ring({.name = "test", .frames = frames});
        std::jthread const writing(writer);
        r.stream->receive(ring, [] { return true; });
        if (why) *why = ring.why_ended();
        return marks(ring, frames);
    }
    static std::string npy_header(std::string const& shape) {
        std::string text = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + "), }";
        text.resize(117, ' ');
        return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + "\n";
    }
    static std::string bytes(char first, int frames, std::size_t each) {
        std::string all;
        for (int i = 0; i < frames; ++i) all += std::string(each, static_cast<char>(first + i));
        return all;
    }
    fs::path folder_;
};

TEST_F(LiveFiles, AMibFileGrowsInPieces) {
    TestReceiver r = watch(at("scan.mib"));
    add("scan.hdr", made_hdr(6, 3));
    add("scan.mib", made(1, 1) + "MQ1,0");
    auto const series = begun(r);
    ASSERT_TRUE(series);
    EXPECT_EQ(series->name, "scan");
    EXPECT_EQ(series->images, 6);
    EXPECT_EQ(series->scan, (std::array<index, 2>{2, 3}));
    std::string why = "?";
    EXPECT_EQ(come(
                  r, 6,
                  [&] {
                      std::string const rest = made(2, 6).substr(5);
                      for (std::size_t i = 0; i < rest.size(); i += 100) {
                          add("scan.mib", rest.substr(i, 100));
                          std::this_thread::sleep_for(std::chrono::milliseconds(3));
                      }
                  },
                  &why),
              "123456");
    EXPECT_EQ(why, "");
}

TEST_F(LiveFiles, NumberedMibFilesAppear) {
    TestReceiver r = watch(at("scan1.mib"), {.open = {.scan_shape = {{2, 4}}}});
    add("scan1.mib", made(1, 3));
    auto const series = begun(r);
    ASSERT_TRUE(series);
    EXPECT_EQ(series->images, 0);
    std::string why = "?";
    EXPECT_EQ(come(
                  r, 8,
                  [&] {
                      add("scan2.mib", made(4, 6));
                      add("scan3.mib", made(7, 7));
                      add("scan3.mib", made(8, 8));
                  },
                  &why),
              "12345678");
    EXPECT_EQ(why, "");
}

TEST_F(LiveFiles, OnlyFilesThatChangedAreOpenedAgain) {
    Growing growing(at("scan1.mib"), {}, Growing::Clock::duration::zero());
    auto const path = [](index file) { return fmt::format("scan{}.mib", file); };
    auto const look = [&] {
        EXPECT_TRUE(growing.look());
        std::string numbers;
        for (auto images = growing.take(); !images.empty(); images = growing.take())
            for (auto const& one : images) numbers += fmt::format("{} ", one.number);
        return numbers;
    };
    // Times of folders are coarse.
    auto time = fs::last_write_time(folder_);
    auto const appears = [&](index file) {
        add(path(file), made(static_cast<std::uint64_t>(file), static_cast<std::uint64_t>(file)));
        fs::last_write_time(folder_, time += std::chrono::seconds(1));
    };
    constexpr index files = 40;
    for (index file = 1; file <= files; ++file) {
        appears(file);
        EXPECT_EQ(look(), fmt::format("{} ", file - 1));
        EXPECT_EQ(growing.opened_files(), file);
    }
    add(path(files), made(files + 1, files + 1));
    EXPECT_EQ(look(), "40 ");
    EXPECT_EQ(growing.opened_files(), files + 1);
    fs::last_write_time(at(path(3)), time);
    EXPECT_EQ(look(), "");
    EXPECT_EQ(growing.opened_files(), files + 2);
    // Half of a frame is looked at again when the rest comes.
    std::string const frame = made(files + 2, files + 2);
    add(path(files + 1), frame.substr(0, 400));
    fs::last_write_time(folder_, time += std::chrono::seconds(1));
    EXPECT_EQ(look(), "");
    add(path(files + 1), frame.substr(400));
    fs::last_write_time(folder_, time += std::chrono::seconds(1));
    EXPECT_EQ(look(), "41 ");
    EXPECT_EQ(growing.opened_files(), files + 4);
    // Without a change, all are: stamps may miss one.
    std::this_thread::sleep_for(std::chrono::milliseconds(510));
    EXPECT_EQ(look(), "");
    EXPECT_EQ(growing.opened_files(), files + 4 + files + 1);
}

// How long a frame of 24 bits is shows by what follows it, or by the end of its file.
TEST_F(LiveFiles, FilesOfOneFrameOf24BitsAppear) {
    for (bool const twice : {true, false}) {
        std::string const name = twice ? "twice" : "whole";
        auto const frame = [&](std::uint64_t number) {
            std::string all = made(number, number, {.width = 128, .type = "R64", .depth = 24});
            if (!twice) all += std::string(all.size() - 384, static_cast<char>(number));
            return all;
        };
        fs::create_directories(folder_ / name);
        TestReceiver r =
            watch((folder_ / name).string(), {.patience_s = 5, .open = {.scan_shape = {{2, 2}}}});
        auto const path = [&](int number) { return fmt::format("{}/s{:03}.mib", name, number); };
        // Half of a frame may be a whole one of the other form.
        add(path(1), frame(1).substr(0, 384 + 128 * 4 * 2));
        int looks = 0;
        ASSERT_FALSE(r.stream->wait_for_series([&] { return ++looks < 10; }).value());
        if (!twice) add(path(1), frame(1).substr(384 + 128 * 4 * 2));
        add(path(2), frame(2).substr(0, 500));
        auto const series = begun(r);
        ASSERT_TRUE(series);
        EXPECT_EQ(series->dataset.cols, twice ? 64 : 128);
        EXPECT_EQ(come(r, 4,
                       [&] {
                           add(path(2), frame(2).substr(500));
                           add(path(3), frame(3));
                           add(path(4), frame(4));
                       }),
                  "1234");
    }
}

TEST_F(LiveFiles, ARawFileEndsWhenNothingComes) {
    OpenOptions open{.scan_shape = {{2, 3}},
                     .format = RawOptions{.raw_dtype = "uint8", .raw_frame = {{4, 5}}}};
    TestReceiver r = watch(at("scan.raw"), {.open = open});
    add("scan.raw", bytes(1, 1, 20));
    ASSERT_TRUE(begun(r));
    std::string why;
    // The last frame lacks a byte.
    EXPECT_EQ(come(
                  r, 6, [&] { add("scan.raw", bytes(2, 3, 20).substr(0, 59)); }, &why),
              "123...");
    EXPECT_NE(why.find("nothing was written for 0.4 s"), std::string::npos) << why;
}

TEST_F(LiveFiles, AnNpyFileSaysItsShape) {
    TestReceiver r = watch(at("scan.npy"));
    add("scan.npy", npy_header("2, 3, 4, 5").substr(0, 60));
    std::jthread const writing([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        add("scan.npy", npy_header("2, 3, 4, 5").substr(60) + bytes(1, 2, 20));
    });
    auto const series = begun(r);
    ASSERT_TRUE(series);
    EXPECT_EQ(series->images, 6);
    EXPECT_EQ(series->scan, (std::array<index, 2>{2, 3}));
    EXPECT_EQ(come(r, 6, [&] { add("scan.npy", bytes(3, 4, 20)); }), "123456");
}

TEST_F(LiveFiles, WhatBecomesAnotherFileEnds) {
    struct Case {
        std::string name, says;
        std::function<void()> change;
    };
    for (Case const& c : std::vector<Case>{
             {"shorter.npy", "became shorter", [&] { fs::resize_file(at("shorter.npy"), 140); }},
             {"gone.npy", "was taken away", [&] { fs::remove(at("gone.npy")); }},
             {"other.npy", "was replaced",
              [&] {
                  add("new", npy_header("6, 4, 5"));
                  fs::rename(at("new"), at("other.npy"));
              }},
             {"anew.npy", "written anew", [&] {
                  std::fstream f(at("anew.npy"), std::ios::in | std::ios::out);
                  f.seekp(130);
                  f << "x";
              }}}) {
        TestReceiver r = watch(at(c.name), {.patience_s = 5});
        add(c.name, npy_header("6, 4, 5") + bytes(1, 2, 20));
        ASSERT_TRUE(begun(r));
        FrameRing ring({.name = "test", .frames = 6});
        std::jthread receiving([&] { r.stream->receive(ring, [] { return true; }); });
        while (ring.state().received < 2) std::this_thread::yield();
        c.change();
        receiving.join();
        EXPECT_NE(ring.why_ended().find(c.says), std::string::npos) << ring.why_ended();
        EXPECT_EQ(marks(ring, 6), "12....");
    }
}

TEST_F(LiveFiles, RoomThatIsTakenAheadHasNoFrames) {
    add("scan.npy", npy_header("6, 4, 5"));
    fs::resize_file(at("scan.npy"), 128 + (1 << 20));
    if (!ends_in_hole(at("scan.npy"))) GTEST_SKIP() << "files have no holes here";
    TestReceiver r = watch(at("scan.npy"));
    auto const series = r.stream->wait_for_series(r.bounded());
    ASSERT_FALSE(series);
    EXPECT_NE(series.error().message.find("not written yet"), std::string::npos);
}

TEST_F(LiveFiles, AFolderGivesWhatAppears) {
    add("old.npy", npy_header("2, 4, 5") + bytes(1, 2, 20));
    TestReceiver r = watch(folder_.string());
    add("text.npy", "no array");
    for (std::string const name : {"a", "b"}) {
        add(name + ".npy", npy_header("2, 4, 5") + bytes(name[0] == 'a' ? 3 : 5, 2, 20));
        auto const series = begun(r);
        ASSERT_TRUE(series);
        EXPECT_EQ(series->name, name);
        EXPECT_EQ(come(r, 2, [] {}), name == "a" ? "34" : "56");
    }
    r.asked = 0;
    EXPECT_FALSE(begun(r));
    EXPECT_NE(r.first("files that cannot be opened").find("text.npy"), std::string::npos);
    // Asked for, the oldest is the first. Two files of one tick of the clock have no order.
    fs::last_write_time(at("old.npy"), fs::last_write_time(at("a.npy")) - std::chrono::seconds(1));
    TestReceiver all = watch(folder_.string(), {.patience_s = 0.4, .existing = true});
    auto const series = begun(all);
    ASSERT_TRUE(series);
    EXPECT_EQ(series->name, "old");
}

TEST_F(LiveFiles, WhatCannotBeHeardIsRefused) {
    EXPECT_FALSE(is_path("tcp://127.0.0.1:1", {}));
    EXPECT_FALSE(is_path("127.0.0.1:31001", {}));
    EXPECT_TRUE(is_path("later.mib", {}));
    EXPECT_TRUE(is_path(folder_.string(), {}));
    EXPECT_FALSE(Files::watch(at("a.mib"), {.protocol = StreamProtocol::merlin}));
    EXPECT_FALSE(Files::watch(at("none/a.mib"), {}));
    add("scan.raw", bytes(1, 1, 20));
    TestReceiver r = watch(at("scan.raw"));
    EXPECT_FALSE(r.stream->wait_for_series(r.bounded()));
}

}  // namespace
}  // namespace sluice::net::files
