// Disks by readers whose clock the test moves, and a real one.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/disk.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "bench/test_clock.h"
#include "doctor/limits.h"

namespace sluice::doctor {
namespace {

// A disk that takes so long for each read, and for each byte.
struct SlowDisk {
    bench::FakeClock clock;
    std::set<std::uint64_t> places;
    int reads = 0;

    Reader reader(double seek_s, double bytes_per_s) {
        return {64 << 20, [=, this](std::uint64_t at, std::span<std::byte> out) -> Status {
                    ++reads;
                    places.insert(at);
                    clock.pass(seek_s + static_cast<double>(out.size()) / bytes_per_s, 0);
                    return {};
                }};
    }
    DiskTime time(double most_s) { return {most_s, &clock.clock, {}}; }
};

TEST(Disk, OfAThrottledReaderHasItsRate) {
    SlowDisk disk;
    auto const found = read_in_order(disk.reader(0, 20e6), disk.time(100)).value();
    EXPECT_NEAR(found.value(), 20e6, 1e3);
    EXPECT_EQ(disk.reads, 16);  // all of it
    MachineFacts f;
    f.processor = "any";
    f.instructions = f.best_instructions;
    f.memory = f.memory_limit = f.memory_available = 1;
    f.disk_in_order = found;
    ASSERT_EQ(diagnose(f).size(), 1u);
    EXPECT_EQ(diagnose(f)[0].rule, "disk");
}

TEST(Disk, IsNotReadLongerThanWasAsked) {
    SlowDisk disk;
    auto const found = read_in_order(disk.reader(0, 20e6), disk.time(1)).value();
    EXPECT_NEAR(found.value(), 20e6, 1e3);
    EXPECT_LT(disk.reads, 7);
}

TEST(Disk, WithAHeadThatMovesReadsFewPlacesASecond) {
    SlowDisk disk;
    auto const found = read_anywhere(disk.reader(0.01, 1e9), disk.time(2)).value();
    EXPECT_NEAR(found.value(), 100, 1);
    EXPECT_GT(disk.places.size(), 150u);
    for (std::uint64_t const at : disk.places) EXPECT_EQ(at % anywhere_bytes, 0u);
}

TEST(Disk, IsLeftAloneWhenSomebodySaysStop) {
    SlowDisk disk;
    DiskTime time = disk.time(100);
    time.progress = [&](std::uint64_t, std::uint64_t) { return disk.reads < 3; };
    EXPECT_EQ(read_in_order(disk.reader(0, 20e6), time).error().code, Code::cancelled);
    EXPECT_EQ(disk.reads, 3);
}

TEST(Disk, KeepsNothingOfWhatWasMeasured) {
    auto const folder = std::filesystem::temp_directory_path() / "sluice_doctor_disk_test";
    std::filesystem::create_directories(folder);
    DiskTime time;
    time.most_s = 0.05;
    auto const rates = measure_disk(folder, 8 << 20, time);
    ASSERT_TRUE(rates) << rates.error().text();
    EXPECT_GT(rates->write.value(), 0);
    EXPECT_GT(rates->cached.value(), 0);
    EXPECT_TRUE(rates->in_order.taken() || !rates->in_order.not_taken.empty());
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::filesystem::remove(folder);
    EXPECT_FALSE(measure_disk(folder, 8 << 20, time));
    EXPECT_EQ(free_bytes(folder), 0u);
}

}  // namespace
}  // namespace sluice::doctor
