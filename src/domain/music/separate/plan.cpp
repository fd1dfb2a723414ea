// The formulas of three ways to cut a song.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/music/separate/window.h"

namespace sluice::music {
namespace {

constexpr index unknown_length = std::numeric_limits<index>::max() / 4;

// The remainder as Python has it: never negative.
index remainder_of(index a, index b) {
    index const r = a % b;
    return r < 0 ? r + b : r;
}

}  // namespace

Result<Plan> Plan::make(Cut const& cut) {
    auto const wrong = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (cut.overlap < 1 || cut.overlap > most_overlap)
        return wrong(
            fmt::format("an overlap of {} (1 to {} chunks can cover a sample) choose one "
                        "of these",
                        cut.overlap, most_overlap));
    if (cut.chunk < 2 * cut.overlap || cut.chunk > index{1} << 30)
        return wrong(
            fmt::format("chunks of {} samples with an overlap of {} (a chunk has 2 "
                        "samples for each that covers a sample, and at most 2^30) choose "
                        "others",
                        cut.chunk, cut.overlap));
    if (cut.shifts < 1 || cut.shifts > most_overlap || cut.shift_span < 0)
        return wrong(fmt::format("{} shifts (1 to {} are possible) choose one of these", cut.shifts,
                                 most_overlap));
    if (cut.preset != Preset::sluice && cut.shifts != 1)
        return wrong(
            "shifts and a preset are both given (the tools that a preset reproduces have no shifts "
            "of chunks) leave one of them out");
    return Plan(cut);
}

Plan::Plan(Cut const& cut) : cut_(cut), hop_(cut.chunk / cut.overlap) {
    span_ = std::min(cut.shift_span, hop_);
    // MSST: C // 10; torch.linspace of 0 numbers is an empty fade.
    fade_ = cut.preset == Preset::msst ? cut.chunk / 10 : 0;
    switch (cut.preset) {
        case Preset::sluice:
            window_ = window_of(cut.window, cut.chunk);
            break;
        case Preset::uvr:
            window_ = window_of(Window::rectangular, cut.chunk);
            break;
        case Preset::msst:
            window_ = faded_window(cut.chunk, fade_);
            break;
    }
}

index Plan::border(std::optional<index> length) const {
    index const border = cut_.chunk - hop_;
    if (cut_.preset == Preset::msst && length && *length <= 2 * border) return 0;
    return border;
}

index Plan::count(index length) const {
    index const edge = border(length);
    if (cut_.preset == Preset::sluice)
        return (length + edge + span_ + hop_ - 1) / hop_ * cut_.shifts;
    // while i < padded length: i += step.
    if (cut_.preset == Preset::msst) return (length + 2 * edge + hop_ - 1) / hop_;
    index const pad = hop_ - remainder_of(length - cut_.chunk, hop_);
    index const padded = length + pad + 2 * edge;
    return (padded - cut_.chunk) / hop_ + 1;
}

index Plan::begin(index number) const {
    // The last grid is the earliest one, so that chunks begin in the order of their numbers.
    index const grid = cut_.shifts - 1 - number % cut_.shifts;
    return number / cut_.shifts * hop_ - border({}) - grid * span_ / cut_.shifts;
}

PlannedChunk Plan::chunk(index number, std::optional<index> length) const {
    PlannedChunk c;
    c.there = cut_.chunk;
    c.begin = begin(number);
    if (cut_.preset != Preset::msst) return c;
    index const edge = border(length), step = hop_;
    c.begin = number * step - edge;
    index const padded = length.value_or(unknown_length) + 2 * edge;
    c.there = std::min(cut_.chunk, padded - number * step);
    c.mirrors = c.there > cut_.chunk / 2;
    // `elif`: a chunk that is both first and last fades out.
    c.fades_in = number != 0;
    c.fades_out = number == 0 || (number + 1) * step < padded;
    return c;
}

bool Plan::dead(PlannedChunk const& chunk, index length) const {
    return chunk.begin >= length || chunk.begin + chunk.there <= 0;
}

index Plan::needs(index number) const {
    // One sample more tells that the chunk is not the last one, which does not fade out.
    index const whole = begin(number) + cut_.chunk + 1;
    if (cut_.preset == Preset::uvr) return std::max(whole, index{1});
    // The samples that the first chunk mirrors; the same for all, so that later chunks never need
    // fewer.
    index const mirrored = std::max(whole, 1 - begin(0));
    return cut_.preset == Preset::msst ? std::max(mirrored, 2 * border({}) + 1) : mirrored;
}

index Plan::keeps(index number) const {
    // A song that ends in the chunk is mirrored there: by less than a chunk.
    return std::max(index{0}, begin(number) - cut_.chunk);
}

index Plan::sample(PlannedChunk const& chunk, index position, index length) const {
    if (position >= chunk.there) {
        if (!chunk.mirrors) return -1;
        position = 2 * (chunk.there - 1) - position;
    }
    index s = chunk.begin + position;
    if (cut_.preset != Preset::uvr) {
        if (s < 0)
            s = -s;
        else if (s >= length)
            s = 2 * (length - 1) - s;
    }
    return s >= 0 && s < length ? s : -1;
}

std::span<float const> Plan::weights(PlannedChunk const& chunk, std::vector<float>& scratch) const {
    if (fade_ == 0 || (chunk.fades_in && chunk.fades_out)) return window_;
    scratch = window_;
    if (!chunk.fades_in) std::fill_n(scratch.begin(), fade_, 1.0f);
    if (!chunk.fades_out) std::fill_n(scratch.rbegin(), fade_, 1.0f);
    return scratch;
}

std::optional<float> Plan::divisor() const {
    if (cut_.preset != Preset::uvr) return {};
    return static_cast<float>(cut_.overlap);
}

}  // namespace sluice::music
