// Bands out of the slide: the tiles in them, or the fill where no tile lies.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/source.h"

namespace sluice::slide::ome {
namespace {

PlaneIndex position_of(ImagePlan const& image, PlanePlan const& plane) {
    PlaneIndex at = image.first;
    at[Z] += static_cast<std::int32_t>(plane.z);
    at[C] = image.channels[static_cast<std::size_t>(plane.channel)];
    at[slide::T] += static_cast<std::int32_t>(plane.t);
    return at;
}

}  // namespace

PlaneAt place_of(PlanePlan const& plane, int samples) {
    return {plane.t, plane.channel * samples, plane.z};
}

Status SlideRows::fill(Cascade& lane, Output& output, PlanePlan const& plane, bool alone) {
    Plan const& plan = work_.plan;
    ConvertOptions const& options = work_.options;
    ImagePlan const& image = output.image;
    PixelRows const rows = lane.source();
    Rect const where = lane.where();
    PlaneIndex const at = position_of(image, plane);
    Rect const rect{image.rect.x + where.x, image.rect.y + where.y, where.width, where.height};
    if (work_.slide.find(at, 0, rect).empty()) {
        paint(plan.dtype, rows, options.fill);
        return {};
    }
    auto const bytes = static_cast<std::uint64_t>(where.width * where.height * plan.pixel_bytes());
    ReadOptions read;
    read.threads = plan.threads;
    read.background = options.fill;
    std::vector<BadTile> bad;
    read.fill_bad = options.fill_bad;
    read.bad = &bad;
    if (plan.cache_memory > 0) read.cache = &cache_;
    if (alone)
        read.progress = [this, bytes](std::uint64_t done, std::uint64_t all) {
            return work_.go_on(all > 0 ? bytes / 2 * done / all : 0);
        };
    SLUICE_CHECK(work_.slide.read({at, image.scene, rect}, 0, read, {rows.data, bytes}));
    std::lock_guard const lock(output.mutex);
    output.step.filled_with = options.fill_bad.value_or(0);
    for (BadTile const& t : bad)
        output.step.filled.push_back(
            {t.tile, t.error.message.substr(0, t.error.message.find("; --fill-bad"))});
    return {};
}

}  // namespace sluice::slide::ome
