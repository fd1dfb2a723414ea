// Diffraction patterns as results.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/pattern_output.h"

#include <fmt/format.h>

#include "domain/stem4d/words.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::cli {

Status add_pattern(stem4d::DiffractionPattern const& pattern, stem4d::Pattern kind,
                   std::string const& part, Scan const& scan, index member,
                   OutputOptions const& output, ResultImage& image) {
    using stem4d::Pattern;
    auto const word = config::word_of(kind);
    image.map.name = stem4d::name_in(part, fmt::format("pattern_{}", word));
    image.map.unit = stem4d::pixel_unit(scan);
    if (kind == Pattern::variance)
        image.map.unit = image.map.unit == "counts" ? "counts^2" : "(counts/pixel)^2";
    image.map.counts = !pattern.corrected && (kind == Pattern::sum || kind == Pattern::max) &&
                       scan.dtype() != DType::f32;
    image.of_detector = true;
    image.style = style_of(scan, true, output);
    image.style.title = fmt::format("{} diffraction pattern{}", word,
                                    part.empty() ? "" : fmt::format(" ({})", part));
    return stem4d::append_image(image.map, pattern.values.values, scan.detector_shape(), member);
}

}  // namespace sluice::cli
