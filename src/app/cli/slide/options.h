// The options of the commands that read slides: which file, and what of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"
#include "sluice/slide_stack.h"

namespace sluice::cli {

struct SlideOptions {
    std::string path, region, plane;
    slide::SlideOpenOptions czi;
    bool map = false;
    std::optional<int> scene, channel;

    void add_opening(Verb const& app);
    /// Scene, channel, other dimensions and region.
    void add_selection(Verb const& app);

    /// A CZI file or an OME-Zarr image.
    Result<slide::Slide> open() const;
    /// A CZI file; `verb` is the command that takes no other format.
    Result<slide::Slide> open_czi(std::string_view verb) const;
    /// The choice: all channels, and the first index of the other dimensions, where nothing is
    /// said.
    Result<slide::Planes> planes(slide::Slide const& slide) const;
    /// With the first of those planes.
    Result<slide::Selection> region_of(slide::Slide const& slide) const;

  private:
    Result<slide::PlaneRanges> ranges(slide::Slide const& slide) const;
    Result<std::optional<slide::Rect>> rect(slide::Slide const& slide) const;
};

/// --recover and --trust-directory, of which one at most can be given.
void add_czi_options(Verb const& app, slide::SlideOpenOptions& options);
/// "--recover" and "--trust-directory".
std::vector<std::string> czi_option_names();

/// "1,2,3" as numbers.
Result<std::vector<index>> parse_numbers(std::string const& text, std::string_view what);

}  // namespace sluice::cli
