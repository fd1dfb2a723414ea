// Slides: opening, and reading at a level.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/slide.h"

#include <fmt/format.h>

#include "domain/slide/czi/tiles.h"
#include "domain/slide/impl.h"
#include "domain/slide/tile_formats.h"

namespace sluice::slide {

Slide::Slide(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Slide::Slide(Slide&&) noexcept = default;
Slide& Slide::operator=(Slide&&) noexcept = default;
Slide::~Slide() = default;

Result<Slide> Slide::open(std::string const& path, SlideOpenOptions options, Access access) {
    SLUICE_TRY(auto source, open_tiles(path, options, access));
    return Slide(Impl::make(std::move(source)));
}

Result<Slide> Slide::open(std::shared_ptr<Source const> source, SlideOpenOptions options) {
    SLUICE_TRY(auto tiles, open_czi_tiles(std::move(source), options));
    return Slide(Impl::make(std::move(tiles)));
}

std::unique_ptr<Slide::Impl> Slide::Impl::make(std::unique_ptr<TileSource const> source) {
    static std::atomic<std::uint64_t> slides = 0;
    auto impl = std::make_unique<Impl>();
    impl->number = ++slides;
    impl->source = std::move(source);
    impl->source->list(impl->model);
    complete(impl->model);
    return impl;
}

std::string_view Slide::format() const {
    return impl_->source->format();
}
std::string const& Slide::path() const {
    return impl_->source->name();
}
Metadata Slide::metadata(std::vector<std::string>& notes) const {
    return impl_->source->metadata(notes);
}
std::string Slide::compression(std::int32_t tile) const {
    return impl_->source->compression(tiles()[static_cast<std::size_t>(tile)]);
}
Status Slide::compare_all() const {
    return impl_->source->compare_all();
}
Result<std::string> Slide::xml() const {
    return impl_->source->xml();
}
SlideFacts Slide::facts() const {
    return impl_->source->facts(impl_->model);
}
SlideOpenOptions Slide::opened_with() const {
    return impl_->source->opened_with();
}
Source const* Slide::source() const {
    return impl_->source->source();
}
Result<std::vector<Attachment>> Slide::attachments() const {
    return impl_->source->attachments();
}
Result<std::vector<std::byte>> Slide::read(Attachment const& attachment) const {
    return impl_->source->read(attachment);
}
Result<std::vector<double>> Slide::time_stamps() const {
    return impl_->source->time_stamps();
}
std::optional<std::uint64_t> Slide::offset(std::int32_t tile) const {
    return impl_->source->offset(tiles()[static_cast<std::size_t>(tile)]);
}
std::optional<std::uint64_t> Slide::described_at(std::int32_t tile) const {
    return impl_->source->described_at(tiles()[static_cast<std::size_t>(tile)]);
}
Result<TilePlace> Slide::locate(std::int32_t tile) const {
    return impl_->source->locate(tiles()[static_cast<std::size_t>(tile)], {});
}
bool Slide::in_other_file(std::int32_t tile) const {
    return impl_->source->in_other_file(tiles()[static_cast<std::size_t>(tile)]);
}
Result<std::vector<Violation>> Slide::check() const {
    return impl_->source->check();
}
std::vector<Tile> const& Slide::tiles() const {
    return impl_->model.tiles;
}
std::vector<Level> const& Slide::levels() const {
    return impl_->model.levels;
}
std::vector<Scene> const& Slide::scenes() const {
    return impl_->model.scenes;
}
Rect Slide::bounds() const {
    return impl_->model.bounds;
}
PlaneIndex Slide::first() const {
    return impl_->model.first;
}
PlaneIndex Slide::counts() const {
    return impl_->model.counts;
}
std::vector<std::string> const& Slide::notes() const {
    return impl_->model.notes;
}

Result<PixelType> Slide::pixel_type(PlaneIndex const& plane) const {
    return type_of(impl_->model, plane, 0);
}

std::vector<std::int32_t> Slide::find(PlaneIndex const& plane, int level, Rect const& rect) const {
    std::vector<std::int32_t> out;
    if (Group const* const g = impl_->model.group(plane, level))
        g->find(impl_->model.tiles, box_of(rect), out);
    return out;
}

Result<Shape> Slide::shape(Selection const& region, int level, int reduction) const {
    return shape_of(impl_->model, region, level, reduction);
}

Status Slide::Impl::read(Selection const& region, int level, ReadOptions const& options,
                         std::function<std::unique_ptr<Target>(Plan const&)> const& target_of) {
    // Of everything, no tile may be missing because it was moved under others.
    if (!region.rect) SLUICE_CHECK(source->compare_all());
    for (bool with_masks = masks;; with_masks = true) {
        Stats stats;
        Trace* const trace = options.trace;
        std::int64_t const begin = trace ? trace->now() : 0;
        SLUICE_TRY(Plan const plan,
                   make_plan(*source, model, region, level, options, with_masks, stats));
        SLUICE_CHECK(check_fills(plan.format.sample, options));
        std::unique_ptr<Target> const target = target_of(plan);
        if (trace) trace->add({Phase::plan, 0, -1, begin, trace->now(), 0, 0});
        bool masks_found = false;
        Status const done = run({*source, model, scratch, number}, plan, options, *target, stats,
                                with_masks ? nullptr : &masks_found);
        if (masks_found) {
            // From now on the heads are looked at first.
            masks = true;
            continue;
        }
        if (options.stats) *options.stats += stats;
        SLUICE_CHECK(done);
        target->finish();
        return {};
    }
}

Status Slide::read(Selection const& region, int level, ReadOptions const& options,
                   std::span<std::byte> out) const {
    SLUICE_TRY(Shape const shape, this->shape(region, level, options.reduction));
    if (out.size() != shape.bytes())
        return Error{Code::invalid_argument,
                     fmt::format("the given memory has {} bytes (the region needs {})", out.size(),
                                 shape.bytes())};
    SLUICE_CHECK(check_sparse(impl_->model, region, level, shape));
    auto const target = [&](Plan const& plan) -> std::unique_ptr<Target> {
        return std::make_unique<ImageTarget>(plan, out, options.background, threads_of(options));
    };
    return impl_->read(region, level, options, target);
}

Result<Image> Slide::read(Selection const& region, int level, ReadOptions const& options) const {
    Image image;
    SLUICE_TRY(image.shape, shape(region, level, options.reduction));
    SLUICE_CHECK(check_sparse(impl_->model, region, level, image.shape));
    if (!options.fill_bad) {
        SLUICE_TRY(Rect const rect, rect_of(impl_->model, region));
        SLUICE_CHECK(impl_->check_large(find(region.plane, level, rect)));
    }
    SLUICE_TRY(image.pixels, Buffer::allocate(image.shape.bytes()));
    SLUICE_CHECK(read(region, level, options, image.pixels.span()));
    return image;
}

}  // namespace sluice::slide
