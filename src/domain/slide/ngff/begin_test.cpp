// An existing output: unfinished, finished, or of another program.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/convert_test.h"
#include "zarr/group.h"

namespace sluice::slide {
namespace {

TEST_F(SlideConvert, WhatWasStoppedGoesOnToTheSameFiles) {
    test::CziFile f = three_scenes();
    for (test::Tile& t : f.tiles) t.at[C] = t.scene % 2;
    test::CziFile const tall = small_slide(PixelType::gray16, 1, 2);
    int number = 0;
    for (test::CziFile const* source : std::initializer_list<test::CziFile const*>{&f, &tall})
        for (index shard : {0, 32})
            for (std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{3} * 32 * 32 * 2}) {
                Slide const slide = open(*source);
                ConvertOptions o = small_options();
                o.chunk = 16, o.shard = shard, o.ngff = "0.5", o.min_size = 4;
                o.memory_limit = memory;
                std::string const whole = file("whole" + std::to_string(number));
                ASSERT_TRUE(convert(slide, whole, o));
                auto const wanted = files_of(whole);
                int stopped = 0;
                for (double stop : {0.0, 0.4, 0.8}) {
                    std::string const name = file("part" + std::to_string(number++));
                    auto const r = convert(slide, name, stopping(o, stop));
                    if (!r) {
                        ++stopped;
                        EXPECT_EQ(r.error().code, Code::cancelled);
                        EXPECT_FALSE(fs::exists(name));
                        ASSERT_TRUE(fs::exists(name + ".part"));
                        ConvertOptions again = o;
                        again.resume = true;
                        again.threads = 1;
                        auto const done = convert(slide, name, again);
                        ASSERT_TRUE(done) << done.error().text();
                        EXPECT_TRUE(done->resumed);
                    }
                    EXPECT_EQ(files_of(name), wanted) << stop;
                    fs::remove_all(name);
                }
                // The last of few steps may be the one in which it should have stopped.
                EXPECT_GE(stopped, memory < 1 << 20 ? 3 : 1);
            }
}

TEST_F(SlideConvert, GoingOnWithAnotherSlideOrOtherOptionsIsRefused) {
    Slide const slide = open(small_slide());
    ConvertOptions o = small_options();
    ASSERT_FALSE(convert(slide, file("x"), stopping(o, 0.5)));
    auto const again = convert(slide, file("x"), o);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("--resume"), std::string::npos);
    o.resume = true;
    ConvertOptions other = o;
    other.min_size = 50;
    EXPECT_NE(convert(slide, file("x"), other).error().message.find("other options"),
              std::string::npos);
    auto const source = memory_source("test.czi", small_slide().bytes());
    for (SlideOpenOptions const opened :
         {SlideOpenOptions{.recover = true}, SlideOpenOptions{.trust_directory = true}}) {
        auto const r = convert(Slide::open(source, opened).value(), file("x"), o);
        ASSERT_FALSE(r);
        EXPECT_NE(r.error().message.find("other options"), std::string::npos);
    }
    Slide const larger = open(small_slide(PixelType::gray16, 3));
    EXPECT_NE(convert(larger, file("x"), o).error().message.find("another slide"),
              std::string::npos);
    // Both together mean: go on if it fits, or else begin again.
    other.overwrite = true;
    auto const begun = convert(slide, file("x"), other);
    ASSERT_TRUE(begun) << begun.error().text();
    EXPECT_FALSE(begun->resumed);
    fs::remove_all(file("x"));
    fs::create_directories(file("x.part"));
    std::ofstream(file("x.part/letter.txt")) << "dear";
    EXPECT_NE(convert(slide, file("x"), o).error().message.find("not an unfinished conversion"),
              std::string::npos);
    EXPECT_TRUE(fs::exists(file("x.part/letter.txt")));
    // Nothing can be resumed, so the conversion begins.
    o.overwrite = false, o.resume = true;
    auto const fresh = convert(slide, file("y"), o);
    ASSERT_TRUE(fresh);
    EXPECT_FALSE(fresh->resumed);
}

// A chunk can take a second to encode: a stop does not wait for a whole band.
TEST_F(SlideConvert, StopsBetweenTheChunksOfABand) {
    Slide const slide = open(small_slide(PixelType::gray16, 1, 1));
    ConvertOptions o = small_options();
    o.threads = 1;
    std::vector<std::uint64_t> told;
    ConvertOptions telling = o;
    telling.progress = [&](std::uint64_t done, std::uint64_t) {
        told.push_back(done);
        return true;
    };
    auto const whole = convert(slide, file("x"), telling);
    ASSERT_TRUE(whole);
    EXPECT_GT(std::ssize(told), whole->chunks);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    for (std::size_t stop = 0; stop < told.size(); stop += 3) {
        ConvertOptions stopping = o;
        std::size_t calls = 0;
        stopping.progress = [&](std::uint64_t, std::uint64_t) { return calls++ < stop; };
        auto const stopped = convert(slide, file("y"), stopping);
        ASSERT_FALSE(stopped);
        EXPECT_EQ(stopped.error().code, Code::cancelled);
        EXPECT_EQ(calls, stop + 1);
        ConvertOptions again = o;
        again.resume = true;
        ASSERT_TRUE(convert(slide, file("y"), again));
        EXPECT_EQ(files_of(file("x")), files_of(file("y"))) << stop;
        fs::remove_all(file("y"));
    }
}

// A conversion takes hours, in which the name may be given to something else.
TEST_F(SlideConvert, WhatComesThereMeanwhileStays) {
    Slide const slide = open(small_slide());
    ConvertOptions const o = small_options();
    ConvertOptions busy = o;
    busy.progress = [&](std::uint64_t, std::uint64_t) {
        fs::create_directories(file("x"));
        std::ofstream(file("x/letter.txt")) << "dear";
        return true;
    };
    for (bool overwrite : {false, true}) {
        busy.overwrite = overwrite;
        auto const r = convert(slide, file("x"), busy);
        ASSERT_FALSE(r);
        EXPECT_NE(r.error().message.find(overwrite ? "is not a Zarr folder" : "exists already"),
                  std::string::npos)
            << r.error().message;
        EXPECT_TRUE(fs::exists(file("x/letter.txt")));
        fs::remove_all(file("x"));
    }
    // All that was made is still there.
    ConvertOptions again = o;
    again.resume = true;
    auto const r = convert(slide, file("x"), again);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_TRUE(r->resumed);
    EXPECT_EQ(r->files_made_again, 0);
}

// The system refuses to follow them, which the library used to throw.
TEST_F(SlideConvert, LinksInACircleAreNoOutput) {
    Slide const slide = open(small_slide());
    for (std::string const name : {"x", "y.part"}) {
        fs::create_symlink(file(name), file(name));
        for (bool overwrite : {false, true}) {
            ConvertOptions o = small_options();
            o.overwrite = overwrite;
            auto const r = convert(slide, file(name.substr(0, 1)), o);
            ASSERT_FALSE(r) << name;
            EXPECT_EQ(r.error().code, Code::invalid_argument);
        }
        EXPECT_FALSE(zarr::is_node(file(name)));
        EXPECT_FALSE(zarr::Array::open(file(name)));
    }
}

TEST_F(SlideConvert, AnOutputThatWasHalfReplacedCountsAsThere) {
    Slide const slide = open(small_slide());
    ConvertOptions o = small_options();
    ASSERT_TRUE(convert(slide, file("x"), o));
    auto const before = files_of(file("x"));
    fs::rename(file("x"), file("x.sluice-old"));
    EXPECT_FALSE(convert(slide, file("x"), o));
    EXPECT_EQ(files_of(file("x")), before);
}

TEST_F(SlideConvert, OnlyZarrFoldersAreReplaced) {
    Slide const slide = open(small_slide());
    ConvertOptions o = small_options();
    ASSERT_TRUE(convert(slide, file("x"), o));
    auto const before = files_of(file("x"));
    EXPECT_FALSE(convert(slide, file("x"), o));
    o.overwrite = true;
    o.min_size = 60;
    // The old one stays until the new one is whole.
    ASSERT_FALSE(convert(slide, file("x"), stopping(o, 0.5)));
    EXPECT_EQ(files_of(file("x")), before);
    ASSERT_TRUE(convert(slide, file("x/"), o));
    EXPECT_FALSE(fs::exists(file("x/0/3")));
    fs::create_directories(file("home"));
    std::ofstream(file("home/letter.txt")) << "dear";
    auto const r = convert(slide, file("home"), o);
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().message.find("not a Zarr folder"), std::string::npos);
    EXPECT_TRUE(fs::exists(file("home/letter.txt")));
}

TEST_F(SlideConvert, OneOutputHasOneConversion) {
    Slide const slide = open(small_slide());
    ConvertOptions const o = small_options();
    ConvertOptions outer = o;
    int tried = 0;
    outer.progress = [&](std::uint64_t, std::uint64_t) {
        if (tried++ > 0) return true;
        for (bool overwrite : {false, true})
            for (bool resume : {false, true}) {
                ConvertOptions inner = o;
                inner.overwrite = overwrite, inner.resume = resume;
                auto const second = convert(slide, file("x/"), inner);
                EXPECT_FALSE(second);
                if (second) continue;
                EXPECT_EQ(second.error().code, Code::io);
                EXPECT_NE(second.error().message.find("converts into it at this moment"),
                          std::string::npos);
                EXPECT_NE(second.error().message.find(std::to_string(::getpid())),
                          std::string::npos);
            }
        EXPECT_TRUE(convert(slide, file("y"), o));
        return true;
    };
    auto const first = convert(slide, file("x"), outer);
    ASSERT_TRUE(first) << first.error().text();
    EXPECT_GT(tried, 0);
    EXPECT_EQ(files_of(file("x")), files_of(file("y")));
    // The remains of a killed process lock no other process out.
    std::ofstream(file("z.lock")) << "1234\n";
    EXPECT_TRUE(convert(slide, file("z"), o));
    EXPECT_FALSE(fs::exists(file("z.lock")));
}

}  // namespace
}  // namespace sluice::slide
