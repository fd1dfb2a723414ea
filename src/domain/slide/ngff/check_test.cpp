// Files of an output that change: resume makes them again, and verify finds them.
// SPDX-License-Identifier: Apache-2.0
#include <cctype>

#include "domain/slide/ngff/convert_test.h"
#include "domain/slide/ngff/journal.h"

namespace sluice::slide {
namespace {

// A conversion that stopped in the middle, of which something happens to the files.
class SlideConvertDamaged : public SlideConvert {
  protected:
    // Every file of chunks in the unfinished output.
    std::vector<fs::path> chunks() const {
        std::vector<fs::path> out;
        for (auto const& e : fs::recursive_directory_iterator(file("x.part")))
            if (e.is_regular_file() && std::isdigit(e.path().filename().string()[0]))
                out.push_back(e.path());
        std::sort(out.begin(), out.end());
        return out;
    }
    void expect_the_same_after(ConvertOptions o, double stop,
                               std::function<void(std::vector<fs::path> const&)> const& damage,
                               bool goes_on, index again) {
        Slide const slide = open(small_slide(PixelType::gray16, 2, 1));
        fs::remove_all(file("x"));
        fs::remove_all(file("whole"));
        ASSERT_TRUE(convert(slide, file("whole"), o));
        ASSERT_FALSE(convert(slide, file("x"), stopping(o, stop)));
        auto const there = chunks();
        ASSERT_GT(there.size(), 5U);
        damage(there);
        o.resume = true;
        auto const done = convert(slide, file("x"), o);
        ASSERT_TRUE(done) << done.error().text();
        EXPECT_EQ(done->resumed, goes_on);
        EXPECT_EQ(done->files_made_again, again < 0 ? std::ssize(there) : again);
        EXPECT_EQ(files_of(file("x")), files_of(file("whole")));
        EXPECT_EQ(done->chunks, 2 * (20 + 6 + 2 + 1));
    }
    static void change(fs::path const& path, std::function<void(std::string&)> const& how) {
        std::ifstream in(path, std::ios::binary);
        std::string text(std::istreambuf_iterator<char>(in), {});
        in.close();
        how(text);
        std::ofstream(path, std::ios::binary) << text;
    }
};

TEST_F(SlideConvertDamaged, FilesAreTrustedOnlyAfterTheirHashes) {
    using Files = std::vector<fs::path>;
    for (double stop : {0.3, 0.75}) {
        ConvertOptions o = small_options();
        expect_the_same_after(
            o, stop, [](Files const&) {}, true, 0);
        // Each alone: of the first level, and of those that were made of it.
        for (std::size_t part : {0, 1, 2, 3}) {
            auto const one = [part](Files const& f) { return f[part * (f.size() - 1) / 3]; };
            expect_the_same_after(
                o, stop, [&](Files const& f) { fs::remove(one(f)); }, true, 1);
            expect_the_same_after(
                o, stop,
                [&](Files const& f) { fs::resize_file(one(f), fs::file_size(one(f)) / 2); }, true,
                1);
            expect_the_same_after(
                o, stop,
                [&](Files const& f) {
                    change(one(f), [](std::string& t) { t[t.size() / 2] ^= 4; });
                },
                true, 1);
            expect_the_same_after(
                o, stop, [&](Files const& f) { std::ofstream(one(f), std::ios::app) << "more"; },
                true, 1);
        }
        expect_the_same_after(
            o, stop,
            [](Files const& f) {
                for (fs::path const& p : f) fs::remove(p);
            },
            true, -1);
    }
}

TEST_F(SlideConvertDamaged, WhatIsNotOfTheConversionGoesAway) {
    expect_the_same_after(
        small_options(), 0.5,
        [this](auto const&) {
            std::ofstream(file("x.part/0/0/0/0/0/0/99")) << "no chunk of this array";
            std::ofstream(file("x.part/0/0/0/0/0/0/1.part-77")) << "half a chu";
            std::ofstream(file("x.part/0/0/.zarray")) << "{}";
            fs::create_directories(file("x.part/0/7/0"));
        },
        true, 0);
}

TEST_F(SlideConvertDamaged, AJournalIsTrustedLineByLine) {
    std::string const journal = file("x.part/sluice-convert.journal");
    auto const o = small_options();
    auto const none = [](auto const&) {};
    expect_the_same_after(o, 0.5, none, true, 0);
    expect_the_same_after(
        o, 0.5, [&](auto const&) { fs::remove(journal); }, false, 0);
    expect_the_same_after(
        o, 0.5, [&](auto const&) { change(journal, [](std::string& t) { t[30] ^= 1; }); }, false,
        0);
    // A bit of every line, and several lengths: what it says no longer is made again.
    std::size_t first = 0, size = 0;
    expect_the_same_after(
        o, 0.5,
        [&](auto const&) {
            change(journal, [&](std::string& t) { first = t.find('\n'), size = t.size(); });
        },
        true, 0);
    ASSERT_GT(size, first + 100);
    for (std::size_t at = first + 1; at < size; at += (size - first) / 9)
        for (bool cut : {false, true})
            expect_the_same_after(
                o, 0.5,
                [&](auto const&) {
                    change(journal, [&](std::string& t) {
                        if (cut)
                            t.resize(at);
                        else
                            t[at] ^= 2;
                    });
                },
                true, 0);
}

TEST_F(SlideConvertDamaged, ShardsAndStripsToo) {
    ConvertOptions o = small_options();
    o.ngff = "0.5", o.shard = 64, o.codec = ChunkCodec::zstd, o.threads = 1;
    Slide const slide = open(small_slide(PixelType::bgr48, 1, 2));
    for (std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{3} * 64 * 64 * 6}) {
        o.memory_limit = memory;
        o.resume = false;
        fs::remove_all(file("whole"));
        ASSERT_TRUE(convert(slide, file("whole"), o));
        auto const wanted = files_of(file("whole"));
        for (std::size_t step : {3, 5, 7}) {
            ASSERT_FALSE(convert(slide, file("x"), stopping(o, 0.9)));
            auto const there = chunks();
            ASSERT_FALSE(there.empty());
            // Those of the step that was stopped are in no journal: they are made anyway.
            index unfinished = std::ssize(there);
            auto const journal = ome::read_journal(file("x.part")).value();
            for (auto const& [number, record] : journal.steps)
                unfinished -= std::ssize(record.files);
            index spoilt = 0;
            for (std::size_t i = 0; i < there.size(); i += step, ++spoilt)
                change(there[i], [](std::string& t) { t[t.size() / 3] ^= 1; });
            o.resume = true;
            auto const done = convert(slide, file("x"), o);
            ASSERT_TRUE(done) << done.error().text();
            EXPECT_LE(done->files_made_again, spoilt);
            EXPECT_GE(done->files_made_again, spoilt - unfinished);
            EXPECT_EQ(files_of(file("x")), wanted) << step;
            fs::remove_all(file("x"));
            o.resume = false;
        }
    }
}

TEST_F(SlideConvertDamaged, WhatVerifyRejectedIsNotPublishedByResume) {
    Slide const slide = open(small_slide(PixelType::gray16, 2, 1));
    ConvertOptions o = small_options();
    ASSERT_TRUE(convert(slide, file("whole"), o));
    for (char const* chunk : {"0/0/0/1/0/2/3", "0/2/0/1/0/0/1"}) {
        ConvertOptions v = o;
        v.verify = true;
        bool spoilt = false;
        v.progress = [&](std::uint64_t done, std::uint64_t total) {
            if (spoilt || done < total / 2) return true;
            spoilt = true;
            change(file("x.part/") + chunk, [](std::string& t) { t[t.size() / 2] ^= 16; });
            return true;
        };
        auto const rejected = convert(slide, file("x"), v);
        ASSERT_FALSE(rejected);
        // Memory may have changed the pixels before their hash was made: the journal itself must
        // say that this step is not done.
        ConvertOptions again = o;
        again.resume = true;
        auto const done = convert(slide, file("x"), again);
        ASSERT_TRUE(done) << done.error().text();
        EXPECT_TRUE(done->resumed);
        EXPECT_EQ(done->files_made_again, 0);
        EXPECT_EQ(files_of(file("x")), files_of(file("whole")));
        fs::remove_all(file("x"));
    }
}

TEST_F(SlideConvert, VerifyFindsAChunkThatChanged) {
    Slide const slide = open(small_slide(PixelType::gray16, 2, 1));
    for (char const* chunk : {"0/0/0/1/0/2/3", "0/2/0/1/0/0/1"})
        for (bool remove : {false, true}) {
            ConvertOptions o = small_options();
            o.verify = true;
            o.codec = ChunkCodec::none;
            o.overwrite = true;
            bool spoilt = false;
            o.progress = [&](std::uint64_t done, std::uint64_t total) {
                if (spoilt || done < total / 2) return true;
                spoilt = true;
                fs::path const path = file("x.part/") + chunk;
                if (remove) {
                    fs::remove(path);
                } else {
                    std::fstream f(path, std::ios::in | std::ios::out | std::ios::binary);
                    f.seekp(77).put('\x55');
                }
                return true;
            };
            auto const r = convert(slide, file("x"), o);
            EXPECT_TRUE(spoilt);
            ASSERT_FALSE(r);
            EXPECT_EQ(r.error().code, Code::corrupt);
            EXPECT_NE(r.error().message.find("differs"), std::string::npos);
            EXPECT_FALSE(fs::exists(file("x")));
        }
}

}  // namespace
}  // namespace sluice::slide
