// Makes sums over rings, and takes their differences.
// SPDX-License-Identifier: Apache-2.0
#include "scan/ring_sums.h"

#include <algorithm>
#include <limits>

#include "device/workers.h"
#include "kernel/planes/cpu.h"
#include "store/unit_reader.h"

namespace sluice {
namespace {

using planes::tile_frames;

/// The rings' masks, in the groups that are counted together; rings without a pixel are left out.
struct Masks {
    std::vector<std::vector<planes::MaskWord>> words;  ///< of each ring that has some
    std::vector<std::size_t> ring;                     ///< which one it is
    std::vector<planes::MaskGroup> groups = {};
};

Masks masks_of(std::span<std::uint16_t const> rings, std::span<std::uint8_t const> bad,
               planes::Grid grid, std::size_t count) {
    std::vector<std::vector<planes::MaskWord>> all(count);
    for (index block = 0; block < grid.blocks(); ++block) {
        index const row = block / grid.block_cols() * 8, col = block % grid.block_cols() * 8;
        for (index r = row; r < std::min(row + 8, grid.rows); ++r)
            for (index c = col; c < std::min(col + 8, grid.cols); ++c) {
                auto const pixel = static_cast<std::size_t>(r * grid.cols + c);
                if (bad[pixel]) continue;
                auto& words = all[rings[pixel]];
                auto const at = static_cast<std::uint32_t>(block);
                if (words.empty() || words.back().block != at) words.push_back({0, at});
                words.back().bits |= std::uint64_t{1} << planes::Grid::bit_of(r, c);
            }
    }
    Masks masks;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (all[k].empty()) continue;
        masks.words.push_back(std::move(all[k]));
        masks.ring.push_back(k);
    }
    std::vector<std::span<planes::MaskWord const>> const views(masks.words.begin(),
                                                               masks.words.end());
    masks.groups = planes::together(views, grid.blocks());
    return masks;
}

/// Counts the rings of some tiles.
class Counting {
  public:
    static constexpr index batch = 16;

    Counting(Masks const& masks, Device const& device, std::size_t count)
        : masks_(masks),
          kernels_(planes::kernels_for(device)),
          sums_(count * batch * tile_frames) {}

    /// [frame] of ring `k`.
    std::span<std::uint64_t> ring(std::size_t k) {
        return std::span(sums_).subspan(k * batch * tile_frames, batch * tile_frames);
    }
    void count(std::span<planes::Tile const> tiles) {
        std::size_t first = 0;
        for (planes::MaskGroup const& group : masks_.groups) {
            out_.resize(group.masks * tiles.size());
            kernels_.many_sums(tiles, group.view(),
                               reinterpret_cast<std::uint64_t(*)[tile_frames]>(out_.data()));
            for (std::size_t t = 0; t < tiles.size(); ++t)
                for (std::size_t m = 0; m < group.masks; ++m)
                    std::ranges::copy(out_[t * group.masks + m],
                                      ring(masks_.ring[first + m]).begin() +
                                          static_cast<std::ptrdiff_t>(t) * tile_frames);
            first += group.masks;
        }
    }

  private:
    Masks const& masks_;
    planes::CpuKernels const& kernels_;
    std::vector<std::uint64_t> sums_;  // [ring][frame]
    std::vector<std::array<std::uint64_t, tile_frames>> out_ = {};
};

}  // namespace

void RingSums::count_pixels(std::span<std::uint8_t const> bad) {
    std::size_t const rings = *std::ranges::max_element(rings_) + std::size_t{1};
    pixels_below_.assign(rings + 1, 0);
    for (std::size_t i = 0; i < rings_.size(); ++i)
        pixels_below_[rings_[i] + std::size_t{1}] += bad[i] == 0;
    for (std::size_t k = 0; k < rings; ++k) pixels_below_[k + 1] += pixels_below_[k];
}

RingSums RingSums::make(store::Resident const& frames, store::Plan const& plan,
                        std::vector<std::uint16_t> rings, Device const& device) {
    auto const moments = frames.moments();
    expects(!moments.empty() && planes::kernels_for(device).many_sums);
    RingSums made;
    made.cols_ = plan.cols;
    made.rings_ = std::move(rings);
    made.bad_ = plan.bad;
    made.bad_.resize(made.rings_.size());
    made.count_pixels(made.bad_);
    auto const count = static_cast<std::size_t>(made.count());
    for (planes::Moment const& m : moments) made.largest_ = std::max(made.largest_, m.sum);
    auto const n = static_cast<std::size_t>(plan.frames());
    for (std::size_t k = 0; k <= count / 2; ++k) {
        made.below_.emplace_back(n, made.largest_);
        made.own_.emplace_back(n, made.largest_);
    }
    Masks const masks = masks_of(made.rings_, made.bad_, plan.grid(), count);
    constexpr index batch = Counting::batch;
    parallel_for((plan.tiles() + batch - 1) / batch, device.threads(), 1, [&](index b, int) {
        Counting counting(masks, device, count);
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
