// Tests of Resampler: sines are the same sines at another rate, and lengths are exact.
// SPDX-License-Identifier: Apache-2.0
#include "audio/resample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace sluice::audio {
namespace {

struct Rates {
    int from, to;
};

// Of files and of networks; the last three have no small common divisor.
std::vector<Rates> const rates{{48'000, 44'100}, {44'100, 48'000}, {96'000, 44'100},
                               {44'100, 96'000}, {192'000, 8000},  {22'050, 44'100},
                               {44'101, 44'100}, {7919, 44'100},   {44'100, 11'027}};

/// The mean of sines at the frequencies, [frames] at a rate: what resampling must not change.
std::vector<float> sines(std::vector<double> const& hertz, int rate, index frames) {
    std::vector<float> out;
    for (index k = 0; k < frames; ++k) {
        double sum = 0;
        for (double const f : hertz)
            sum += std::sin(2 * std::numbers::pi * std::fmod(f * static_cast<double>(k) / rate, 1) +
                            f);
        out.push_back(static_cast<float>(sum / static_cast<double>(hertz.size())));
    }
    return out;
}

std::vector<float> resampled(std::vector<float> const& x, Rates r, index channels = 1,
                             std::optional<index> frames = {}) {
    std::vector<float> out;
    Resampler resampler = Resampler::make(r.from, r.to, channels).value();
    EXPECT_TRUE(resampler.push(x, out));
    EXPECT_TRUE(resampler.finish(out, frames));
    return out;
}

/// Of the middle half, where the ends are not heard.
double energy_of_middle(std::vector<float> const& x) {
    double sum = 0;
    for (std::size_t k = x.size() / 4; k < x.size() * 3 / 4; ++k) sum += double{x[k]} * x[k];
    return sum;
}

double decibels(double ratio) {
    return 10 * std::log10(std::max(ratio, 1e-30));
}

TEST(AudioResample, KeepsWhatIsBelowBothHalves) {
    for (Rates const r : rates) {
        std::vector<double> hertz;
        double const half = std::min(r.from, r.to) / 2.0;
        for (int k = 1; k <= 60; ++k) hertz.push_back(half * 0.91 * k / 60.3);
        index const frames = r.from, wanted = r.to;
        auto const got = resampled(sines(hertz, r.from, frames), r);
        auto const truth = sines(hertz, r.to, wanted);
        ASSERT_EQ(got.size(), truth.size());
        std::vector<float> difference(got);
        for (std::size_t k = 0; k < got.size(); ++k) difference[k] -= truth[k];
        double const db = decibels(energy_of_middle(difference) / energy_of_middle(truth));
        EXPECT_LT(db, -135) << r.from << " to " << r.to;
    }
}

TEST(AudioResample, IsFlatUpToNineTenths) {
    for (Rates const r : rates)
        for (int k = 1; k <= 20; ++k) {
            double const f = std::min(r.from, r.to) / 2.0 * 0.91 * k / 20;
            auto const got = resampled(sines({f}, r.from, r.from / 2), r);
            double const ripple = decibels(energy_of_middle(got) /
                                           energy_of_middle(sines({f}, r.to, std::ssize(got))));
            EXPECT_LT(std::abs(ripple), 1e-4) << f << " Hz, " << r.from << " to " << r.to;
        }
}

// From half of the new rate on, a sine has no place there; it would be heard at another frequency.
TEST(AudioResample, LeavesOutWhatCannotBe) {
    for (Rates const r : rates)
        for (int k = 0; r.from > r.to && k < 20; ++k) {
            double const f = r.to / 2.0 + (r.from - r.to) / 2.0 * k / 20;
            auto const x = sines({f}, r.from, r.from / 2);
            auto const got = resampled(x, r);
            double const db = decibels(energy_of_middle(got) / energy_of_middle(x) * r.from / r.to);
            EXPECT_LT(db, -140) << f << " Hz, " << r.from << " to " << r.to;
        }
}

TEST(AudioResample, GivesTheSameSamplesInAnyBlocks) {
    index const channels = 3;
    for (Rates const r : rates) {
        auto const x = sines({441, 1000.5, 3000}, r.from, 3 * 20'011);
        auto const whole = resampled(x, r, channels);
        for (std::size_t const frames : {1u, 37u, 4096u, 4099u, 10'000u}) {
            Resampler resampler = Resampler::make(r.from, r.to, channels).value();
            std::vector<float> out;
            for (std::size_t k = 0; k < x.size(); k += 3 * frames)
                ASSERT_TRUE(resampler.push(
                    std::span(x).subspan(k, std::min(3 * frames, x.size() - k)), out));
            ASSERT_TRUE(resampler.finish(out));
            EXPECT_EQ(out, whole) << frames << ", " << r.from << " to " << r.to;
        }
    }
}

TEST(AudioResample, TreatsChannelsAlike) {
    index const frames = 12'000;
    auto const left = sines({441}, 48'000, frames), right = sines({5000.25}, 48'000, frames);
    std::vector<float> both;
    for (std::size_t k = 0; k < left.size(); ++k) {
        both.push_back(left[k]);
        both.push_back(right[k]);
    }
    Rates const r{48'000, 44'100};
    auto const a = resampled(left, r), b = resampled(right, r), c = resampled(both, r, 2);
    ASSERT_EQ(c.size(), 2 * a.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        ASSERT_EQ(c[2 * k], a[k]);
        ASSERT_EQ(c[2 * k + 1], b[k]);
    }
}

TEST(AudioResample, GivesExactLengths) {
    for (Rates const r : rates)
        for (index const frames : {0, 1, 2, 79, 80, 4095, 4096, 4097, 60'001}) {
            auto const wanted = static_cast<index>(
                std::floor(static_cast<long double>(frames) * r.to / r.from + 0.5L));
            EXPECT_EQ(frames_at(frames, r.from, r.to), wanted);
            std::vector<float> const x(static_cast<std::size_t>(frames), 0.5f);
            EXPECT_EQ(std::ssize(resampled(x, r)), wanted) << frames << ' ' << r.from;
        }
    index const most = std::numeric_limits<index>::max();
    EXPECT_EQ(frames_at(most, 48'000, 48'000), most);
    EXPECT_EQ(frames_at(most, 44'100, 48'000), std::nullopt);
    EXPECT_EQ(frames_at(most / 2, 2, 3), most / 4 * 3 + 2);
}

// Rounding twice may miss the first length by a frame; whoever knows it says it.
TEST(AudioResample, ComesBackToTheLengthItHad) {
    for (index frames = 9990; frames < 10'150; frames += 7) {
        auto const x = sines({440}, 48'000, frames);
        auto const there = resampled(x, {48'000, 44'100});
        auto const back = resampled(there, {44'100, 48'000}, 1, frames);
        ASSERT_EQ(back.size(), x.size());
        std::vector<float> difference(x);
        for (std::size_t k = 0; k < x.size(); ++k) difference[k] -= back[k];
        EXPECT_LT(decibels(energy_of_middle(difference) / energy_of_middle(x)), -120);
    }
}

TEST(AudioResample, LeavesEqualRatesAlone) {
    auto const x = sines({440}, 48'000, 1000);
    EXPECT_EQ(resampled(x, {48'000, 48'000}), x);
    EXPECT_EQ(resampled(x, {7, 7}, 1, 1200).size(), 1200u);
}

TEST(AudioResample, RefusesRatesThatMakeNoSense) {
    for (Rates const r : {Rates{0, 44'100}, Rates{44'100, -1}, Rates{0, 0}, Rates{999, 44'100},
                          Rates{44'100, 20'000'000}, Rates{1000, 256'000}}) {
        auto const made = Resampler::make(r.from, r.to, 2);
        ASSERT_FALSE(made);
        EXPECT_NE(made.error().message.find("rates must be"), std::string::npos);
    }
    EXPECT_TRUE(Resampler::make(1000, 255'999, 2));
    Resampler resampler = Resampler::make(48'000, 44'100, 1).value();
    std::vector<float> out;
    ASSERT_TRUE(resampler.push(std::vector<float>(100'000), out));
    EXPECT_FALSE(resampler.finish(out, 10));
}

}  // namespace
}  // namespace sluice::audio
