// Feeds bytes to the parsers of requests; what they take must be something the library can be
// asked.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>

#include "app/view/doctor/request.h"
#include "app/view/envelope.h"
#include "app/view/proton/request.h"
#include "app/view/slide/request.h"
#include "app/view/stem4d/request.h"

namespace {

using namespace sluice;

void check_slide_request(app::RawRequest const& raw) {
    auto const request = app::parse_slide_request(raw.envelope.op, raw.fields);
    if (!request) return;
    if (request->slide.size() > app::max_name) std::abort();
    auto const* const tile = std::get_if<app::TileRequest>(&request->what);
    if (!tile) return;
    if (tile->zoom < 0 || tile->zoom > app::max_zoom) std::abort();
    for (sluice::index const i : {tile->row, tile->col})
        if (i < 0 || i > app::max_tile_index) std::abort();
    for (app::PlaneIndex const& i : tile->plane)
        if (i.dimension >= slide::dimension_count || i.at == slide::none) std::abort();
}

void check_doctor_request(app::RawRequest const& raw) {
    auto const request = app::parse_doctor_request(raw.envelope.op, raw.fields);
    if (request && app::echo(*request)["op"] != raw.envelope.op) std::abort();
}

void check_volume_request(app::RawRequest const& raw) {
    auto const request = app::parse_volume_request(raw.envelope.op, raw.fields);
    if (!request) return;
    auto const sound = [](double v) { return std::abs(v) <= app::max_coordinate; };
    if (auto const* const plane = std::get_if<app::PlaneRequest>(&request->what)) {
        for (app::SpaceAxis const& axis : {plane->across, plane->down})
            if (axis.number < 0 || axis.number > 2) std::abort();
        if (plane->across.number == plane->down.number || !sound(plane->at)) std::abort();
    }
    if (auto const* const line = std::get_if<app::ProfileRequest>(&request->what)) {
        if (line->volumes.empty() || line->volumes.size() > app::max_lines) std::abort();
        if (line->along < 0 || line->along > 2) std::abort();
        for (double const v : line->through)
            if (!sound(v)) std::abort();
    }
}

void check_orientations(app::OrientationRequest const& map) {
    stem4d::LibraryOptions const& library = map.library;
    if (!(library.kilovolts >= 0 && library.zone_step >= 0.5) || !(library.most_frequency <= 2) ||
        !(library.match_width >= 0.05))
        std::abort();
    if (map.match.grains != 1 || map.match.candidates < 1 || map.crystals.size() > 64) std::abort();
    if (!(map.scale.step_mrad >= 0)) std::abort();
}

void check_scan_request(app::RawRequest const& raw) {
    auto const request = app::parse_scan_request(raw.envelope.op, raw.fields);
    if (!request) return;
    if (request->dataset.size() > app::max_name) std::abort();
    if (request->after.value_or(0) > std::uint64_t{1} << 48) std::abort();
    if (auto const* const image = std::get_if<app::ImageRequest>(&request->what)) {
        if (image->detectors.size() > app::max_detectors) std::abort();
        for (stem4d::Detector const& d : image->detectors)
            if (auto const mask = stem4d::rasterize(d, {5, 7}, {}); mask)
                for (float const v : mask->values)
                    if (v != 0 && v != 1) std::abort();
    }
    if (auto const* const frame = std::get_if<app::FrameRequest>(&request->what))
        if (frame->row < 0 || frame->col < 0) std::abort();
    auto const* const disks = std::get_if<app::DisksRequest>(&request->what);
    auto const* const strain = std::get_if<app::StrainRequest>(&request->what);
    if (auto const* const map = std::get_if<app::OrientationRequest>(&request->what))
        check_orientations(*map);
    if (auto const* const match = std::get_if<app::MatchRequest>(&request->what)) {
        check_orientations(match->of);
        if (match->row < 0 || match->col < 0) std::abort();
    }
    if (disks && (disks->row < 0 || disks->col < 0)) std::abort();
    if (disks || strain) {
        app::DiskWish const& wish = disks ? disks->disks : strain->disks;
        if (wish.radius && !(*wish.radius > 0 && wish.edge_width > 0)) std::abort();
        if (!(wish.options.least_score >= 0) || wish.options.most_disks < 1) std::abort();
        if (strain && strain->lattice.least_disks < 3) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const read = app::read_request({reinterpret_cast<char const*>(data), size});
    auto const* const raw = std::get_if<app::RawRequest>(&read);
    if (!raw) return 0;
    if (raw->envelope.slot.size() > app::max_word || raw->envelope.op.size() > app::max_word)
        std::abort();
    check_slide_request(*raw);
    check_doctor_request(*raw);
    check_volume_request(*raw);
    check_scan_request(*raw);
    return 0;
}
