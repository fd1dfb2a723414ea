// Feeds bytes to the parsers of requests; what they take must be something the library can be
// asked.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>

#include "app/view/request.h"
#include "app/view/slide_request.h"

namespace {

using namespace sluice;

void check_slide_request(std::string_view text) {
    auto const parsed = app::parse_slide_request(text);
    auto const* const request = std::get_if<app::SlideRequest>(&parsed);
    if (!request) return;
    if (request->slot.size() > 32 || request->slide.size() > 256) std::abort();
    auto const* const tile = std::get_if<app::TileRequest>(&request->what);
    if (!tile) return;
    if (tile->zoom < 0 || tile->zoom > app::max_zoom) std::abort();
    for (index const i : {tile->row, tile->col})
        if (i < 0 || i > app::max_tile_index) std::abort();
    for (app::PlaneIndex const& i : tile->plane)
        if (i.dimension >= czi::dimension_count || i.at == czi::none) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    check_slide_request(text);
    auto const parsed = app::parse_request(text);
    auto const* const request = std::get_if<app::Request>(&parsed);
    if (!request) return 0;
    if (request->slot.size() > 32) std::abort();
    if (auto const* const image = std::get_if<app::ImageRequest>(&request->what)) {
        if (image->detectors.size() > app::max_detectors) std::abort();
        for (stem4d::Detector const& d : image->detectors)
            if (auto const mask = stem4d::rasterize(d, {5, 7}, {}); mask)
                for (float const v : mask->values)
                    if (v != 0 && v != 1) std::abort();
    }
    if (auto const* const frame = std::get_if<app::FrameRequest>(&request->what))
        if (frame->row < 0 || frame->col < 0) std::abort();
    return 0;
}
