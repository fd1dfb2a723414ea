// try_audio: the transforms and rates of src/audio on files of floats.
// SPDX-License-Identifier: Apache-2.0
//
//   try_audio stft N_FFT HOP FRAMES THREADS IN OUT    one channel to [frames][bins][re, im]
//   try_audio istft N_FFT HOP FRAMES THREADS IN OUT   and back
//   try_audio resample FROM TO CHANNELS BLOCK IN OUT  [frames][channels], BLOCK frames at a time
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "audio/resample.h"
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

Status run(std::string const& verb, std::vector<index> const& n, std::string const& in,
           std::string const& out) {
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
        fmt::print(stderr,
                   "usage: try_audio stft|istft|resample NUMBER NUMBER NUMBER NUMBER IN OUT\n");
        return 2;
    }
    std::vector<sluice::index> numbers;
    for (int k = 2; k < 6; ++k) numbers.push_back(std::strtoll(argv[k], nullptr, 10));
    if (auto const done = sluice::audio::run(argv[1], numbers, argv[6], argv[7]); !done) {
        fmt::print(stderr, "try_audio: {}\n", done.error().text());
        return 1;
    }
}
