// Stand-ins for a network, and songs, for tests of what is around it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "domain/music/chunk_separator.h"

namespace sluice::music {

/// Calls a function for each chunk: (mix [2][samples], out [stems][2][samples]).
class StandIn : public ChunkSeparator {
  public:
    using Each = std::function<void(std::span<float const>, std::span<float>)>;
    StandIn(index samples, index stems, Each each)
        : samples_(samples), stems_(stems), each_(std::move(each)) {}

    index samples() const override { return samples_; }
    index stems() const override { return stems_; }
    Status separate(std::span<float const> mix, std::span<float> out, index batch) override {
        expects(std::ssize(mix) == batch * 2 * samples_);
        expects(std::ssize(out) == batch * stems_ * 2 * samples_);
        auto const in = static_cast<std::size_t>(2 * samples_);
        for (index b = 0; b < batch; ++b)
            each_(mix.subspan(static_cast<std::size_t>(b) * in, in),
                  out.subspan(static_cast<std::size_t>(b * stems_) * in,
                              in * static_cast<std::size_t>(stems_)));
        calls += 1;
        chunks += batch;
        return {};
    }

    index calls = 0, chunks = 0;

  private:
    index samples_, stems_;
    Each each_;
};

/// The first stem is the mix, the others are half of the one before.
inline StandIn identity(index samples, index stems = 1) {
    return {samples, stems, [](std::span<float const> mix, std::span<float> out) {
                for (std::size_t k = 0; k < out.size(); ++k)
                    out[k] = k < mix.size() ? mix[k] : out[k - mix.size()] / 2;
            }};
}

/// Every sample depends on where it is in the chunk, on its neighbours and on a far one, and on the
/// other channel: no two plans give the same.
inline StandIn scrambler(index samples, index stems = 2) {
    return {samples, stems, [samples](std::span<float const> mix, std::span<float> out) {
                auto const n = static_cast<std::size_t>(samples);
                for (std::size_t lane = 0; lane < out.size() / n; ++lane) {
                    float const* const x = mix.data() + lane % 2 * n;
                    float const* const other = mix.data() + (lane + 1) % 2 * n;
                    for (std::size_t k = 0; k < n; ++k) {
                        float const place = static_cast<float>(k * (lane + 1) % n) / float(n);
                        out[lane * n + k] = 0.6f * x[k] + 0.3f * x[k ? k - 1 : 0] +
                                            0.2f * place * x[n - 1 - k] + 0.1f * other[k] +
                                            0.01f * place;
                    }
                }
            }};
}

/// As noise, the same for the same seed, between -1 and 1: [n].
inline std::vector<float> song(index n, unsigned seed = 1) {
    std::vector<float> out;
    for (index k = 0; k < n; ++k) {
        seed = seed * 1'664'525u + 1'013'904'223u;
        out.push_back(static_cast<float>(static_cast<int>(seed >> 8) - (1 << 23)) / (1 << 23));
    }
    return out;
}

/// 10 log10 of the energy over that of the difference, dB.
inline double agreement(std::span<float const> a, std::span<float const> b) {
    double energy = 0, error = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        energy += double(a[k]) * a[k];
        error += (double(a[k]) - b[k]) * (double(a[k]) - b[k]);
    }
    return error == 0 ? 999 : 10 * std::log10(energy / error);
}

}  // namespace sluice::music
