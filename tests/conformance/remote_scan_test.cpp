// A scan is copied to a device once, and gives way where memory is short.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/remote_scan.h"

#include <gtest/gtest.h>

#include <limits>

#include "device/fake.h"
#include "store/resident.h"
#include "support/memory_dataset.h"

namespace sluice::stem4d {
namespace {

constexpr index edge = 48;

Scan loaded(Layout layout, Residency residency = Residency::automatic) {
    auto const counts = testing_support::random_counts(16, 16, edge, edge, 5, 300);
    LoadOptions options;
    options.layout = layout;
    options.residency = residency;
    options.device = Device::cpu(2);
    return Scan::load(testing_support::make_dataset(counts, DType::u16, Encoding::values), options)
        .value();
}

Detector down_to(double row) {
    Detector d;
    d.name = "corner";
    d.center = Point{row, 20};
    d.shape = Detector::Shape::rectangle;
    d.to = {row, 30};
    return d;
}

Options on(Device const& device) {
    Options o;
    o.device = device;
    return o;
}

Traffic traffic(Device const& device = Device::fake()) {
    return traffic_of(device).value();
}

// What must cross for a detector: its mask, and where that begins and ends.
std::uint64_t mask_bytes(Scan const& scan, Detector const& d) {
    Compiled const c = compile(rasterize(scan, d, Disk{}).value(), scan.bad_pixels());
    std::size_t const mask = scan.chosen_layout() == Layout::planes
                                 ? c.words.size() * sizeof(planes::MaskWord)
                                 : c.runs.size() * sizeof(dense::Run);
    return mask + 2 * sizeof(index);
}

class RemoteScans : public ::testing::TestWithParam<std::tuple<Layout, std::string>> {};

TEST_P(RemoteScans, AreUploadedOnceInADrag) {
    auto const& [layout, name] = GetParam();
    auto const device = Device::named(name);
    if (!device) GTEST_SKIP() << device.error().text();
    Scan scan = loaded(layout);
    auto const moved_by = [&](auto const& work) {
        Traffic const before = traffic(*device);
        work();
        return traffic(*device) - before;
    };
    auto const image = [&](double row) {
        Detector const d = down_to(row);
        auto const found = virtual_image(scan, {&d, 1}, on(*device));
        ASSERT_TRUE(found) << found.error().text();
        EXPECT_EQ(found->values.values,
                  virtual_image(scan, {&d, 1}, on(Device::reference()))->values.values);
    };
    // Lines are tiles on a device.
    std::uint64_t const frames =
        loaded(layout == Layout::lines ? Layout::planes : layout).resident_store()->bytes();
    EXPECT_GT(moved_by([&] { image(10); }).uploaded, frames);
    for (double const row : {11.0, 12.5, 30.0}) {
        Traffic const moved = moved_by([&] { image(row); });
        EXPECT_EQ(moved.uploaded, mask_bytes(scan, down_to(row)));
        EXPECT_EQ(moved.downloaded, 256 * sizeof(double));
        EXPECT_EQ(moved.waits, 1u);
    }
    Scan other = std::move(scan);  // takes its copies along
    scan = std::move(other);
    EXPECT_LT(moved_by([&] { image(20); }).uploaded, 10'000u);
    auto const pattern = [&] {
        EXPECT_TRUE(diffraction_pattern(scan, Pattern::sum, {}, on(*device)));
    };
    EXPECT_LE(moved_by(pattern).uploaded, 256u) << "a choice of frames";
    auto const com = [&] { EXPECT_TRUE(center_of_mass(scan, {}, on(*device))); };
    EXPECT_LT(moved_by(com).uploaded, 10'000u);
}

INSTANTIATE_TEST_SUITE_P(All, RemoteScans,
                         ::testing::Combine(::testing::Values(Layout::planes, Layout::lines,
                                                              Layout::dense),
                                            ::testing::Values("fake", "cuda")),
                         [](auto const& info) {
                             Layout const layout = std::get<0>(info.param);
                             return std::string(layout == Layout::planes  ? "planes_on_"
                                                : layout == Layout::lines ? "lines_on_"
                                                                          : "values_on_") +
                                    std::get<1>(info.param);
                         });

TEST(RemoteScan, GivesWayWhereMemoryIsShort) {
    Scan const a = loaded(Layout::dense), b = loaded(Layout::dense);
    std::uint64_t const size = a.resident_store()->bytes();
    Detector const d = down_to(12);
    auto const uploaded = [&](Scan const& scan) {
        std::uint64_t const before = traffic().uploaded;
        EXPECT_TRUE(virtual_image(scan, {&d, 1}, on(Device::fake())));
        return traffic().uploaded - before;
    };
    EXPECT_GT(uploaded(a), size);
    EXPECT_GT(uploaded(b), size);
    EXPECT_LT(uploaded(a), size / 10);
    fake_backend()->set_limit(size * 3 / 2);
    EXPECT_LT(uploaded(b), size / 10) << "it is there, and so is room for a mask";
    EXPECT_GT(uploaded(a), size) << "it gave way";
    EXPECT_GT(uploaded(b), size);
    EXPECT_LT(uploaded(b), size / 10);
    fake_backend()->set_limit(size / 2);
    auto const none = virtual_image(a, {&d, 1}, on(Device::fake()));
    fake_backend()->set_limit(std::numeric_limits<std::size_t>::max());
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, Code::out_of_memory);
    EXPECT_GT(uploaded(a), size);
}

TEST(RemoteScan, RefusesStreams) {
    Scan const scan = loaded(Layout::planes, Residency::stream);
    Detector const d = down_to(12);
    auto const found = virtual_image(scan, {&d, 1}, on(Device::fake()));
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, Code::unavailable);
    EXPECT_NE(found.error().message.find("'fake' needs the scan in memory"), std::string::npos);
}

}  // namespace
}  // namespace sluice::stem4d
