// What a Slide holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>

#include "domain/slide/run.h"

namespace sluice::slide {

/// Why a slide is not read whole.
Error too_sparse(Shape const& shape, Stats const& stats);

struct Slide::Impl {
    std::uint64_t number = 0;  ///< that no other slide of this process has
    czi::File file;
    Model model;
    ScratchPool scratch;
    /// Set when the first mask is met; files without masks are read without looking for them.
    std::atomic<bool> masks = false;

    /// `pixels`: of the image that is made, which may be smaller than the level.
    Status read(Region const& region, int level, ReadOptions const& options, index pixels,
                std::function<std::unique_ptr<Target>(Plan const&)> const& target_of);
};

}  // namespace sluice::slide
