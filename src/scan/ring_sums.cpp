// Makes sums over rings, and takes their differences.
// SPDX-License-Identifier: Apache-2.0
#include "scan/ring_sums.h"

#include <algorithm>
#include <limits>

#include "device/workers.h"
#include "kernel/planes/cpu.h"
#include "scan/ring_counts.h"
#include "store/unit_reader.h"

namespace sluice {

using planes::tile_frames;

void RingSums::count_pixels(std::span<std::uint8_t const> bad) {
    std::size_t const rings = *std::ranges::max_element(rings_) + std::size_t{1};
    pixels_below_.assign(rings + 1, 0);
    for (std::size_t i = 0; i < rings_.size(); ++i)
        pixels_below_[rings_[i] + std::size_t{1}] += bad[i] == 0;
    for (std::size_t k = 0; k < rings; ++k) pixels_below_[k + 1] += pixels_below_[k];
}

RingSums RingSums::empty(store::Plan const& plan, std::vector<std::uint16_t> rings,
                         std::uint64_t largest) {
    RingSums made;
    made.cols_ = plan.cols;
    made.largest_ = largest;
    made.rings_ = std::move(rings);
    made.bad_ = plan.bad;
    made.bad_.resize(made.rings_.size());
    made.count_pixels(made.bad_);
    made.below_.resize(made.halves());
    made.own_.resize(made.halves());
    return made;
}

void RingSums::put(std::size_t half, store::Narrow below, store::Narrow own) {
    below_[half] = std::move(below);
    own_[half] = std::move(own);
}

RingSums RingSums::make(store::Resident const& frames, store::Plan const& plan,
                        std::vector<std::uint16_t> rings, Device const& device) {
    auto const moments = frames.moments();
    expects(!moments.empty() && planes::kernels_for(device).many_sums);
    std::uint64_t largest = 0;
    for (planes::Moment const& m : moments) largest = std::max(largest, m.sum);
    RingSums made = empty(plan, std::move(rings), largest);
    auto const count = static_cast<std::size_t>(made.count());
    auto const n = static_cast<std::size_t>(plan.frames());
    for (std::size_t half = 0; half < made.halves(); ++half)
        made.put(half, {n, largest}, {n, largest});
    RingMasks const masks(made.rings_, made.bad_, plan.grid(), count);
    constexpr index batch = RingCounts::batch;
    parallel_for((plan.tiles() + batch - 1) / batch, device.threads(), 1, [&](index b, int) {
        RingCounts counting(masks, device, count);
        planes::Tile tiles[batch];
        index const first = b * batch, some = std::min(batch, plan.tiles() - first);
        store::UnitReader units(frames, device.isa());
        units.hold(first, first + some);
        for (index t = 0; t < some; ++t) tiles[t] = units.unit(first + t).tile;
        counting.count({tiles, static_cast<std::size_t>(some)});
        auto const at = static_cast<std::size_t>(first * tile_frames);
        std::size_t const here = std::min(static_cast<std::size_t>(some * tile_frames), n - at);
        std::vector<std::uint64_t> below(here);
        for (std::size_t k = 0; k < count; ++k) {
            auto const ring = counting.ring(k).first(here);
            if (k % 2 == 0) {
                made.below_[k / 2].put(at, below);
                made.own_[k / 2].put(at, ring);
            }
            for (std::size_t f = 0; f < here; ++f) below[f] += ring[f];
        }
        if (count % 2 == 0) made.below_[count / 2].put(at, below);
    });
    parallel_for(static_cast<index>(made.below_.size()), device.threads(), 1, [&](index k, int) {
        auto const at = static_cast<std::size_t>(k);
        made.below_[at] = made.below_[at].packed();
        made.own_[at] = made.own_[at].packed();
    });
    return made;
}

std::uint64_t RingSums::bytes() const {
    std::uint64_t all = rings_.size() * 2 + bad_.size();
    for (auto const* const of : {&below_, &own_})
        for (store::Narrow const& one : *of) all += one.bytes();
    return all;
}

std::optional<std::array<index, 2>> RingSums::borders(std::span<dense::Run const> mask,
                                                      Device const& device) const {
    tables::CpuKernels const& kernels = tables::cpu_kernels(device.isa());
    index first = std::numeric_limits<index>::max(), last = -1, pixels = 0;
    for (dense::Run const& run : mask) {
        index const at = run.row * cols_ + run.col;
        tables::Range const some = kernels.range(rings_.data() + at, bad_.data() + at, run.count);
        if (some.count == 0) continue;
        first = std::min<index>(first, some.least), last = std::max<index>(last, some.most);
        pixels += some.count;
    }
    if (last < first) return {};
    // All of them lie between the borders; are they all that do?
    auto const at = [&](index k) { return pixels_below_[static_cast<std::size_t>(k)]; };
    if (at(last + 1) - at(first) != pixels) return {};
    return std::array{first, last + 1};
}

void RingSums::sums(std::array<index, 2> borders, index first, Device const& device,
                    std::span<double> out) const {
    tables::CpuKernels const& kernels = tables::cpu_kernels(device.isa());
    if (largest_ > std::numeric_limits<std::int32_t>::max())
        return wide_sums(borders, first, kernels, out);
    auto const inside = [&](index border) {
        auto const half = static_cast<std::size_t>(border / 2);
        auto const frame = static_cast<std::size_t>(first);
        tables::Numbers const own = own_[half].numbers(frame), none = {nullptr, 0};
        return std::array{below_[half].numbers(frame), border % 2 ? own : none};
    };
    auto const plus = inside(borders[1]), minus = inside(borders[0]);
    kernels.difference({plus[0], plus[1]}, {minus[0], minus[1]}, out.data(), out.size());
}

void RingSums::wide_sums(std::array<index, 2> borders, index first,
                         tables::CpuKernels const& kernels, std::span<double> out) const {
    constexpr std::size_t piece = 1024;
    std::uint64_t sums[piece];
    auto const half = [](index border) { return static_cast<std::size_t>(border / 2); };
    for (std::size_t at = 0; at < out.size(); at += piece) {
        auto const some = std::span(sums).first(std::min(piece, out.size() - at));
        std::size_t const frame = static_cast<std::size_t>(first) + at;
        std::ranges::fill(some, std::uint64_t{0});
        auto const each = [&](auto const& kernel, index border) {
            kernel(below_[half(border)].numbers(frame), sums, some.size());
            if (border % 2) kernel(own_[half(border)].numbers(frame), sums, some.size());
        };
        each(kernels.add, borders[1]);
        each(kernels.take, borders[0]);
        for (std::size_t i = 0; i < some.size(); ++i) out[at + i] = static_cast<double>(some[i]);
    }
}

}  // namespace sluice
