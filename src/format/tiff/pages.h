// The pages of a TIFF file that are frames of one size, and a source of those that are packed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"
#include "format/tiff/about.h"
#include "format/tiff/page.h"

namespace sluice::tiff {

struct Stack {
    Order order = {};
    Page first = {};
    About about = {};
    std::vector<MetaField> fields = {};
    std::vector<std::uint64_t> directories = {};  ///< of the frames
    std::vector<std::uint64_t> plain = {};        ///< places of values; empty: they are packed
    index left_out = 0;                           ///< smaller copies and masks
};

/// Pages of another size or type are an error, and so is a chain of pages that runs in a circle.
Result<Stack> read_stack(Source const& file);

/// Reads a page again when it is wanted, so that a file of a million pages takes little memory.
std::shared_ptr<FrameSource const> packed_frames(std::shared_ptr<Source const> file, Stack stack);

}  // namespace sluice::tiff
