// Recorder: bytes as they came, slow disks, disks that stand still, damaged images.
// SPDX-License-Identifier: Apache-2.0
#include "net/recorder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"
#include "format/nxmx/writer_library.h"

namespace sluice::net {
namespace {

namespace fs = std::filesystem;
constexpr index pixels = 400;

class ARecorder : public testing::Test {
  protected:
    ARecorder()
        : folder_(fs::path(testing::TempDir()) /
                  ("sluice_recorder_" + std::to_string(::getpid()))) {
        fs::remove_all(folder_);
        like_.dtype = DType::u16;
        like_.rows = like_.cols = 20;
    }
    ~ARecorder() override { fs::remove_all(folder_); }

    std::unique_ptr<Recorder> start(index images, RecorderOptions options = {}) {
        options.tell = [this](std::string const& what) {
            std::lock_guard const lock(mutex_);
            told_.push_back(what);
        };
        auto recording = nxmx::Recording::create({.prefix = (folder_ / "a").string(),
                                                  .like = like_,
                                                  .images = images,
                                                  .scan = {1, images}});
        EXPECT_TRUE(recording) << recording.error().text();
        return std::make_unique<Recorder>(*std::move(recording), like_, options);
    }
    static std::vector<std::byte> values(index image) {
        std::vector<std::byte> v(2 * pixels);
        for (std::size_t i = 0; i < v.size(); i += 2)
            v[i] = static_cast<std::byte>((image + static_cast<index>(i)) % 7);
        return v;
    }
    static std::vector<std::byte> hits(index image) {
        auto const v = values(image);
        std::vector<std::byte> h;
        for (std::size_t pixel = 0; pixel < pixels; ++pixel)
            for (int n = static_cast<int>(v[2 * pixel]) | static_cast<int>(v[2 * pixel + 1]) << 8;
                 n > 0; --n) {
                h.push_back(static_cast<std::byte>(pixel & 0xff));
                h.push_back(static_cast<std::byte>(pixel >> 8));
            }
        return h;
    }
    static std::vector<std::byte> packed(Encoding as, index image) {
        if (as == Encoding::lz4_block) {
            std::vector<std::byte> block;
            codec::lz4_compress(values(image), block);
            return block;
        }
        if (as == Encoding::lz4) return codec::encode_lz4(values(image));
        if (as == Encoding::values) return values(image);
        if (as == Encoding::hits) return hits(image);
        return codec::encode_bitshuffle_lz4(values(image), 2);
    }
    static void put(Recorder& r, index image, Encoding as, std::vector<std::byte> bytes) {
        auto const own = std::make_shared<std::vector<std::byte>>(std::move(bytes));
        r.put(image, {.encoding = as, .bytes = *own}, own);
    }
    static void put(Recorder& r, index image, Encoding as = Encoding::bitshuffle_lz4) {
        put(r, image, as, packed(as, image));
    }
    Dataset opened() const {
        auto d = open((folder_ / "a_master.h5").string(), {.allow_incomplete = true});
        EXPECT_TRUE(d) << d.error().text();
        return *std::move(d);
    }
    std::vector<std::string> told() {
        std::lock_guard const lock(mutex_);
        return told_;
    }
    fs::path folder_;
    Dataset like_ = {};
    std::mutex mutex_;
    std::vector<std::string> told_;
};

std::vector<std::byte> bytes_of(Dataset const& d, index frame) {
    EncodedFrame f;
    FetchScratch scratch;
    EXPECT_TRUE(d.source->fetch(frame, {&f, 1}, scratch));
    return {f.bytes.begin(), f.bytes.end()};
}

TEST_F(ARecorder, WritesChunksAsTheyCameAndPacksTheOthers) {
    for (Encoding const first : {Encoding::bitshuffle_lz4, Encoding::lz4, Encoding::lz4_block,
                                 Encoding::values, Encoding::hits}) {
        fs::remove_all(folder_);
        auto const r = start(4);
        put(*r, 0, first);
        put(*r, 2, Encoding::lz4);
        put(*r, 1, Encoding::bitshuffle_lz4);
        put(*r, 3, first == Encoding::hits ? first : Encoding::values);
        put(*r, 3, Encoding::values, packed(Encoding::values, 9));  // of two the first counts
        put(*r, 4, Encoding::values);
        RecordReport const report = r->finish({});
        EXPECT_EQ(report.recorded, 4);
        EXPECT_EQ(report.outside, 1);
        EXPECT_EQ(report.error, "");
        bool const lz4 = first == Encoding::lz4 || first == Encoding::lz4_block;
        Encoding const stored = lz4 ? Encoding::lz4 : Encoding::bitshuffle_lz4;
        Dataset const d = opened();
        for (index i = 0; i < 4; ++i) EXPECT_EQ(bytes_of(d, i), packed(stored, i));
    }
}

TEST_F(ARecorder, LeavesDamagedImagesOut) {
    auto const r = start(3);
    put(*r, 0);
    auto cut = packed(Encoding::bitshuffle_lz4, 1);
    cut.resize(cut.size() / 2);
    put(*r, 1, Encoding::bitshuffle_lz4, cut);
    put(*r, 2, Encoding::values, std::vector<std::byte>(7));
    RecordReport const report = r->finish({});
    EXPECT_EQ(report.recorded, 1);
    EXPECT_EQ(report.damaged, 2);
    EXPECT_EQ(opened().missing_runs, (std::vector<FrameRun>{{1, 2}}));
}

// The thread that writes cannot while another has the library.
TEST_F(ARecorder, WaitsForASlowDiskAndLosesNothing) {
    auto const size = packed(Encoding::bitshuffle_lz4, 0).size();
    auto const r = start(200, {.budget = 3 * size});
    auto lock = std::make_unique<hdf5::LibraryLock>();
    std::jthread putting([&] {
        for (index i = 0; i < 200; ++i) put(*r, i);
    });
    while (told().empty()) std::this_thread::yield();
    lock.reset();
    putting.join();
    RecordReport const report = r->finish({});
    EXPECT_EQ(report.recorded, 200);
    EXPECT_EQ(report.not_recorded, 0);
    EXPECT_GT(report.waited_s, 0);
    EXPECT_LE(report.most_bytes_waiting, 4 * size);
    ASSERT_EQ(told().size(), 1u);
    EXPECT_NE(told()[0].find("slower"), std::string::npos);
    EXPECT_EQ(opened().missing, 0);
}

TEST_F(ARecorder, DoesNotWaitForADiskThatStandsStill) {
    auto const size = packed(Encoding::bitshuffle_lz4, 0).size();
    auto const r = start(50, {.budget = 3 * size, .stall_s = 0.1});
    auto lock = std::make_unique<hdf5::LibraryLock>();
    std::jthread putting([&] {
        for (index i = 0; i < 40; ++i) put(*r, i);
    });
    putting.join();
    lock.reset();
    // It is recorded again as soon as the disk takes something.
    for (index i = 40; i < 50; ++i) put(*r, i);
    RecordReport const report = r->finish({});
    EXPECT_GT(report.not_recorded, 0);
    EXPECT_EQ(report.recorded + report.not_recorded, 50);
    EXPECT_GE(told().size(), 2u);
    EXPECT_EQ(opened().missing, report.not_recorded);
}

}  // namespace
}  // namespace sluice::net
