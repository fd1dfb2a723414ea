// What a Slide holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>

#include "domain/slide/run.h"
#include "domain/slide/tile_source.h"

namespace sluice::slide {

struct Slide::Impl {
    std::uint64_t number = 0;  ///< unique among the slides of this process
    std::unique_ptr<TileSource const> source;
    Model model;
    ScratchPool scratch;
    /// Set when the first mask is met; files without masks are read without looking for them.
    std::atomic<bool> masks = false;

    static std::unique_ptr<Impl> make(std::unique_ptr<TileSource const> source);

    Status read(Selection const& region, int level, ReadOptions const& options,
                std::function<std::unique_ptr<Target>(Plan const&)> const& target_of);
    /// Tiles that lie whole in memory of their own.
    Status read(Plan const& plan, ReadOptions const& options, Target& target);
    /// An error where a tile claims tens of megabytes that its data do not hold. Call it before
    /// memory is taken for an image, which such a tile would make large.
    Status check_large(std::span<std::int32_t const> tiles) const;
};

}  // namespace sluice::slide
