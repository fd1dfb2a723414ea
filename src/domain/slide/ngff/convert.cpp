// A conversion from its plan to the finished folder.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/convert.h"

#include <fmt/format.h>

#include "base/file_lock.h"
#include "base/place.h"
#include "domain/slide/ngff/begin.h"
#include "domain/slide/ngff/groups.h"
#include "domain/slide/ngff/steps.h"

namespace sluice::slide {
namespace ome {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Error explained(Work const& work, Error error) {
    if (error.code == Code::cancelled || error.code == Code::io)
        error.message +=
            fmt::format(" (what is done is kept in {}); --resume goes on from there", work.part);
    return error;
}

Result<ConvertReport> run(Work work) {
    auto const start = Clock::now();
    SLUICE_TRY(FileLock const lock, lock_output(work.path, "converts into it"));
    SLUICE_CHECK(begin(work));
    SLUICE_CHECK(write_groups(work));
    Steps steps(work);
    Status const written = steps.run(Purpose::write);
    if (!written) return explained(work, written.error());
    work.report.seconds = seconds_since(start);
    if (work.options.verify) {
        auto const again = Clock::now();
        Status const same = steps.run(Purpose::compare);
        if (!same) return explained(work, same.error());
        work.report.verify_seconds = seconds_since(again);
    }
    auto const naming = Clock::now();
    Status const named = give_name(work);
    if (!named) return explained(work, named.error());
    work.report.seconds += seconds_since(naming);
    describe(work);
    return std::move(work.report);
}

}  // namespace
}  // namespace ome

namespace {

// The place of such a tile cannot be checked, and the canvas follows it.
Status check_parts(Slide const& slide, ConvertOptions const& options) {
    if (options.fill_bad) return {};
    for (std::size_t i = 0; i < slide.tiles().size(); ++i) {
        auto const tile = static_cast<std::int32_t>(i);
        if (!slide.in_other_file(tile)) continue;
        auto const located = slide.locate(tile);
        if (located) continue;
        Error error = located.error();
        error.message += "; --fill-bad goes on without that tile";
        return error;
    }
    return {};
}

// A damaged tile is filled, except one that no file of this size could hold: its wrong size would
// decide about canvas and time.
Status check_claims(Slide const& slide) {
    constexpr double most_expansion = 65536, always_allowed = 64e6;
    std::uint64_t const size = slide.source() ? slide.source()->size() : 0;
    auto const most = std::max(always_allowed, most_expansion * static_cast<double>(size));
    for (std::size_t i = 0; i < slide.tiles().size(); ++i) {
        Tile const& t = slide.tiles()[i];
        double const bytes = static_cast<double>(t.rect.width) *
                             static_cast<double>(t.rect.height) *
                             (known(t.pixel_type) ? format_of(t.pixel_type).bytes : 1);
        if (t.level != 0 || bytes <= most) continue;
        return Error{Code::corrupt,
                     fmt::format("tile {} says that it has {} x {} pixels (more than a file of {} "
                                 "bytes can hold) convert the scenes or channels without it, with "
                                 "--scenes or --channels",
                                 i, t.rect.width, t.rect.height, size),
                     slide.path(), slide.described_at(static_cast<std::int32_t>(i))};
    }
    return {};
}

}  // namespace

Result<ConvertReport> convert(Slide const& slide, std::string const& path,
                              ConvertOptions const& options) {
    SLUICE_CHECK(slide.compare_all());
    SLUICE_CHECK(check_parts(slide, options));
    SLUICE_CHECK(check_claims(slide));
    SLUICE_TRY(ome::Plan plan, ome::make_plan(slide, options));
    std::string name = path;
    while (name.size() > 1 && name.back() == '/') name.pop_back();
    return ome::run(ome::work_of(slide, options, std::move(plan), std::move(name)));
}

}  // namespace sluice::slide
