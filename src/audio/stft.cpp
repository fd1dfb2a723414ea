// Frames are shared among threads on the way in, and groups of them on the way back.
// SPDX-License-Identifier: Apache-2.0
#include "audio/stft.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>
#include <numbers>

#include "device/workers.h"

namespace sluice::audio {
namespace {

// What torch.istft takes for nothing.
constexpr double least_weight = 1e-11;

Error wrong_stft(std::string message) {
    return {Code::invalid_argument, "cannot plan short-time Fourier transforms " + message};
}

Error no_memory_for_stft(index n_fft, index hop, index frames) {
    return {Code::out_of_memory,
            fmt::format("cannot plan short-time Fourier transforms ({} frames of {} samples, {} "
                        "apart, do not fit in memory) take shorter chunks",
                        frames, n_fft, hop)};
}

std::vector<double> hann(index n) {
    std::vector<double> w;
    for (index k = 0; k < n; ++k)
        w.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(k) /
                                         static_cast<double>(n)));
    return w;
}

Status check_numbers(index n_fft, index hop, index frames, int threads) {
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

}  // namespace

Stft::Stft(fft::Plan<float> plan, index n_fft, index hop, index frames, int threads)
    : plan_(std::move(plan)),
      n_fft_(n_fft),
      hop_(hop),
      frames_(frames),
      threads_(threads),
      // Long enough that groups overlap their neighbours only, short enough for many threads.
      group_(std::min(std::max<index>(16, (n_fft + hop - 1) / hop), frames)),
      group_step_((group_ - 1) * hop + n_fft) {
    std::vector<double> const w = hann(n_fft);
    window_.assign(w.begin(), w.end());
    lines_.resize(static_cast<std::size_t>(threads * n_fft));
    sums_.resize(static_cast<std::size_t>((frames + group_ - 1) / group_ * group_step_));
    // Away from the ends the weight has the period `hop`, so it is summed once for each of that.
    std::vector<double> whole(static_cast<std::size_t>(hop));
    for (index k = 0; k < n_fft; ++k) {
        double const v = w[static_cast<std::size_t>(k)];
        whole[static_cast<std::size_t>(k % hop)] += v * v;
    }
    weight_.resize(static_cast<std::size_t>(samples()));
    index const half = n_fft / 2, length = samples() + n_fft;
    for (index i = 0; i < samples(); ++i) {
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
        weight_[static_cast<std::size_t>(i)] = static_cast<float>(sum);
    }
}

Result<Stft> Stft::make(index n_fft, index hop, index frames, int threads) {
    SLUICE_CHECK(check_numbers(n_fft, hop, frames, threads));
    try {
        SLUICE_TRY(auto plan,
                   fft::Plan<float>::make({.shape = {n_fft}, .numbers = fft::Numbers::real}));
        Stft out(std::move(plan), n_fft, hop, frames, threads);
        if (std::ranges::min(out.weight_) <= least_weight)
            return wrong_stft(
                fmt::format("{} samples apart (windows of {} leave gaps) give a "
                            "smaller hop",
                            hop, n_fft));
        return out;
    } catch (std::bad_alloc const&) {
        return no_memory_for_stft(n_fft, hop, frames);
    }
}

void Stft::window_of(std::span<float const> samples, index frame, std::span<float> out) const {
    index const first = frame * hop_ - n_fft_ / 2, n = std::ssize(samples);
    // One reflection suffices: samples() is more than the half window.
    auto const mirrored = [&](index i) {
        i = std::abs(first + i);
        return samples[static_cast<std::size_t>(i < n ? i : 2 * (n - 1) - i)];
    };
    index const left = std::clamp<index>(-first, 0, n_fft_);
    index const right = std::clamp<index>(n - first, left, n_fft_);
    float const* const w = window_.data();
    float* const to = out.data();
    for (index i = 0; i < left; ++i) to[i] = w[i] * mirrored(i);
    float const* const from = samples.data() + first;
    for (index i = left; i < right; ++i) to[i] = w[i] * from[i];
    for (index i = right; i < n_fft_; ++i) to[i] = w[i] * mirrored(i);
}

Status Stft::forward(std::span<float const> samples, std::span<std::complex<float>> spectra) {
    expects(std::ssize(samples) == this->samples() && std::ssize(spectra) == frames_ * bins());
    std::atomic<bool> failed = false;
    parallel_for(frames_, threads_, 4, [&](index f, int worker) {
        window_of(samples, f, line(worker));
        auto const to =
            spectra.subspan(static_cast<std::size_t>(f * bins()), static_cast<std::size_t>(bins()));
        if (!plan_.forward(line(worker), to)) failed = true;
    });
    if (failed) return no_memory_for_stft(n_fft_, hop_, frames_);
    return {};
}

Status Stft::add_group(std::span<std::complex<float> const> spectra, index group, int worker) {
    auto const sum = std::span(sums_).subspan(static_cast<std::size_t>(group * group_step_),
                                              static_cast<std::size_t>(group_step_));
    std::ranges::fill(sum, 0.0f);
    for (index k = 0; k < group_frames(group); ++k) {
        index const f = group * group_ + k;
        auto const from =
            spectra.subspan(static_cast<std::size_t>(f * bins()), static_cast<std::size_t>(bins()));
        SLUICE_CHECK(plan_.inverse(from, line(worker)));
        float const* const w = window_.data();
        float const* const x = line(worker).data();
        float* const to = sum.data() + k * hop_;
        for (index i = 0; i < n_fft_; ++i) to[i] += w[i] * x[i];
    }
    return {};
}

void Stft::join(index first, index last, std::span<float> samples) const {
    float* const to = samples.data();
    std::fill(to + first, to + last, 0.0f);
    for (index group = 0; group * group_ < frames_; ++group) {
        index const start = group * group_ * hop_ - n_fft_ / 2;
        index const end = start + (group_frames(group) - 1) * hop_ + n_fft_;
        float const* const sum = sums_.data() + group * group_step_ - start;
        for (index i = std::max(first, start); i < std::min(last, end); ++i) to[i] += sum[i];
    }
    float const* const weight = weight_.data();
    for (index i = first; i < last; ++i) to[i] /= weight[i];
}

Status Stft::inverse(std::span<std::complex<float> const> spectra, std::span<float> samples) {
    expects(std::ssize(samples) == this->samples() && std::ssize(spectra) == frames_ * bins());
    std::atomic<bool> failed = false;
    parallel_for((frames_ + group_ - 1) / group_, threads_, 1, [&](index group, int worker) {
        if (!add_group(spectra, group, worker)) failed = true;
    });
    if (failed) return no_memory_for_stft(n_fft_, hop_, frames_);
    constexpr index strip = 8192;
    parallel_for((this->samples() + strip - 1) / strip, threads_, 1, [&](index k, int) {
        join(k * strip, std::min((k + 1) * strip, this->samples()), samples);
    });
    return {};
}

}  // namespace sluice::audio
