// The tables of what virtual images, patterns and centres of mass are asked for with, as texts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "domain/stem4d/phase_wish.h"

namespace sluice::stem4d {

struct ImagesWish {
    std::vector<std::string> detectors = {"bf"};  ///< as parse_detector() reads them
    bool mean = false;
};
struct PatternsWish {
    std::vector<Pattern> kinds = {Pattern::mean};
    std::string at, where;  ///< "ROW:COL"; a file
};
struct MomentsWish {
    std::string within;  ///< as parse_detector() reads it; empty: everything
    PhaseWish phase = {};
};

/// Of all three.
struct ReferencesWish {
    std::string dark, gain;  ///< files; empty: none
};

config::Fields<ImagesWish> images_fields();
config::Fields<PatternsWish> patterns_fields();
/// Without those of the phase.
config::Fields<MomentsWish> moments_fields();
config::Fields<PhaseWish> phase_fields();
config::Fields<ReferencesWish> reference_fields();

}  // namespace sluice::stem4d
