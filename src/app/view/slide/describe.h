// What a slide is, out of its file: dimensions, scenes, channels, levels, attachments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "app/view/wire.h"
#include "sluice/slide.h"

namespace sluice::app {

/// What a file says besides its pixels.
struct SlideContent {
    slide::Metadata metadata;
    std::vector<czi::Attachment> attachments;
    std::vector<std::string> notes;
    std::vector<double> times;  ///< stamps in seconds
};
SlideContent content_of(slide::Slide const& slide);

/// All of it, as `sluice info --json` prints it.
Json json_of(slide::Slide const& slide, SlideContent const& content);
Json scene_json(slide::Scene const& scene, slide::Metadata const& metadata);
Json channel_json(slide::Slide const& slide, slide::Channel const& channel);

/// "jpeg_xr", or "unknown 77".
std::string compression_of(czi::Entry const& entry);
std::string pixel_type_of(czi::Entry const& entry);

/// Counts of the entries by a name.
template <class Name>
std::map<std::string, index> count(std::vector<czi::Entry> const& entries, Name name) {
    std::map<std::string, index> n;
    for (czi::Entry const& e : entries) ++n[name(e)];
    return n;
}

}  // namespace sluice::app
