// The options of the commands that read slides: which file, and what of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"
#include "sluice/slide.h"

namespace sluice::cli {

/// One index of a dimension, or several: "3" or "0..4".
struct IndexRange {
    std::int32_t first = 0, last = 0;
};

struct SlideOptions {
    std::string path, region, plane;
    bool recover = false, trust_directory = false, map = false;
    std::optional<int> scene, channel;
    int threads = 0;

    void add_opening(Verb const& app);
    /// Scene, channel, other dimensions and region.
    void add_selection(Verb const& app);

    /// A CZI file or an OME-Zarr image.
    Result<slide::Slide> open() const;
    /// A CZI file; `verb` is what does not take another.
    Result<slide::Slide> open_czi(std::string_view verb) const;
    /// The indices along each dimension, in the order of czi::Dimension: all channels, and the
    /// first of the others, where nothing is said.
    Result<std::array<IndexRange, czi::dimension_count>> planes(slide::Slide const& slide) const;
    /// With the first of those planes.
    Result<slide::Region> region_of(slide::Slide const& slide) const;
};

/// "1,2,3" as numbers.
Result<std::vector<index>> parse_numbers(std::string const& text, std::string_view what);

}  // namespace sluice::cli
