// Writes requests about slides back as JSON, in the words of docs/protocol.md.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide/echo.h"

namespace sluice::app {

Json echo(SlideRequest const& request) {
    Json j{{"op", request.op}};
    if (!request.slide.empty()) j["slide"] = request.slide;
    if (auto const* attachment = std::get_if<AttachmentRequest>(&request.what))
        j["number"] = attachment->number;
    if (auto const* tile = std::get_if<TileRequest>(&request.what)) {
        j["zoom"] = tile->zoom;
        j["row"] = tile->row;
        j["col"] = tile->col;
        j["plane"] = Json::object();
        for (PlaneIndex const& p : tile->plane)
            j["plane"][std::string(1, slide::dimension_letters[p.dimension])] = p.at;
    }
    return j;
}

}  // namespace sluice::app
