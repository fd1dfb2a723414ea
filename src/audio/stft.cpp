// Frames are shared among threads on the way in, and groups of them on the way back.
// SPDX-License-Identifier: Apache-2.0
#include "audio/stft.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

#include "device/workers.h"

namespace sluice::audio {

Stft::Stft(fft::Plan<float> plan, StftTables tables, index n_fft, index hop, index frames,
           int threads)
    : plan_(std::move(plan)),
      n_fft_(n_fft),
      hop_(hop),
      frames_(frames),
      threads_(threads),
      // Long enough that groups overlap their neighbours only, short enough for many threads.
      group_(std::min(std::max<index>(16, (n_fft + hop - 1) / hop), frames)),
      group_step_((group_ - 1) * hop + n_fft),
      window_(std::move(tables.window)),
      weight_(std::move(tables.weight)) {
    lines_.resize(static_cast<std::size_t>(threads * n_fft));
    sums_.resize(static_cast<std::size_t>((frames + group_ - 1) / group_ * group_step_));
}

Result<Stft> Stft::make(index n_fft, index hop, index frames, int threads) {
    SLUICE_CHECK(check_stft(n_fft, hop, frames, threads));
    try {
        SLUICE_TRY(auto plan,
                   fft::Plan<float>::make({.shape = {n_fft}, .numbers = fft::Numbers::real}));
        SLUICE_TRY(StftTables tables, stft_tables(n_fft, hop, frames));
        return Stft(std::move(plan), std::move(tables), n_fft, hop, frames, threads);
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
