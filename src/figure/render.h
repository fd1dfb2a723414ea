// Drawings as pixels and as files, by Cairo.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/drawing.h"

namespace sluice::figure {

/// The same bytes for the same drawing. Fails where memory is short, or a side is above 32767.
Result<Picture> picture_of(Drawing const& drawing);

/// With letters as outlines, and the texts once more as the description; the provenance is a JSON
/// object in `metadata`. The same bytes for the same drawing.
Result<std::string> svg_of(Drawing const& drawing, Provenance const& provenance = {});

/// One page, 96 pixels an inch, with letters as text; the provenance is a JSON object in Keywords.
/// It has no date, and so the same bytes for the same drawing.
Result<std::string> pdf_of(Drawing const& drawing, Provenance const& provenance = {});

/// Whether the ending of a path says how to draw.
Status check_ending(std::string const& path);

/// As PNG, SVG or PDF, by the ending of the path.
Status save_drawing(std::string const& path, Drawing const& drawing,
                    Provenance const& provenance = {});

}  // namespace sluice::figure
