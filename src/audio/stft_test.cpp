// Tests of Stft: its definition in double, the way back, threads, and what cannot be planned.
// SPDX-License-Identifier: Apache-2.0
#include "audio/stft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "base/test_sanitizer.h"

namespace sluice::audio {
namespace {

using Spectra = std::vector<std::complex<float>>;
using Exact = std::complex<double>;

struct Shape {
    index n_fft, hop, frames;
    index samples() const { return hop * (frames - 1); }
    index bins() const { return n_fft / 2 + 1; }
};

// Hops that divide n_fft and that do not, few and many frames, sizes that are not powers of two.
std::vector<Shape> const shapes{{16, 4, 12},    {16, 5, 40},  {12, 11, 3}, {2, 1, 5},
                                {64, 16, 4},    {30, 7, 37},  {64, 1, 90}, {512, 128, 70},
                                {768, 100, 21}, {512, 256, 3}};

double window(index k, index n) {
    double const s = std::sin(std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
    return s * s;
}

Exact turn(index k, index n) {
    return std::polar(1.0,
                      2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n));
}

/// By the definition, sample by sample.
std::vector<Exact> naive_forward(Shape const& s, std::vector<float> const& x) {
    std::vector<Exact> out;
    for (index f = 0; f < s.frames; ++f)
        for (index b = 0; b < s.bins(); ++b) {
            Exact sum = 0;
            for (index k = 0; k < s.n_fft; ++k) {
                index at = f * s.hop + k - s.n_fft / 2;
                if (at < 0) at = -at;
                if (at >= s.samples()) at = 2 * (s.samples() - 1) - at;
                sum += std::conj(turn(k * b, s.n_fft)) * window(k, s.n_fft) *
                       static_cast<double>(x[static_cast<std::size_t>(at)]);
            }
            out.push_back(sum);
        }
    return out;
}

std::vector<double> naive_inverse(Shape const& s, Spectra const& spectra) {
    auto const length = static_cast<std::size_t>(s.samples() + s.n_fft);
    std::vector<double> sum(length), weight(length);
    for (index f = 0; f < s.frames; ++f)
        for (index k = 0; k < s.n_fft; ++k) {
            double x = 0;
            for (index b = 0; b < s.bins(); ++b) {
                Exact const v = spectra[static_cast<std::size_t>(f * s.bins() + b)];
                double const twice = b == 0 || 2 * b == s.n_fft ? 1 : 2;
                x += twice * (v * turn(k * b, s.n_fft)).real() / static_cast<double>(s.n_fft);
            }
            double const w = window(k, s.n_fft);
            sum[static_cast<std::size_t>(f * s.hop + k)] += w * x;
            weight[static_cast<std::size_t>(f * s.hop + k)] += w * w;
        }
    std::vector<double> out;
    for (index i = s.n_fft / 2; i < s.n_fft / 2 + s.samples(); ++i)
        out.push_back(sum[static_cast<std::size_t>(i)] / weight[static_cast<std::size_t>(i)]);
    return out;
}

std::vector<float> some_samples(index n, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> u(-1, 1);
    std::vector<float> out(static_cast<std::size_t>(n));
    for (float& v : out) v = u(random);
    return out;
}

Spectra some_spectra(index n) {
    auto const parts = some_samples(2 * n, 7);
    Spectra out(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = {parts[2 * k], parts[2 * k + 1]};
    return out;
}

/// Signal over difference, in dB.
template <class A, class B>
double decibels(A const& got, B const& wanted) {
    double signal = 0, difference = 0;
    EXPECT_EQ(got.size(), wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        signal += std::norm(Exact(wanted[k]));
        difference += std::norm(Exact(got[k]) - Exact(wanted[k]));
    }
    return 10 * std::log10(signal / std::max(difference, 1e-300));
}

TEST(AudioStft, IsWhatItsDefinitionSays) {
    for (Shape const& s : shapes) {
        auto stft = Stft::make(s.n_fft, s.hop, s.frames).value();
        ASSERT_EQ(stft.samples(), s.samples());
        auto const x = some_samples(s.samples());
        Spectra got(static_cast<std::size_t>(s.frames * s.bins()));
        ASSERT_TRUE(stft.forward(x, got));
        EXPECT_GT(decibels(got, naive_forward(s, x)), 130) << s.n_fft << ' ' << s.hop;
    }
}

// Spectra that no sound has: the way back is then more than the undoing of forward().
TEST(AudioStft, GoesBackAsItsDefinitionSays) {
    for (Shape const& s : shapes) {
        auto stft = Stft::make(s.n_fft, s.hop, s.frames).value();
        Spectra const spectra = some_spectra(s.frames * s.bins());
        std::vector<float> got(static_cast<std::size_t>(s.samples()));
        ASSERT_TRUE(stft.inverse(spectra, got));
        EXPECT_GT(decibels(got, naive_inverse(s, spectra)), 120) << s.n_fft << ' ' << s.hop;
    }
}

TEST(AudioStft, UndoesItself) {
    for (Shape const& s : {Shape{8192, 1024, 256}, Shape{2048, 512, 65}, Shape{12288, 1024, 33}}) {
        auto stft = Stft::make(s.n_fft, s.hop, s.frames, 2).value();
        auto const x = some_samples(s.samples());
        Spectra spectra(static_cast<std::size_t>(s.frames * s.bins()));
        std::vector<float> back(x.size());
        ASSERT_TRUE(stft.forward(x, spectra));
        ASSERT_TRUE(stft.inverse(spectra, back));
        EXPECT_GT(decibels(back, x), 130) << s.n_fft;
    }
}

TEST(AudioStft, HasTheSameBitsWithAnyThreadsAndAgain) {
    Shape const s{512, 128, 147};
    auto const x = some_samples(s.samples());
    Spectra const any = some_spectra(s.frames * s.bins());
    Spectra first, spectra(any.size());
    std::vector<float> first_back, back(x.size());
    for (int const threads : {1, 2, 3, 8}) {
        auto stft = Stft::make(s.n_fft, s.hop, s.frames, threads).value();
        for (int again = 0; again < 2; ++again) {
            ASSERT_TRUE(stft.forward(x, spectra));
            ASSERT_TRUE(stft.inverse(any, back));
            if (first.empty()) {
                first = spectra;
                first_back = back;
            }
            EXPECT_EQ(spectra, first) << threads;
            EXPECT_EQ(back, first_back) << threads;
        }
    }
}

TEST(AudioStft, RefusesWhatCannotBePlanned) {
    auto const said = [](index n_fft, index hop, index frames, int threads = 1) {
        auto const made = Stft::make(n_fft, hop, frames, threads);
        return made ? std::string("nothing") : made.error().message;
    };
    auto const has = [](std::string const& text, char const* part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    index const huge = std::numeric_limits<index>::max() / 2;
    has(said(0, 1, 10), "even");
    has(said(7, 1, 10), "even");
    has(said(8, 0, 10), "leave gaps");
    has(said(8, 8, 10), "leave gaps");
    has(said(8192, 8191, 10), "leave gaps");
    has(said(8, 2, 0), "0 frames");
    has(said(8, 2, 10, 0), "0 threads");
    has(said(8, 2, 3), "too few to mirror 4 of them) give more than 3 frames");
    EXPECT_EQ(said(8, 2, 4), "nothing");
    has(said(huge - huge % 2, 2, huge), "do not fit in memory");
    has(said(8192, 1024, huge / 100), "do not fit in memory");
}

TEST(AudioStft, RefusesWhatTheMachineHasNoMemoryFor) {
    if (!may_ask_for_too_much())
        GTEST_SKIP() << "the address sanitizer ends programs that ask for too much";
    auto const made = Stft::make(8192, 1024, index{1} << 31, 1);
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message.find("do not fit in memory"), std::string::npos)
        << made.error().message;
}

}  // namespace
}  // namespace sluice::audio
