// Counting along with a conversion, and what is reported of it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/work.h"

#include <fmt/format.h>
#include <sys/resource.h>

namespace sluice::slide::ome {

Work work_of(Slide const& slide, ConvertOptions const& options, Plan plan, std::string path) {
    std::string part = path + ".part";
    Work work{slide, options, std::move(plan), std::move(path), std::move(part)};
    for (ImagePlan const& image : work.plan.images) {
        work.total += static_cast<std::uint64_t>(image.planes() * image.rect.width *
                                                 image.rect.height * work.plan.pixel_bytes());
        Seen seen;
        seen.ranges.resize(image.components.size());
        seen.fill_bad = options.fill_bad.value_or(0);
        work.seen.push_back(std::move(seen));
    }
    return work;
}

bool Work::go_on(std::uint64_t extra) const {
    return !options.progress || options.progress(done + extra, options.verify ? 2 * total : total);
}

void Work::count(StepRecord const& s) {
    Seen& image = seen[static_cast<std::size_t>(s.image)];
    image.ranges.resize(s.ranges.size());
    for (std::size_t c = 0; c < s.ranges.size(); ++c) image.ranges[c].add(s.ranges[c]);
    for (FilledTile const& t : s.filled) image.filled.emplace(t.tile, t.reason);
    report.chunks += s.chunks;
    report.chunks_empty += s.chunks_empty;
    for (FileRecord const& f : s.files)
        report.bytes_written += static_cast<std::uint64_t>(f.written.length);
}

void describe(Work& work) {
    ConvertReport& report = work.report;
    report.path = work.path;
    report.bytes = work.total;
    report.band_memory = work.plan.band_memory + work.plan.cache_memory;
    for (ImagePlan const& image : work.plan.images) {
        report.pixels += image.planes() * image.rect.width * image.rect.height;
        report.images.push_back({image.group,
                                 image.name,
                                 {image.t, static_cast<index>(image.components.size()), image.z,
                                  image.rect.height, image.rect.width},
                                 std::string(name_of(work.plan.dtype)),
                                 static_cast<int>(image.levels.size())});
    }
    auto const& notes = work.slide.notes();
    report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
    std::set<std::int32_t> filled;
    for (Seen const& seen : work.seen)
        for (auto const& [tile, reason] : seen.filled)
            if (filled.insert(tile).second) report.tiles_filled.push_back(reason);
    if (!filled.empty())
        report.notes.push_back(fmt::format("{} damaged {} filled with {}", filled.size(),
                                           filled.size() == 1 ? "tile is" : "tiles are",
                                           *work.options.fill_bad));
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    report.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace sluice::slide::ome
