// What a slide is, out of its file: dimensions, scenes, channels, levels, attachments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/wire.h"
#include "sluice/slide.h"

namespace sluice::app {

/// What a file says besides its pixels.
struct SlideContent {
    slide::Metadata metadata;
    std::vector<slide::Attachment> attachments;
    std::vector<std::string> notes;
    std::vector<double> times;  ///< stamps in seconds
};
SlideContent content_of(slide::Slide const& slide);

/// All of it, as `sluice info --json` prints it.
Json json_of(slide::Slide const& slide, SlideContent const& content);
Json scene_json(slide::Scene const& scene, slide::Metadata const& metadata);
Json channel_json(slide::Slide const& slide, slide::Channel const& channel);

}  // namespace sluice::app
