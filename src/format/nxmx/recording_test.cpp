// Recordings: what is read is what came, at the points of the scan; full disks, names that are
// taken. SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/recording.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "format/frame_source.h"

namespace sluice::nxmx {
namespace {

namespace fs = std::filesystem;

class ARecording : public testing::Test {
  protected:
    ARecording()
        : folder_(fs::path(testing::TempDir()) / ("sluice_rec_" + std::to_string(::getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~ARecording() override { fs::remove_all(folder_); }

    RecordedSeries series(index images) const {
        RecordedSeries s{.prefix = (folder_ / "a").string(), .images = images, .scan = {2, 3}};
        s.like.path = "tcp://detector:31001";
        s.like.format = "a stream";
        s.like.dtype = DType::u8;
        s.like.rows = 4, s.like.cols = 5;
        s.like.saturation = 250;
        s.like.sentinel = true;
        s.like.pixel_mask.assign(20, 0);
        s.like.pixel_mask[7] = 1;
        s.like.energy_kv = 200;
        s.like.dwell_s = 1e-4;
        s.like.detector_pixel_um = 100;
        s.like.metadata = {{"detector", "of a test", ""},
                           {"threshold energy", "17.5", "keV"},
                           {"a/word", "of a protocol", "V"}};
        s.path = "row by row";
        return s;
    }
    /// Every pixel of an image is its number.
    static std::vector<std::byte> chunk(index image) {
        return encode_image(std::vector<std::byte>(20, static_cast<std::byte>(image)),
                            Compression::bslz4, 1);
    }
    static Status write(Recording& r, std::vector<index> const& images) {
        r.compress(Compression::bslz4);
        index written = 0;
        for (index const i : images) {
            auto const bytes = chunk(i);
            Recording::Image const one{i, bytes};
            SLUICE_CHECK(r.write({&one, 1}, written));
        }
        return {};
    }
    std::string master() const { return (folder_ / "a_master.h5").string(); }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (auto const& e : fs::directory_iterator(folder_)) all.push_back(e.path().filename());
        std::ranges::sort(all);
        return all;
    }
    /// A letter for the image at each point, '.' where there is none.
    static std::string points(Dataset const& d) {
        std::string text;
        FetchScratch scratch;
        std::vector<EncodedFrame> frames(static_cast<std::size_t>(d.frames));
        EXPECT_TRUE(d.source->fetch(0, frames, scratch));
        for (index f = 0; f < d.frames; ++f) {
            bool const missing = std::ranges::any_of(d.missing_runs, [&](FrameRun const& r) {
                return f >= r.first && f < r.first + r.count;
            });
            Bytes const bytes = frames[static_cast<std::size_t>(f)].bytes;
            char letter = '?';
            for (index i = 0; i < 26; ++i)
                if (std::ranges::equal(bytes, chunk(i))) letter = static_cast<char>('a' + i);
            text += missing ? '.' : letter;
        }
        return text;
    }
    fs::path folder_;
};

MetaField const* field(Dataset const& d, std::string_view name) {
    auto const it = std::ranges::find(d.metadata, name, &MetaField::name);
    return it == d.metadata.end() ? nullptr : &*it;
}

TEST_F(ARecording, IsReadAsTheScanWithAllThatTheStreamSaid) {
    auto r = Recording::create(series(6));
    ASSERT_TRUE(r) << r.error().text();
    ASSERT_TRUE(write(*r, {1, 0, 2, 3, 5, 4}));
    EXPECT_EQ(names(), (std::vector<std::string>{"a_data_000001.h5.part", "a_master.h5.part"}));
    auto const files = r->finish({.how = "complete", .counts = {{"images_recorded", 6}}});
    ASSERT_TRUE(files);
    EXPECT_EQ(files->size(), 2u);
    auto const d = open(master());
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(points(*d), "abcdef");
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    RecordedSeries const s = series(6);
    EXPECT_EQ(d->pixel_mask, s.like.pixel_mask);
    EXPECT_EQ(d->saturation, 250u);
    EXPECT_TRUE(d->sentinel);
    EXPECT_EQ(d->energy_kv, 200);
    EXPECT_EQ(d->dwell_s, 1e-4);
    EXPECT_EQ(d->detector_pixel_um, 100);
    ASSERT_NE(field(*d, "threshold energy"), nullptr);
    EXPECT_EQ(field(*d, "threshold energy")->value, "17.5");
    EXPECT_EQ(field(*d, "detector")->value, "of a test");
    ASSERT_NE(field(*d, "a word"), nullptr);
    EXPECT_EQ(field(*d, "a word")->unit, "V");
    EXPECT_EQ(field(*d, "recording ended")->value, "complete");
}

TEST_F(ARecording, PutsImagesToTheirPointsAndSaysWhichAreMissing) {
    RecordedSeries s = series(12);
    s.frame_of = {0, 1, 2, -1, 5, 4, 3, -1};
    s.frames_per_file = 3;
    auto r = Recording::create(s);
    ASSERT_TRUE(r);
    ASSERT_TRUE(write(*r, {0, 2, 3, 4, 6, 9}));
    ASSERT_TRUE(r->finish({}));
    EXPECT_EQ(names().size(), 5u);  // image 9 lies beyond the scan, and is there
    auto const refused = open(master());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::incomplete);
    auto const d = open(master(), {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(points(*d), "a.cg.e");
    EXPECT_EQ(d->missing, 2);
    // Another shape: the images in the order in which they came.
    auto const all =
        open(master(), {.scan_shape = std::array<index, 2>{1, 10}, .allow_incomplete = true});
    ASSERT_TRUE(all) << all.error().text();
    EXPECT_EQ(points(*all), "a.cde.g..j");
}

TEST_F(ARecording, NeedsNoNumberOfImages) {
    RecordedSeries s = series(0);
    s.frames_per_file = 4;
    auto r = Recording::create(s);
    ASSERT_TRUE(r) << r.error().text();
    ASSERT_TRUE(write(*r, {0, 1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(r->images(), 2000);
    ASSERT_TRUE(r->finish({}));
    auto const d = open(master());
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(points(*d), "abcdef");
    auto const all = open(master(), {.scan_shape = std::array<index, 2>{3, 3}});
    ASSERT_TRUE(all) << all.error().text();
    EXPECT_EQ(points(*all), "abcdefghi");
}

TEST_F(ARecording, ReplacesNothing) {
    auto r = Recording::create(series(6));
    ASSERT_TRUE(r);
    EXPECT_FALSE(Recording::create(series(6)));
    ASSERT_TRUE(write(*r, {0}));
    ASSERT_TRUE(r->finish({}));
    auto const again = Recording::create(series(6));
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("not replaced"), std::string::npos);
    // A data file alone, as after a kill, is another recording's, too.
    fs::remove(master());
    EXPECT_FALSE(Recording::create(series(6)));
}

TEST_F(ARecording, WithoutImagesLeavesNothing) {
    auto r = Recording::create(series(6));
    ASSERT_TRUE(r);
    auto const files = r->finish({});
    ASSERT_TRUE(files);
    EXPECT_TRUE(files->empty());
    EXPECT_TRUE(names().empty());
}

TEST_F(ARecording, AFullDiskLeavesWhatWasWritten) {
    RecordedSeries s = series(400);
    s.scan = {20, 20};
    s.like.rows = s.like.cols = 256;
    s.like.pixel_mask.clear();
    auto r = Recording::create(s);
    ASSERT_TRUE(r);
    r->compress(Compression::none);
    std::vector<std::byte> const values(65536, std::byte{3});
    auto const earlier = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    rlimit const small{5'000'000, limit.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    index written = 0;
    Status status;
    for (index i = 0; i < 400 && status; ++i) {
        Recording::Image const one{i, values};
        status = r->write({&one, 1}, written);
    }
    auto const files = r->finish({});
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, earlier);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::io);
    EXPECT_GT(written, 20);
    ASSERT_TRUE(files) << files.error().text();
    EXPECT_LT(fs::file_size(folder_ / "a_data_000001.h5"), 5'000'000u);
    auto const d = open(master(), {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->missing, 400 - written);
}

// What a killed program leaves is a recording when the files have their names.
TEST_F(ARecording, IsThereAfterAFlush) {
    auto r = Recording::create(series(6));
    ASSERT_TRUE(r);
    ASSERT_TRUE(write(*r, {0, 1, 3}));
    ASSERT_TRUE(r->flush());
    fs::create_directories(folder_ / "killed");
    for (std::string const name : {"a_master.h5", "a_data_000001.h5"})
        fs::copy_file(folder_ / (name + ".part"), folder_ / "killed" / name);
    auto const d = open((folder_ / "killed/a_master.h5").string(), {.allow_incomplete = true});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(points(*d), "ab.d..");
    ASSERT_TRUE(write(*r, {2}));
    ASSERT_TRUE(r->finish({}));
    auto const whole = open(master(), {.allow_incomplete = true});
    ASSERT_TRUE(whole);
    EXPECT_EQ(points(*whole), "abcd..");
}

}  // namespace
}  // namespace sluice::nxmx
