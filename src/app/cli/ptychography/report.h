// What a reconstruction gives: images, a file, numbers as JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/ptychography/options.h"

namespace sluice::cli {

/// Facts of the patterns that are kept when they were moved away.
struct PatternsFacts {
    index count = 0, size = 0;
    double pixel_nm = 0;  ///< of the object
    double wavelength_nm = 0;
};

Json json_of(stem4d::PtychographyResult const& result, PatternsFacts const& facts);

/// The object in pictures, or everywhere, without the ramp that its phase has with the probe.
Status add_images(PtychographyCommand const& c, stem4d::PtychographyResult& result, double pixel_nm,
                  index member, JobReport& report, std::vector<ResultImage>& images);

/// The result as one HDF5 file in the folder of results.
Status save_result(PtychographyCommand const& c, stem4d::PtychographyResult const& result,
                   PatternsFacts const& facts, Provenance const& provenance, index member,
                   JobReport& report);

/// The report's "plan": what each reconstruction would take, and whether it fits.
Status print_plan(Json const& plan, bool json);

}  // namespace sluice::cli
