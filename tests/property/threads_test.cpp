// What a live viewer does: analyses of one scan from several threads, loads beside each other, and
// loads that somebody no longer wants.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "sluice/stem4d.h"
#include "store/arena.h"
#include "support/memory_dataset.h"

namespace sluice {
namespace {

using testing_support::Counts;
using testing_support::make_dataset;
using testing_support::random_counts;

Scan loaded(Dataset dataset, LoadOptions const& options = {}) {
    auto scan = Scan::load(std::move(dataset), options);
    EXPECT_TRUE(scan) << scan.error().text();
    return std::move(*scan);
}

// The numbers of each analysis, one after the other.
std::vector<double> everything(Scan const& scan, Device const& device) {
    std::vector const detectors{stem4d::parse_detector("disk:r=5,center=12:14").value(),
                                stem4d::parse_detector("annulus:r=4..9,center=11:13").value()};
    stem4d::Options o;
    o.device = device;
    std::vector<double> all = stem4d::virtual_image(scan, detectors, o).value().values.values;
    auto const append = [&](std::vector<double> const& v) {
        all.insert(all.end(), v.begin(), v.end());
    };
    append(stem4d::center_of_mass(scan, {}, o).value().magnitude.values);
    for (stem4d::Pattern p : {stem4d::Pattern::mean, stem4d::Pattern::variance})
        append(stem4d::diffraction_pattern(scan, p, {}, o).value().values.values);
    for (index k = 0; k < 9; ++k) append(stem4d::frame(scan, k, 2 * k).value().values);
    return all;
}

TEST(Threads, AnalysesOfOneScanFromThreeThreads) {
    Counts const c = random_counts(21, 33, 24, 27, 51);
    for (Residency residency : {Residency::memory, Residency::stream})
        for (Layout layout : {Layout::planes, Layout::lines, Layout::dense}) {
            if (layout == Layout::lines && residency == Residency::stream) continue;
            LoadOptions o;
            o.residency = residency, o.layout = layout;
            Scan const scan = loaded(make_dataset(c, DType::u16, Encoding::bitshuffle_lz4), o);
            auto const expected = everything(scan, Device::cpu(1));
            std::atomic<int> wrong = 0;
            {
                std::vector<std::jthread> users;
                for (int t = 0; t < 3; ++t)
                    users.emplace_back([&, t] {
                        for (int round = 0; round < 5; ++round)
                            wrong += everything(scan, Device::cpu(1 + t)) != expected;
                    });
            }
            EXPECT_EQ(wrong, 0);
        }
}

TEST(Threads, LoadsAndEndsOfScansBesideEachOther) {
    std::vector<Dataset> datasets;
    std::vector<std::vector<double>> expected;
    // The first and the last are of one size, so that one takes the memory that the other kept.
    for (index rows : {8, 17, 8}) {
        datasets.push_back(make_dataset(random_counts(rows, 16, 24, 27, 52 + datasets.size()),
                                        DType::u16, Encoding::bitshuffle_lz4));
        Scan const scan = loaded(datasets.back());
        expected.push_back(stem4d::frame(scan, 7, 5).value().values);
    }
    std::atomic<int> wrong = 0;
    auto const user = [&](std::size_t t) {
        for (std::size_t round = 0; round < 30; ++round) {
            std::size_t const which = (t + round) % 3;
            LoadOptions o;
            o.device = Device::cpu(static_cast<int>(1 + t % 3));
            o.layout = round % 3 == 0   ? Layout::planes
                       : round % 3 == 1 ? Layout::lines
                                        : Layout::dense;
            // Some are given up half way.
            int calls = 0;
            if (round % 5 == 4) o.progress = [&](auto, auto) { return ++calls < 5; };
            auto const scan = Scan::load(datasets[which], o);
            if (o.progress)
                wrong += scan || scan.error().code != Code::cancelled;
            else
                wrong += !scan || stem4d::frame(*scan, 7, 5)->values != expected[which];
        }
    };
    {
        std::vector<std::jthread> users;
        for (std::size_t t = 0; t < 4; ++t) users.emplace_back(user, t);
    }
    EXPECT_EQ(wrong, 0);
}

// Counts the frames that were asked for; slow on request, so that a thread that is to stop the
// others is not overtaken.
class CountingSource : public FrameSource {
  public:
    explicit CountingSource(std::shared_ptr<FrameSource const> s) : source_(std::move(s)) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        fetched += static_cast<index>(out.size());
        if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return source_->fetch(first, out, scratch);
    }
    std::uint64_t stored_bytes() const override { return source_->stored_bytes(); }

    mutable std::atomic<index> fetched = 0;
    mutable std::atomic<bool> slow = false;

  private:
    std::shared_ptr<FrameSource const> source_;
};

TEST(Cancel, ALoadEndsWithinAUnitPerWorkerAndFreesItsMemory) {
    Dataset d = make_dataset(random_counts(64, 64, 16, 16, 53), DType::u16, Encoding::values);
    auto const source = std::make_shared<CountingSource>(d.source);
    d.source = source;
    for (Layout layout : {Layout::planes, Layout::lines, Layout::dense})
        for (int threads : {1, 3})
            for (bool in_sample : {true, false}) {
                loaded(d);  // leaves memory behind for the next load, which is to vanish as well
                store::Arena::drop_kept();
                std::atomic<bool> stopped = false;
                std::atomic<index> then = 0;
                std::atomic<int> later = 0;
                LoadOptions o;
                o.layout = layout, o.device = Device::cpu(threads);
                o.progress = [&](std::uint64_t done, std::uint64_t) {
                    later += stopped;
                    // A busy thread may be asked once only: the first tile is the surest place.
                    if (done == 0 && !(in_sample && source->fetched > 0)) return true;
                    source->slow = stopped = true;
                    then = source->fetched.load();
                    return false;
                };
                source->fetched = 0, source->slow = false;
                auto const scan = Scan::load(d, o);
                ASSERT_FALSE(scan);
                EXPECT_EQ(scan.error().code, Code::cancelled);
                EXPECT_EQ(later, 0) << "called again after it had said stop";
                EXPECT_LE(source->fetched - then, 3 * 16 * (threads - 1));
                EXPECT_EQ(store::Arena::kept_bytes(), 0u);
            }
}

TEST(Cancel, AStreamedAnalysisEndsWithinAUnitPerWorker) {
    Dataset d = make_dataset(random_counts(64, 128, 16, 16, 54), DType::u16, Encoding::values);
    auto const source = std::make_shared<CountingSource>(d.source);
    d.source = source;
    LoadOptions o;
    o.residency = Residency::stream;
    Scan const scan = loaded(d, o);
    for (int threads : {1, 3}) {
        source->fetched = 0, source->slow = false;
        index then = 0;
        stem4d::Options options;
        options.device = Device::cpu(threads);
        options.progress = [&](std::uint64_t, std::uint64_t) {
            source->slow = source->fetched >= 200;
            then = source->fetched;
            return !source->slow;
        };
        auto const com = stem4d::center_of_mass(scan, {}, options);
        ASSERT_FALSE(com);
        EXPECT_EQ(com.error().code, Code::cancelled);
        EXPECT_LE(source->fetched - then, 3 * 16 * (threads - 1));
    }
}

TEST(Arena, KeepsWhatAskedForItAndGivesTheRestBack) {
    using store::Arena;
    Arena::drop_kept();
    { Arena const a = Arena::reserve(10 << 20).value(); }
    EXPECT_EQ(Arena::kept_bytes(), 0u);
    std::byte* place = nullptr;
    {
        Arena a = Arena::reserve(10 << 20).value();
        place = a.take(3 << 20);
        place[0] = std::byte{7};
        a.keep_at_end();
        Arena const moved = std::move(a);
    }
    EXPECT_EQ(Arena::kept_bytes(), 4u << 20);
    {
        Arena again = Arena::reserve(10 << 20).value();
        EXPECT_EQ(Arena::kept_bytes(), 0u);
        EXPECT_EQ(again.take(1), place);
        EXPECT_EQ(place[0], std::byte{7});
        Arena const other = Arena::reserve(10 << 20).value();
        EXPECT_NE(other.base(), again.base());
    }
    EXPECT_EQ(Arena::kept_bytes(), 0u);
}

}  // namespace
}  // namespace sluice
