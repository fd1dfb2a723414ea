// A drawing on a surface of Cairo's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cairo.h>

#include <memory>

#include "figure/drawing.h"

namespace sluice::figure {

struct CairoEnd {
    void operator()(cairo_t* c) const { cairo_destroy(c); }
    void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); }
};
using Context = std::unique_ptr<cairo_t, CairoEnd>;
using Surface = std::unique_ptr<cairo_surface_t, CairoEnd>;

/// Where data has pixels of its own, and where it becomes those of the surface.
enum class Kind : std::uint8_t { vectors, pixels };

/// Cairo's error, if it has one.
Status check(cairo_status_t status);

/// Draws everything.
Status draw_onto(cairo_surface_t* surface, Drawing const& drawing, Kind kind);

/// The text as UTF-8 that Cairo and XML take: the rest becomes U+FFFD.
std::string proper(std::string_view text);

}  // namespace sluice::figure
