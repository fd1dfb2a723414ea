// References: the dark and the gain of a detector's pixels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"
#include "sluice/scan.h"
#include "sluice/view.h"

namespace sluice::stem4d {

/// A pixel that reads v has the corrected value (v - dark) * gain. No frame is corrected: images,
/// centres of mass and patterns are linear in the values, so that the references go into the
/// weights of pixels and into what is subtracted at the end. A gain of 0 leaves the pixel out.
struct References {
    /// [row][col] of the full, unbinned detector; empty: 0 and 1. Pixels that are masked or were
    /// not read may have any value.
    Array<float> dark = {}, gain = {};
    /// Where they come from, for errors and reports; empty: arrays of the caller.
    std::string dark_file = {}, gain_file = {};

    bool any() const { return dark.size() > 0 || gain.size() > 0; }
};

/// Reads NPY files of 2-D arrays; an empty path: none.
Result<References> load_references(std::string const& dark_file, std::string const& gain_file);

/// Whether references fit a scan. Errors: another shape than the full detector's; bins of detector
/// pixels or of scan points; a dark that is not finite, or a gain that is not finite or negative,
/// of a pixel that counts; a gain that leaves no pixel.
Status check_references(Scan const& scan, References const& references);

/// For what does not take them: an error where there are any. `what` begins the sentence.
Status refuse_references(References const& references, std::string_view what);

/// What a report says of them: over the pixels of the scan that count.
struct ReferenceReport {
    double least_gain = 1, most_gain = 1;
    index without_gain = 0;  ///< pixels that a gain of 0 leaves out
};
ReferenceReport report_of(Scan const& scan, References const& references);
/// A sentence for notes.
std::string describe(Scan const& scan, References const& references);

}  // namespace sluice::stem4d
