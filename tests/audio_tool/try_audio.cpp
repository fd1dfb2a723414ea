// try_audio: the transforms and rates of src/audio on files of floats.
// SPDX-License-Identifier: Apache-2.0
//
//   try_audio stft N_FFT HOP FRAMES THREADS IN OUT    one channel to [frames][bins][re, im]
//   try_audio istft N_FFT HOP FRAMES THREADS IN OUT   and back
//   try_audio resample FROM TO CHANNELS BLOCK IN OUT  [frames][channels], BLOCK frames at a time
//   try_audio time N_FFT HOP FRAMES THREADS ROUNDS -  milliseconds of both ways, wall and processor
//   try_audio copy BITS DITHER 0 0 SOUND SOUND        as 16, 24 or 32 (float) bits, with its tags
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "audio/resample.h"
#include "audio/sink.h"
#include "audio/source.h"
#include "audio/stft.h"
#include "base/file.h"

namespace sluice::audio {
namespace {

Result<std::vector<float>> read_floats(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, std::uint64_t{1} << 32));
    std::vector<float> out(bytes.size() / sizeof(float));
    std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
    return out;
}

Status write_floats(std::string const& path, std::span<float const> values) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    SLUICE_CHECK(file.write(std::as_bytes(values)));
    return file.commit();
}

Status time_both(std::vector<index> const& n, int rounds) {
    SLUICE_TRY(Stft stft, Stft::make(n[0], n[1], n[2], static_cast<int>(n[3])));
    std::vector<float> samples(static_cast<std::size_t>(stft.samples()), 0.5f);
    std::vector<std::complex<float>> spectra(static_cast<std::size_t>(stft.frames() * stft.bins()));
    using Clock = std::chrono::steady_clock;
    std::vector<double> there, back;
    auto const ms = [](Clock::duration d) {
        return std::chrono::duration<double, std::milli>(d).count();
    };
    std::clock_t const before = std::clock();
    for (int k = 0; k < rounds; ++k) {
        auto const a = Clock::now();
        SLUICE_CHECK(stft.forward(samples, spectra));
        auto const b = Clock::now();
        SLUICE_CHECK(stft.inverse(spectra, samples));
        there.push_back(ms(b - a));
        back.push_back(ms(Clock::now() - b));
    }
    std::ranges::sort(there);
    std::ranges::sort(back);
    double const cpu = 1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / rounds;
    fmt::print("forward {:.2f} ms, inverse {:.2f} ms, processor of both {:.2f} ms\n",
               there[there.size() / 2], back[back.size() / 2], cpu);
    return {};
}

Status copy(index bits, index dither, std::string const& in, std::string const& out) {
    SLUICE_TRY(Source source, Source::open(in));
    Sound const& sound = source.sound();
    Target target{sound.rate, sound.channels, Encoding::pcm24, {}, sound.tags};
    if (bits != 24) target.encoding = bits == 16 ? Encoding::pcm16 : Encoding::float32;
    if (dither != 0) target.dither = dither;
    SLUICE_TRY(Sink sink, Sink::create(out, target));
    std::vector<float> block(static_cast<std::size_t>(65'536 * sound.channels));
    for (;;) {
        SLUICE_TRY(index const got, source.read(block));
        if (got == 0) break;
        SLUICE_CHECK(
            sink.write(std::span(block).first(static_cast<std::size_t>(got * sound.channels))));
    }
    SLUICE_TRY(auto const written, sink.finish());
    fmt::print("{} frames, peak {}\n", written.frames, written.peak);
    return {};
}

Status run(std::string const& verb, std::vector<index> const& n, std::string const& in,
           std::string const& out) {
    if (verb == "time") return time_both(n, std::atoi(in.c_str()));
    if (verb == "copy") return copy(n[0], n[1], in, out);
    SLUICE_TRY(auto const values, read_floats(in));
    if (verb == "resample") {
        SLUICE_TRY(auto resampler,
                   Resampler::make(static_cast<int>(n[0]), static_cast<int>(n[1]), n[2]));
        std::vector<float> result;
        std::span<float const> rest(values);
        while (!rest.empty()) {
            auto const some = std::min(rest.size(), static_cast<std::size_t>(n[2] * n[3]));
            SLUICE_CHECK(resampler.push(rest.first(some), result));
            rest = rest.subspan(some);
        }
        SLUICE_CHECK(resampler.finish(result));
        return write_floats(out, result);
    }
    SLUICE_TRY(Stft stft, Stft::make(n[0], n[1], n[2], static_cast<int>(n[3])));
    std::vector<std::complex<float>> spectra(static_cast<std::size_t>(stft.frames() * stft.bins()));
    std::span<float> const numbers(reinterpret_cast<float*>(spectra.data()), 2 * spectra.size());
    if (verb == "stft") {
        SLUICE_CHECK(stft.forward(values, spectra));
        return write_floats(out, numbers);
    }
    expects(values.size() == numbers.size());
    std::ranges::copy(values, numbers.begin());
    std::vector<float> samples(static_cast<std::size_t>(stft.samples()));
    SLUICE_CHECK(stft.inverse(spectra, samples));
    return write_floats(out, samples);
}

}  // namespace
}  // namespace sluice::audio

int main(int argc, char** argv) {
    if (argc != 8) {
        fmt::print(
            stderr,
            "usage: try_audio stft|istft|resample|time|copy NUMBER NUMBER NUMBER NUMBER IN OUT\n");
        return 2;
    }
    std::vector<sluice::index> numbers;
    for (int k = 2; k < 6; ++k) numbers.push_back(std::strtoll(argv[k], nullptr, 10));
    if (auto const done = sluice::audio::run(argv[1], numbers, argv[6], argv[7]); !done) {
        fmt::print(stderr, "try_audio: {}\n", done.error().text());
        return 1;
    }
}
