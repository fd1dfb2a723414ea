// The sums of virtual detectors over each frame.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/sum_frames.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "domain/stem4d/corrected_sum.h"
#include "kernel/dense/cpu.h"

namespace sluice::stem4d {
namespace {

using planes::tile_frames;
using store::Unit;

void add_tiles(std::span<Unit const> units, Compiled const& d, Device const& device, double* to) {
    planes::Tile list[SumFrames::batch];
    std::uint64_t sums[SumFrames::batch][tile_frames] = {};
    for (std::size_t i = 0; i < units.size(); ++i) list[i] = units[i].tile;
    if (!d.words.empty())
        planes::kernels_for(device).virtual_sum({list, units.size()}, d.split(), sums);
    for (std::size_t i = 0; i < units.size(); ++i)
        for (index f = 0; f < units[i].frames; ++f)
            to[units[i].first_frame - units[0].first_frame + f] =
                static_cast<double>(sums[i][f]) - d.offset;
}

// Several detectors in one pass.
void add_group(std::span<Unit const> units, SumFrames::Group const& group,
               std::span<Compiled const> detectors, Device const& device, FrameValues& p) {
    planes::Tile list[SumFrames::batch];
    for (std::size_t i = 0; i < units.size(); ++i) list[i] = units[i].tile;
    std::size_t const masks = group.detectors.size();
    auto const sums =
        std::make_unique_for_overwrite<std::uint64_t[][tile_frames]>(masks * units.size());
    planes::kernels_for(device).many_sums({list, units.size()}, group.masks.view(), sums.get());
    for (std::size_t i = 0; i < units.size(); ++i) {
        auto const* const of_tile = sums.get() + i * masks;
        for (std::size_t m = 0; m < masks; ++m) {
            double* const to = p.at(group.detectors[m], units[i].first_frame);
            double const offset = detectors[static_cast<std::size_t>(group.detectors[m])].offset;
            for (index f = 0; f < units[i].frames; ++f)
                to[f] = static_cast<double>(of_tile[m][f]) - offset;
        }
    }
}

// All detectors with weights, unit by unit.
void add_weighted_tiles(std::span<Unit const> units, std::span<Compiled const> detectors,
                        Device const& device, FrameValues& p) {
    std::vector<float const*> weights;
    std::vector<index> rows;
    for (std::size_t d = 0; d < detectors.size(); ++d)
        if (detectors[d].weighted) {
            weights.push_back(detectors[d].block_weights.data());
            rows.push_back(static_cast<index>(d));
        }
    if (weights.empty()) return;
    auto const sums = std::make_unique_for_overwrite<double[][tile_frames]>(weights.size());
    for (Unit const& u : units) {
        planes::kernels_for(device).weighted_sums(u.tile, weights, sums.get());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double const offset = detectors[static_cast<std::size_t>(rows[i])].offset;
            std::transform(sums[i], sums[i] + u.frames, p.at(rows[i], u.first_frame),
                           [&](double sum) { return sum - offset; });
        }
    }
}

void add_values(Unit const& u, Compiled const& d, Device const& device, double* to) {
    if (!d.corrected.empty()) {
        corrected_sums(u.values, d, {to, static_cast<std::size_t>(u.frames)});
        return;
    }
    auto const& kernels = dense::kernels_for(device);
    float const* const shares = d.shares.empty() ? nullptr : d.shares.data();
    if (d.weighted) {
        kernels.weighted_sum({u.values, d.pixel_weights.data(), to, shares}, 0, u.frames);
        return;
    }
    index const first[] = {0, std::ssize(d.runs)};
    kernels.virtual_sum({u.values, d.runs.data(), first, 1, to, shares}, 0, u.frames);
}

}  // namespace

SumFrames::Groups SumFrames::groups_of(std::span<Compiled const> detectors, Device const& device) {
    Groups groups;
    std::vector<std::span<planes::MaskWord const>> masks;
    std::vector<index> rows;
    for (std::size_t d = 0; d < detectors.size(); ++d)
        if (!detectors[d].weighted) {
            masks.push_back(detectors[d].words);
            rows.push_back(static_cast<index>(d));
        }
    if (masks.size() < 2 || !planes::kernels_for(device).many_sums) return groups;
    auto const blocks = std::ssize(detectors.front().is_whole);
    auto row = rows.begin();
    for (planes::MaskGroup& g : planes::together(masks, blocks)) {
        auto const end = row + static_cast<std::ptrdiff_t>(g.masks);
        groups.push_back({std::move(g), {row, end}});
        row = end;
    }
    return groups;
}

void SumFrames::add(Partial& p, std::span<Unit const> units) const {
    if (!units.front().is_tile) {
        for (index row = 0; row < std::ssize(detectors); ++row)
            for (Unit const& u : units)
                add_values(u, detectors[static_cast<std::size_t>(row)], device,
                           p.at(row, u.first_frame));
        return;
    }
    for (Group const& g : groups) add_group(units, g, detectors, device, p);
    for (index row = 0; groups.empty() && row < std::ssize(detectors); ++row)
        if (Compiled const& d = detectors[static_cast<std::size_t>(row)]; !d.weighted)
            add_tiles(units, d, device, p.at(row, units.front().first_frame));
    add_weighted_tiles(units, detectors, device, p);
}

}  // namespace sluice::stem4d
