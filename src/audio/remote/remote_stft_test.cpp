// Short-time Fourier transforms on devices: those of the host, and the same bits on every device.
// SPDX-License-Identifier: Apache-2.0
#include "audio/remote/remote_stft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "audio/stft.h"
#include "device/fake.h"

namespace sluice::audio {
namespace {

using Spectra = std::vector<std::complex<float>>;

struct Shape {
    index n_fft, hop, frames;
};
std::vector<Shape> const shapes{{16, 4, 12}, {16, 5, 40}, {12, 11, 3},    {64, 1, 90},
                                {30, 7, 37}, {74, 9, 21}, {512, 128, 70}, {512, 256, 3}};

struct Answer {
    Spectra spectra;
    std::vector<float> back;
};

std::vector<float> noise(index n) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    std::vector<float> x(static_cast<std::size_t>(n));
    for (float& v : x) v = normal(random);
    return x;
}

Answer on(Device const& device, Shape const& s) {
    Queue queue = Queue::of(device).value();
    auto stft = RemoteStft::make(queue, s.n_fft, s.hop, s.frames).value();
    EXPECT_EQ(stft.bytes(), RemoteStft::bytes_of(s.n_fft, s.hop, s.frames));
    auto const x = noise(stft.samples());
    auto const samples = Place<float>::of(queue, x).value();
    auto const spectra =
        Place<std::complex<float>>::make(queue, stft.frames() * stft.bins()).value();
    auto const back = Place<float>::make(queue, stft.samples()).value();
    EXPECT_TRUE(stft.forward(queue, samples.data(), spectra.data()));
    EXPECT_TRUE(stft.inverse(queue, spectra.data(), back.data()));
    Answer a{Spectra(static_cast<std::size_t>(spectra.count())), std::vector<float>(x.size())};
    EXPECT_TRUE(spectra.download(queue, a.spectra) && back.download(queue, a.back));
    EXPECT_TRUE(queue.wait());
    return a;
}

TEST(AudioRemoteStft, IsThatOfTheHost) {
    for (Shape const& s : shapes) {
        Answer const found = on(Device::fake(), s);
        auto stft = Stft::make(s.n_fft, s.hop, s.frames).value();
        auto const x = noise(stft.samples());
        Spectra spectra(found.spectra.size());
        ASSERT_TRUE(stft.forward(x, spectra));
        for (std::size_t i = 0; i < spectra.size(); ++i)
            ASSERT_LT(std::abs(spectra[i] - found.spectra[i]),
                      4e-6 * std::sqrt(static_cast<double>(s.n_fft)))
                << s.n_fft << " at " << i;
        for (std::size_t i = 0; i < x.size(); ++i)
            ASSERT_NEAR(x[i], found.back[i], 1e-5) << s.n_fft;
    }
}

TEST(AudioRemoteStft, HasTheSameBitsOnEveryDevice) {
    for (Shape const& s : shapes) {
        Answer const first = on(Device::reference(), s);
        std::vector<Device> devices{Device::fake(), Device::cpu(2)};
        if (auto const gpu = Device::cuda()) devices.push_back(*gpu);
        for (Device const& device : devices) {
            Answer const other = on(device, s);
            EXPECT_EQ(first.spectra, other.spectra) << device.name();
            EXPECT_EQ(first.back, other.back) << device.name();
        }
    }
}

TEST(AudioRemoteStft, RefusesWhatCannotBePlanned) {
    Queue queue = Queue::of(Device::fake()).value();
    EXPECT_EQ(RemoteStft::make(queue, 15, 4, 12).error().code, Code::invalid_argument);
    EXPECT_EQ(RemoteStft::make(queue, 16, 16, 12).error().code, Code::invalid_argument);
    fake_backend()->set_limit(fake_backend()->taken() + (1 << 20));
    auto const none = RemoteStft::make(queue, 8192, 1024, 256);
    fake_backend()->set_limit(std::numeric_limits<std::size_t>::max());
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, Code::out_of_memory);
}

}  // namespace
}  // namespace sluice::audio
