// The statistics of simulated patterns: Poisson counts, disk and background, centre-of-mass noise.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>
#include <thread>

#include "format/synthetic/random.h"
#include "format/synthetic/specimen.h"

namespace sluice {
namespace {

/// The published setting: 4 counts per pixel in the disk of radius 20, 0.03 elsewhere, no specimen.
SyntheticOptions plain() {
    SyntheticOptions o;
    o.scan = {16, 16};
    o.detector = {192, 192};
    o.dose = 6100;
    o.bragg = 0;
    o.wobble = 0;
    o.lattice = 0;
    o.masked = 0;
    return o;
}

std::vector<std::uint32_t> frame_of(Simulator const& s, index frame) {
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(s.options().pixels()));
    s.counts(frame, counts);
    return counts;
}

/// Mean over all frames of the counts per pixel where `inside` of the radius holds.
template <class F>
double mean_where(SyntheticOptions const& o, F const& inside) {
    Simulator const s(o);
    double sum = 0;
    index pixels = 0;
    for (index f = 0; f < o.frames(); ++f) {
        auto const counts = frame_of(s, f);
        for (index y = 0; y < o.detector[0]; ++y)
            for (index x = 0; x < o.detector[1]; ++x) {
                double const dy = static_cast<double>(2 * y - o.detector[0] + 1) / 2;
                double const dx = static_cast<double>(2 * x - o.detector[1] + 1) / 2;
                if (!inside(std::hypot(dy, dx))) continue;
                sum += counts[static_cast<std::size_t>(y * o.detector[1] + x)];
                ++pixels;
            }
    }
    return sum / static_cast<double>(pixels);
}

TEST(poisson, mean_and_variance_for_small_and_large_means) {
    for (double const mean : {0.0, 0.3, 4.0, 9.99, 10.0, 37.0, 6100.0, 1e6}) {
        synthetic::Uniform u(synthetic::frame_key(7, static_cast<std::uint64_t>(mean * 100)));
        constexpr int n = 200000;
        double sum = 0, squares = 0;
        for (int i = 0; i < n; ++i) {
            double const d = static_cast<double>(synthetic::poisson(mean, u)) - mean;
            sum += d;
            squares += d * d;
        }
        EXPECT_NEAR(sum / n, 0, 4.5 * std::sqrt(mean / n)) << mean;
        EXPECT_NEAR(squares / n, mean, 4.5 * std::sqrt((2 * mean * mean + mean) / n)) << mean;
    }
}

TEST(pattern, disk_is_even_and_empty_outside_without_background) {
    SyntheticOptions o = plain();
    o.diffuse = 0;
    double const expected = o.dose / (std::numbers::pi * o.radius() * o.radius());
    double const pixels = std::numbers::pi * 81 * static_cast<double>(o.frames());
    double const sigma = std::sqrt(expected / pixels);
    EXPECT_NEAR(mean_where(o, [](double r) { return r < 9; }), expected, 4.5 * sigma);
    EXPECT_NEAR(mean_where(o, [](double r) { return r > 16 && r < 18.36; }), expected, 4.5 * sigma);
    EXPECT_EQ(mean_where(o, [&](double r) { return r > o.radius() + 0.71; }), 0);
}

TEST(pattern, published_setting_has_4_in_the_disk_and_003_elsewhere) {
    SyntheticOptions o = plain();
    EXPECT_NEAR(o.radius(), 20, 0.1);
    EXPECT_NEAR(mean_where(o, [](double r) { return r < 19; }), 4, 0.2);
    EXPECT_NEAR(mean_where(o, [](double r) { return r > 21; }), 0.03, 0.006);
}

TEST(pattern, every_electron_lands_and_their_number_is_poisson) {
    SyntheticOptions o = plain();
    o.scan = {40, 50};
    o.detector = {40, 30};
    o.dose = 300;
    o.diffuse = 0.9;
    Simulator const s(o);
    double const n = static_cast<double>(o.frames());
    double sum = 0, squares = 0;
    for (index f = 0; f < o.frames(); ++f) {
        auto const counts = frame_of(s, f);
        double const d = std::accumulate(counts.begin(), counts.end(), 0.0) - o.dose;
        sum += d;
        squares += d * d;
    }
    EXPECT_NEAR(sum / n, 0, 4.5 * std::sqrt(o.dose / n));
    EXPECT_NEAR(squares / n, o.dose, 4.5 * o.dose * std::sqrt(2 / n));
}

TEST(pattern, centre_of_mass_scatters_by_radius_over_2_sqrt_n) {
    SyntheticOptions o = plain();
    o.scan = {64, 64};
    o.detector = {64, 64};
    o.disk_radius = 20;
    o.dose = 1000;
    o.diffuse = 0;
    Simulator const s(o);
    double sum = 0, squares = 0;
    for (index f = 0; f < o.frames(); ++f) {
        auto const counts = frame_of(s, f);
        double mass = 0, moment = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            mass += counts[i];
            moment += counts[i] * (static_cast<double>(i % 64) - 31.5);
        }
        sum += moment / mass;
        squares += moment / mass * (moment / mass);
    }
    double const n = static_cast<double>(o.frames());
    double const sigma = 20 / (2 * std::sqrt(1000.0));  // Var(u) = R^2 / 4 in a disk
    EXPECT_NEAR(sum / n, 0, 4.5 * sigma / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(squares / n), sigma, 4.5 * sigma / std::sqrt(2 * n));
}

TEST(pattern, same_numbers_in_any_order_and_on_any_thread) {
    SyntheticOptions o;
    o.scan = {4, 8};
    Simulator const s(o);
    std::vector<std::vector<std::uint32_t>> once, again(32);
    for (index f = 0; f < 32; ++f) once.push_back(frame_of(s, f));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (index f = 31 - t; f >= 0; f -= 4)
                again[static_cast<std::size_t>(f)] = frame_of(s, f);
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(once, again);
    EXPECT_NE(once[0], once[1]);
    o.seed = 2;
    EXPECT_NE(once[0], frame_of(Simulator(o), 0));
    std::vector<std::uint32_t> alone(once[0].size());
    simulate_frame(s.options(), 5, alone);
    EXPECT_EQ(alone, once[5]);
}

TEST(pattern, columns_take_electrons_out_of_the_disk_and_pull_it) {
    SyntheticOptions o = plain();
    o.lattice = 12;
    auto const on = synthetic::specimen_at(o, 0, 0), between = synthetic::specimen_at(o, 6, 0);
    EXPECT_GT(on.high_angle, 4 * between.high_angle);
    auto const above = synthetic::specimen_at(o, 10, 0), below = synthetic::specimen_at(o, 14, 0);
    EXPECT_GT(above.shift_y, 0.5);  // towards the column in row 12
    EXPECT_LT(below.shift_y, -0.5);
    EXPECT_EQ(synthetic::specimen_at(o, 3, 0).grain, 0);
    EXPECT_EQ(synthetic::specimen_at(o, 3, 15).grain, 1);
}

TEST(pattern, bragg_disks_hold_their_share_of_the_electrons) {
    SyntheticOptions o = plain();
    o.diffuse = 0;
    o.bragg = 0.25;
    double const area = std::numbers::pi * o.radius() * o.radius();
    double const direct = mean_where(o, [](double r) { return r < 18; }) * area;
    EXPECT_NEAR(direct / o.dose, 0.75, 0.005);
}

TEST(pattern, without_room_for_bragg_disks_the_direct_beam_keeps_the_electrons) {
    SyntheticOptions o = plain();
    o.scan = {4, 4};
    o.detector = {64, 64};
    o.disk_radius = 25;
    o.diffuse = 0;
    o.bragg = 0.5;
    EXPECT_EQ(mean_where(o, [](double r) { return r > 26; }), 0);
}

TEST(pattern, values_saturate_and_mark_bad_pixels) {
    for (DType const type : {DType::u8, DType::u16, DType::u32}) {
        SyntheticOptions o = plain();
        o.dtype = type;
        o.detector = {8, 9};
        o.disk_radius = 2;
        o.dose = 40000;
        o.masked = 5;
        auto const element = static_cast<std::size_t>(size_of(type));
        Simulator s(o);
        std::vector<std::uint32_t> scratch(72);
        std::vector<std::byte> values(72 * element);
        s.values(3, scratch, values);
        std::vector<std::uint32_t> const counts = frame_of(s, 3);
        std::size_t masked = 0;
        for (std::size_t i = 0; i < 72; ++i) {
            std::uint32_t v = 0;
            std::memcpy(&v, values.data() + i * element, element);
            bool const bad = s.pixel_mask()[i] != 0;
            masked += bad;
            std::uint32_t const ones = s.options().saturation() + 1;
            EXPECT_EQ(v, bad ? ones : std::min(counts[i], ones - 1));
        }
        EXPECT_EQ(masked, 5u);
        EXPECT_GT(std::ranges::max(counts), 254u);

        o.sentinel = false;
        Simulator zeroing(o);
        zeroing.values(3, scratch, values);
        for (std::size_t i = 0; i < 72; ++i)
            if (zeroing.pixel_mask()[i] != 0) {
                EXPECT_EQ(values[i * element], std::byte{0});
            }
    }
}

}  // namespace
}  // namespace sluice
