// Windows and how they overlap, in double.
// SPDX-License-Identifier: Apache-2.0
#include "audio/stft_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::audio {
namespace {

// What torch.istft takes for nothing.
constexpr double least_weight = 1e-11;

Error wrong_stft(std::string const& message) {
    return {Code::invalid_argument, "cannot plan short-time Fourier transforms " + message};
}

std::vector<double> hann(index n) {
    std::vector<double> w;
    for (index k = 0; k < n; ++k)
        w.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(k) /
                                         static_cast<double>(n)));
    return w;
}

std::vector<float> weight_of(std::vector<double> const& w, index n_fft, index hop, index frames) {
    // Away from the ends the weight has the period `hop`, so it is summed once for each of that.
    std::vector<double> whole(static_cast<std::size_t>(hop));
    for (index k = 0; k < n_fft; ++k) {
        double const v = w[static_cast<std::size_t>(k)];
        whole[static_cast<std::size_t>(k % hop)] += v * v;
    }
    index const samples = hop * (frames - 1);
    std::vector<float> weight(static_cast<std::size_t>(samples));
    index const half = n_fft / 2, length = samples + n_fft;
    for (index i = 0; i < samples; ++i) {
        index const at = i + half;
        double sum = 0;
        if (at >= n_fft && at < length - n_fft)
            sum = whole[static_cast<std::size_t>(at % hop)];
        else
            for (index f = std::max<index>(0, (at - n_fft + hop) / hop);
                 f < frames && f * hop <= at; ++f) {
                double const v = w[static_cast<std::size_t>(at - f * hop)];
                sum += v * v;
            }
        weight[static_cast<std::size_t>(i)] = static_cast<float>(sum);
    }
    return weight;
}

}  // namespace

Error no_memory_for_stft(index n_fft, index hop, index frames) {
    return {Code::out_of_memory,
            fmt::format("cannot plan short-time Fourier transforms ({} frames of {} samples, {} "
                        "apart, do not fit in memory) take shorter chunks",
                        frames, n_fft, hop)};
}

Status check_stft(index n_fft, index hop, index frames, int threads) {
    if (n_fft < 2 || n_fft % 2 != 0)
        return wrong_stft(
            fmt::format("of {} samples (they must be even and 2 or more) give "
                        "another n_fft",
                        n_fft));
    if (hop < 1 || hop >= n_fft)
        return wrong_stft(
            fmt::format("{} samples apart (windows of {} leave gaps) give a "
                        "hop of 1 to {}",
                        hop, n_fft, n_fft - 1));
    if (frames < 1 || threads < 1)
        return wrong_stft(fmt::format("({} frames, {} threads: each must be 1 or more) give more",
                                      frames, threads));
    // All that is taken stays below 2^48 numbers, so that no product of these overflows.
    constexpr index most = index{1} << 44;
    if (frames > most / n_fft || threads > most / n_fft)
        return no_memory_for_stft(n_fft, hop, frames);
    if (hop * (frames - 1) <= n_fft / 2)
        return wrong_stft(
            fmt::format("({} samples are too few to mirror {} of them) give more "
                        "than {} frames",
                        hop * (frames - 1), n_fft / 2, n_fft / 2 / hop + 1));
    return {};
}

Result<StftTables> stft_tables(index n_fft, index hop, index frames) {
    std::vector<double> const w = hann(n_fft);
    StftTables tables{{w.begin(), w.end()}, weight_of(w, n_fft, hop, frames)};
    if (std::ranges::min(tables.weight) <= least_weight)
        return wrong_stft(
            fmt::format("{} samples apart (windows of {} leave gaps) give a "
                        "smaller hop",
                        hop, n_fft));
    return tables;
}

}  // namespace sluice::audio
