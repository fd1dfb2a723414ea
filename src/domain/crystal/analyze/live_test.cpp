// A scan that is measured beside the finished one: the same bits, also where frames are lost.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

#include "format/feed.h"
#include "sluice/memory_dataset.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::stem4d {
namespace {

constexpr index rows = 12, cols = 11, side = 40;

std::vector<std::uint16_t> const& counts() {
    static std::vector<std::uint16_t> const all = [] {
        std::vector<std::uint16_t> values(static_cast<std::size_t>(rows * cols * side * side));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<std::uint16_t>(i * 2654435761U >> 7 & 7);
        return values;
    }();
    return all;
}

Dataset finished() {
    return from_memory({counts().data(), DType::u16, {rows, cols, side, side}, {}, {}, "memory"})
        .value();
}

/// Frames of a dataset that come one after the other, in an order of the test's; those that are
/// lost never come, and damaged ones cannot be decoded.
class TestFeed final : public Feed {
  public:
    std::set<index> lost = {}, damaged = {};
    explicit TestFeed(Dataset dataset) : dataset_(std::move(dataset)) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        // What comes late: another thread goes on meanwhile.
        std::this_thread::yield();
        SLUICE_CHECK(dataset_.source->fetch(first, out, scratch));
        for (std::size_t i = 0; i < out.size(); ++i) {
            index const frame = first + static_cast<index>(i);
            if (lost.contains(frame)) out[i] = {};
            if (damaged.contains(frame))
                out[i] = {.encoding = Encoding::bitshuffle_lz4, .bytes = out[i].bytes.first(40)};
            out[i].number = frame;
        }
        return {};
    }
    std::uint64_t stored_bytes() const override { return 1; }
    FeedState state() const override { return {.ended = true}; }
    std::vector<FrameRun> gaps() const override {
        std::lock_guard const lock(mutex_);
        std::set<index> all = lost;
        all.insert(spoiled_.begin(), spoiled_.end());
        std::vector<FrameRun> runs;
        for (index const f : all) runs.push_back({f, 1});
        return runs;
    }
    void spoiled(index frame, Error) override {
        std::lock_guard const lock(mutex_);
        spoiled_.insert(frame);
    }
    void end(std::string const&) override {}

  private:
    Dataset dataset_;
    mutable std::mutex mutex_;
    std::set<index> spoiled_ = {};
};

AnalysisPlan plan() {
    AnalysisPlan p;
    p.images = {{.detectors = {parse_detector("bf").value(), parse_detector("adf").value()}}};
    p.patterns = {{.kinds = {Pattern::sum, Pattern::mean}}};
    p.moments = {{.within = parse_detector("disk:r=12").value()}};
    return p;
}

constexpr Disk disk{{20, 19}, 6};

References references() {
    References out{.dark = Array<float>::zeros({side, side}),
                   .gain = Array<float>::zeros({side, side})};
    for (std::size_t i = 0; i < out.dark.values.size(); ++i) {
        out.dark.values[i] = 0.01F * static_cast<float>(i % 37);
        out.gain.values[i] = i % 101 == 0 ? 0 : 0.8F + 0.01F * static_cast<float>(i % 43);
    }
    return out;
}

Analyzed offline(std::vector<FrameRun> const& missing, References const& corrected = {}) {
    Dataset d = finished();
    auto const plain = d.source;
    if (!missing.empty()) {
        auto feed = std::make_shared<TestFeed>(finished());
        for (FrameRun const& run : missing) feed->lost.insert(run.first);
        d.source = feed;
        d.missing_runs = missing;
    }
    Scan const scan =
        Scan::load(std::move(d), {.layout = Layout::planes, .residency = Residency::stream})
            .value();
    return analyze(scan, plan(), Decided{.disk = disk}, {.references = corrected}).value();
}

Analyzed live(std::shared_ptr<TestFeed> const& feed, int threads,
              References const& corrected = {}) {
    Dataset d = finished();
    d.source = feed;
    d.feed = feed;
    Scan scan = Scan::load(std::move(d), {.device = Device::cpu(threads)}).value();
    EXPECT_EQ(scan.layout(), "bit planes");
    EXPECT_FALSE(scan.resident());
    return analyze_live(scan, plan(), Decided{.disk = disk},
                        {.device = Device::cpu(threads), .references = corrected})
        .value();
}

void expect_bits(std::vector<double> const& a, std::vector<double> const& b) {
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0);
}

void expect_same(Analyzed const& a, Analyzed const& b) {
    expect_bits(a.images[0].values.values, b.images[0].values.values);
    for (std::size_t k = 0; k < 2; ++k) {
        expect_bits(a.patterns[0][k].values.values, b.patterns[0][k].values.values);
        EXPECT_EQ(a.patterns[0][k].frames, b.patterns[0][k].frames);
    }
    for (std::size_t m = 0; m < 4; ++m)
        expect_bits(a.moments[0].com.maps()[m]->values, b.moments[0].com.maps()[m]->values);
    EXPECT_EQ(a.moments[0].com.row.reason, b.moments[0].com.row.reason);
}

TEST(AnalyzeLive, HasTheBitsOfTheFinishedScan) {
    Analyzed const expected = offline({});
    for (int const threads : {1, 2, 5})
        expect_same(live(std::make_shared<TestFeed>(finished()), threads), expected);
}

TEST(AnalyzeLive, LostAndDamagedFramesAreNotMeasured) {
    Analyzed const expected = offline({{3, 1}, {17, 1}, {18, 1}, {100, 1}, {131, 1}});
    EXPECT_TRUE(std::isnan(expected.images[0].values.values[17]));
    EXPECT_EQ(expected.patterns[0][1].frames, rows * cols - 5);
    for (int const threads : {1, 3}) {
        auto const feed = std::make_shared<TestFeed>(finished());
        feed->lost = {3, 17, 131};
        feed->damaged = {18, 100};
        expect_same(live(feed, threads), expected);
    }
}

TEST(AnalyzeLive, DarkAndGainHaveTheBitsOfTheFinishedScan) {
    std::vector<FrameRun> const missing = {{3, 1}, {17, 1}, {18, 1}};
    Analyzed const expected = offline(missing, references());
    EXPECT_NE(expected.images[0].values.values[0], offline(missing).images[0].values.values[0]);
    for (int const threads : {1, 3}) {
        auto const feed = std::make_shared<TestFeed>(finished());
        feed->lost = {3, 17};
        feed->damaged = {18};
        expect_same(live(feed, threads, references()), expected);
    }
}

TEST(AnalyzeLive, DisksTakeNoDarkAndGain) {
    Scan const scan = Scan::load(finished(), {}).value();
    AnalysisPlan with = plan();
    with.disks.resize(1);
    auto const refused =
        analyze(scan, with, Decided{.disk = disk, .disks = std::vector<DecidedDisks>(1)},
                {.references = references()});
    EXPECT_EQ(refused.error().code, Code::unsupported);
    EXPECT_EQ(find_disks(scan, {}, {.references = references()}).error().code, Code::unsupported);
}

TEST(AnalyzeLive, WhatNeedsTheWholeScanIsRefused) {
    auto const feed = std::make_shared<TestFeed>(finished());
    Dataset d = finished();
    d.source = feed;
    d.feed = feed;
    EXPECT_EQ(Scan::load(d, {.hot_pixels = true}).error().code, Code::unsupported);
    EXPECT_EQ(Scan::load(d, {.residency = Residency::memory}).error().code, Code::unsupported);
    EXPECT_EQ(Scan::load(d, {.det_bin = 0}).error().code, Code::unsupported);
    Scan const scan = Scan::load(d, {}).value();
    EXPECT_NE(find_disk(scan).error().message.find("not there yet"), std::string::npos);
}

}  // namespace
}  // namespace sluice::stem4d
