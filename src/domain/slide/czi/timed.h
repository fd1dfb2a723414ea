// Opening a CZI file with a clock beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/slide_profile.h"

namespace sluice::slide {

struct TimedSlide {
    Slide slide;
    OpenTimes times;
};

/// Opens a CZI file step by step, for the profile.
Result<TimedSlide> open_czi_timed(std::string const& path, SlideOpenOptions options, Access access);

}  // namespace sluice::slide
