// Counting along with a conversion, and what is reported of it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/work.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/plural.h"
#include "domain/slide/ngff/cover.h"

namespace sluice::slide::ome {

namespace {

// All chunks of an image's levels, also those that are not made; saturates instead of overflowing.
index chunks_of(ImagePlan const& image) {
    index sum = 0;
    for (LevelPlan const& l : image.levels) {
        index n = 1;
        for (index const part : {image.t, std::ssize(image.components), image.z,
                                 ceil_div(l.width, l.chunk_x), ceil_div(l.height, l.chunk_y)})
            if (__builtin_mul_overflow(n, part, &n)) return INT64_MAX;
        if (__builtin_add_overflow(sum, n, &sum)) return INT64_MAX;
    }
    return sum;
}

// Whether all planes of the array are made, to their edges.
bool is_whole(Plan const& plan, ImagePlan const& image, std::uint64_t made) {
    double const planes = static_cast<double>(image.t) *
                          static_cast<double>(image.channels.size()) * static_cast<double>(image.z);
    double const plane =
        static_cast<double>(image.rect.width) * static_cast<double>(image.rect.height);
    return static_cast<double>(made) >= planes * plane * static_cast<double>(plan.pixel_bytes());
}

}  // namespace

Work work_of(Slide const& slide, ConvertOptions const& options, Plan plan, std::string path) {
    std::string part = path + ".part";
    Work work{slide, options, std::move(plan), std::move(path), std::move(part)};
    for (ImagePlan const& image : work.plan.images) {
        std::uint64_t const made = bytes_of(work.plan, image);
        work.total += made;
        Seen seen;
        // Places without chunks are background, which counts as a value that was seen.
        seen.ranges.resize(image.components.size(), is_whole(work.plan, image, made)
                                                        ? Range{}
                                                        : Range{options.fill, options.fill});
        seen.fill_bad = options.fill_bad.value_or(0);
        seen.files.resize(image.levels.size());
        work.seen.push_back(std::move(seen));
    }
    return work;
}

bool Work::go_on(std::uint64_t extra) const {
    return !options.progress || options.progress(done + extra, options.verify ? 2 * total : total);
}

void Work::count(StepRecord const& s) {
    Seen& image = seen[static_cast<std::size_t>(s.image)];
    for (auto const& [c, range] : s.ranges) image.ranges[static_cast<std::size_t>(c)].add(range);
    for (FilledTile const& t : s.filled) image.filled.emplace(t.tile, t.reason);
    report.chunks += s.chunks;
    report.chunks_empty += s.chunks_empty;
    for (FileRecord const& f : s.files) {
        report.bytes_written += static_cast<std::uint64_t>(f.written.length);
        ++image.files[static_cast<std::size_t>(f.level)];
    }
}

void describe(Work& work) {
    ConvertReport& report = work.report;
    report.path = work.path;
    report.bytes = work.total;
    report.pixels = static_cast<index>(work.total) / work.plan.pixel_bytes();
    report.band_memory = work.plan.band_memory + work.plan.cache_memory;
    index const written = report.chunks - report.chunks_empty;
    report.chunks = 0;
    for (ImagePlan const& image : work.plan.images) {
        if (__builtin_add_overflow(report.chunks, chunks_of(image), &report.chunks))
            report.chunks = INT64_MAX;
        report.images.push_back({image.group,
                                 image.name,
                                 {image.t, static_cast<index>(image.components.size()), image.z,
                                  image.rect.height, image.rect.width},
                                 std::string(name_of(work.plan.dtype)),
                                 static_cast<int>(image.levels.size())});
    }
    report.chunks_empty = report.chunks - written;
    auto const& notes = work.slide.notes();
    report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
    std::set<std::int32_t> filled;
    for (Seen const& seen : work.seen)
        for (auto const& [tile, reason] : seen.filled)
            if (filled.insert(tile).second) report.tiles_filled.push_back(reason);
    if (!filled.empty())
        report.notes.push_back(fmt::format(
            "{} filled with {}", plural(filled.size(), "damaged tile is", "damaged tiles are"),
            *work.options.fill_bad));
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    report.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace sluice::slide::ome
