// A scan step reads every k-th scan point and no other, and gives what slicing the whole scan
// gives. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "sluice/stem4d.h"
#include "support/memory_dataset.h"

namespace sluice {
namespace {

using testing_support::Counts;
using testing_support::make_dataset;
using testing_support::MemorySource;
using testing_support::random_counts;

// Notes the frames that somebody fetched.
class WatchedSource : public FrameSource {
  public:
    explicit WatchedSource(std::shared_ptr<FrameSource const> source)
        : source_(std::move(source)) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        {
            std::lock_guard lock(mutex_);
            for (std::size_t i = 0; i < out.size(); ++i)
                fetched_.insert(first + static_cast<index>(i));
        }
        return source_->fetch(first, out, scratch);
    }
    std::uint64_t stored_bytes() const override { return source_->stored_bytes(); }
    std::set<index> const& fetched() const { return fetched_; }

  private:
    std::shared_ptr<FrameSource const> source_;
    mutable std::mutex mutex_;
    mutable std::set<index> fetched_;
};

Scan loaded(Dataset dataset, LoadOptions const& options) {
    auto scan = Scan::load(std::move(dataset), options);
    EXPECT_TRUE(scan) << scan.error().text();
    return std::move(*scan);
}

std::vector<LoadOptions> cases() {
    std::vector<LoadOptions> c(6);
    c[1].layout = Layout::dense;
    c[2].scan_region = Region{2, 1, 9, 15}, c[2].detector_region = Region{1, 4, 17, 13};
    c[3].det_bin = 3, c[3].bin_edge = BinEdge::partial;
    c[4].det_bin = 2, c[4].bin_mode = BinMode::mean, c[4].scan_region = Region{0, 3, 12, 8};
    c[5].residency = Residency::stream;
    return c;
}

TEST(ScanStep, GivesWhatSlicingTheWholeScanGives) {
    Counts const c = random_counts(13, 18, 20, 23, 41);
    Dataset const dataset = make_dataset(c, DType::u16, Encoding::bitshuffle_lz4);
    std::vector const detectors{stem4d::parse_detector("disk:r=4.5,center=8:7").value()};
    for (LoadOptions o : cases()) {
        Scan const whole = loaded(dataset, o);
        auto const all = stem4d::virtual_image(whole, detectors).value();
        auto const com = stem4d::center_of_mass(whole).value();
        auto const whole_shape = whole.scan_shape();
        for (index step : {1, 2, 3, 5, 8, 100}) {
            o.scan_step = step;
            Scan const scan = loaded(dataset, o);
            auto const shape = scan.scan_shape();
            ASSERT_EQ(shape[0], (whole_shape[0] + step - 1) / step);
            ASSERT_EQ(shape[1], (whole_shape[1] + step - 1) / step);
            auto const some = stem4d::virtual_image(scan, detectors).value();
            auto const some_com = stem4d::center_of_mass(scan).value();
            for (index r = 0; r < shape[0]; ++r)
                for (index k = 0; k < shape[1]; ++k) {
                    auto const at = static_cast<std::size_t>(r * shape[1] + k),
                               from =
                                   static_cast<std::size_t>(r * step * whole_shape[1] + k * step);
                    ASSERT_EQ(some.values.values[at], all.values.values[from]) << step;
                    ASSERT_EQ(some_com.row.values[at], com.row.values[from]) << step;
                    ASSERT_EQ(stem4d::frame(scan, r, k)->values,
                              stem4d::frame(whole, r * step, k * step)->values)
                        << step;
                }
        }
    }
}

TEST(ScanStep, ReadsTheFramesItShowsAndNoOthers) {
    Counts const c = random_counts(19, 21, 16, 16, 42);
    for (Residency residency : {Residency::memory, Residency::stream}) {
        Dataset d = make_dataset(c, DType::u16, Encoding::bitshuffle_lz4);
        auto const source = std::make_shared<WatchedSource>(d.source);
        d.source = source;
        LoadOptions o;
        o.scan_step = 4, o.scan_region = Region{1, 2, 18, 17}, o.residency = residency;
        Scan const scan = loaded(d, o);
        ASSERT_TRUE(stem4d::center_of_mass(scan));
        std::set<index> expected;
        for (index r = 1; r < 19; r += 4)
            for (index k = 2; k < 19; k += 4) expected.insert(r * 21 + k);
        EXPECT_EQ(source->fetched(), expected);
    }
}

TEST(ScanStep, IsToldAndScalesTheStep) {
    Dataset d = make_dataset(random_counts(9, 9, 16, 16, 43), DType::u16, Encoding::values);
    d.scan_step_nm = 0.25;
    LoadOptions o;
    o.scan_step = 4;
    Scan const scan = loaded(d, o);
    EXPECT_EQ(scan.scan_step_nm(), 1.0);
    auto const notes = scan.notes();
    EXPECT_EQ(std::ranges::count(notes, "one of 4x4 scan points was read, as asked"), 1);
}

TEST(ScanStep, ProgressGoesToTheEndOfWhatIsRead) {
    Counts const c = random_counts(20, 20, 16, 16, 44);
    LoadOptions o;
    o.scan_step = 2;
    std::uint64_t last = 0, whole = 0;
    o.progress = [&](std::uint64_t done, std::uint64_t total) {
        last = done, whole = total;
        return true;
    };
    o.device = Device::cpu(1);
    Dataset const d = make_dataset(c, DType::u16, Encoding::values);
    loaded(d, o);
    EXPECT_EQ(whole, d.source->stored_bytes() / 4);
    EXPECT_EQ(last, whole);
}

TEST(ScanStep, RefusesWhatHasNoMeaning) {
    Dataset const d = make_dataset(random_counts(4, 4, 8, 8, 45), DType::u16, Encoding::values);
    for (index step : {index{0}, index{-3}, index{1} << 40}) {
        LoadOptions o;
        o.scan_step = step;
        auto const scan = Scan::load(d, o);
        ASSERT_FALSE(scan) << step;
        EXPECT_EQ(scan.error().code, Code::invalid_argument);
        EXPECT_NE(scan.error().message.find("1 to 65536"), std::string::npos);
    }
    LoadOptions both;
    both.scan_step = 2, both.scan_bin = 2;
    auto const scan = Scan::load(d, both);
    ASSERT_FALSE(scan);
    EXPECT_NE(scan.error().message.find("use one of them"), std::string::npos);
}

}  // namespace
}  // namespace sluice
