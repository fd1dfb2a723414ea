// Resampler by libsoxr, which gets blocks of one size whatever it is given.
// SPDX-License-Identifier: Apache-2.0
#include "audio/resample.h"

#include <fmt/format.h>
#include <soxr.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace sluice::audio {
namespace {

constexpr int least_rate = 1000, most_rate = 10'000'000, most_ratio = 256;
/// Frames that libsoxr is given at a time, and that are taken from it.
constexpr index step = 4096;

Error cannot_resample(std::string const& why) {
    return {Code::invalid_argument, "cannot change the sample rate " + why};
}

}  // namespace

struct Resampler::State {
    int from = 0, to = 0;
    index channels = 0;
    soxr_t soxr = nullptr;       ///< null at equal rates
    std::vector<float> waiting;  ///< less than a step of frames
    std::vector<float> ready;    ///< a step of frames
    index taken = 0, given = 0;  ///< frames
    bool finished = false;

    State() = default;
    State(State const&) = delete;
    State& operator=(State const&) = delete;
    ~State() {
        if (soxr) soxr_delete(soxr);
    }

    /// One step through libsoxr; no more than `most` frames are given in all.
    Status run(float const* block, std::vector<float>& out, std::optional<index> most);
};

Status Resampler::State::run(float const* block, std::vector<float>& out,
                             std::optional<index> most) {
    for (index done = 0;;) {
        std::size_t in = 0, got = 0;
        soxr_error_t const failed =
            soxr_process(soxr, block + done * channels, static_cast<std::size_t>(step - done), &in,
                         ready.data(), static_cast<std::size_t>(step), &got);
        if (failed) return cannot_resample(fmt::format("({}) choose another", failed));
        done += static_cast<index>(in);
        auto frames = static_cast<index>(got);
        if (most) frames = std::min(frames, *most - given);
        out.insert(out.end(), ready.begin(), ready.begin() + frames * channels);
        given += frames;
        if (done == step && static_cast<index>(got) < step) return {};
    }
}

std::optional<index> frames_at(index frames, int from, int to) {
    expects(from > 0 && to > 0 && frames >= 0);
    // The whole seconds, and what is left over: neither product overflows.
    index const rest = (frames % from * to * 2 + from) / (index{2} * from);
    index seconds = 0, sum = 0;
    if (__builtin_mul_overflow(frames / from, to, &seconds) ||
        __builtin_add_overflow(seconds, rest, &sum))
        return {};
    return sum;
}

Resampler::Resampler(std::unique_ptr<State> state) : state_(std::move(state)) {}
Resampler::Resampler(Resampler&& other) noexcept = default;
Resampler& Resampler::operator=(Resampler&& other) noexcept = default;
Resampler::~Resampler() = default;

Result<Resampler> Resampler::make(int from, int to, index channels) {
    auto state = std::make_unique<State>();
    expects(channels > 0);
    state->from = from;
    state->to = to;
    state->channels = channels;
    if (from == to && from > 0) return Resampler(std::move(state));
    if (std::min(from, to) < least_rate || std::max(from, to) > most_rate ||
        std::max(from, to) / std::min(from, to) >= most_ratio || channels > 256)
        return cannot_resample(fmt::format(
            "from {} to {} frames per second of {} channels (rates must be {} to {}, less than {} "
            "times each other, channels at most 256) convert the sound first",
            from, to, channels, least_rate, most_rate, most_ratio));
    soxr_io_spec_t const floats = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    // Takes some thousandths of a song's time, so that less would save nothing. Without its
    // roll-off the filter is flat, and its clock has the bits that ratios of large primes need.
    soxr_quality_spec_t const spec =
        soxr_quality_spec(SOXR_VHQ, SOXR_ROLLOFF_NONE | SOXR_HI_PREC_CLOCK);
    soxr_runtime_spec_t const threads = soxr_runtime_spec(1);
    soxr_error_t failed = nullptr;
    try {
        state->soxr = soxr_create(from, to, static_cast<unsigned>(channels), &failed, &floats,
                                  &spec, &threads);
        if (!state->soxr || failed)
            return cannot_resample(fmt::format("from {} to {} frames per second ({}) choose others",
                                               from, to, soxr_strerror(failed)));
        state->ready.resize(static_cast<std::size_t>(step * channels));
        state->waiting.reserve(state->ready.size());
    } catch (std::bad_alloc const&) {
        return Error{Code::out_of_memory, "cannot change the sample rate (memory is short)"};
    }
    return Resampler(std::move(state));
}

Status Resampler::push(std::span<float const> block, std::vector<float>& out) {
    State& s = *state_;
    index const frames = std::ssize(block) / s.channels;
    expects(!s.finished && frames * s.channels == std::ssize(block));
    s.taken += frames;
    if (!s.soxr) {
        out.insert(out.end(), block.begin(), block.end());
        s.given += frames;
        return {};
    }
    auto const whole = static_cast<std::size_t>(step * s.channels);
    while (!block.empty()) {
        if (s.waiting.empty() && block.size() >= whole) {
            SLUICE_CHECK(s.run(block.data(), out, {}));
            block = block.subspan(whole);
            continue;
        }
        std::size_t const some = std::min(block.size(), whole - s.waiting.size());
        s.waiting.insert(s.waiting.end(), block.begin(), block.begin() + static_cast<index>(some));
        block = block.subspan(some);
        if (s.waiting.size() < whole) break;
        SLUICE_CHECK(s.run(s.waiting.data(), out, {}));
        s.waiting.clear();
    }
    return {};
}

Status Resampler::finish(std::vector<float>& out, std::optional<index> frames) {
    State& s = *state_;
    expects(!s.finished);
    s.finished = true;
    if (!frames) frames = frames_at(s.taken, s.from, s.to);
    if (!frames || *frames < s.given)
        return cannot_resample(fmt::format("(of {} frames, {} were given before {} were asked for)",
                                           s.taken, s.given, frames.value_or(0)));
    if (!s.soxr) {
        out.resize(out.size() + static_cast<std::size_t>((*frames - s.given) * s.channels));
        return {};
    }
    // Silence follows until there is enough; what libsoxr does at an end has another length.
    while (s.given < *frames) {
        s.waiting.resize(static_cast<std::size_t>(step * s.channels));
        SLUICE_CHECK(s.run(s.waiting.data(), out, frames));
        s.waiting.clear();
    }
    return {};
}

}  // namespace sluice::audio
