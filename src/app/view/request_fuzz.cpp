// Feeds bytes to the parser of requests; what it takes must be something the library can be asked.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>

#include "app/view/request.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const parsed =
        app::parse_request(std::string_view(reinterpret_cast<char const*>(data), size));
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
