// Measuring where the time of reading a slide goes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/memory.h"
#include "domain/slide/czi/timed.h"
#include "domain/slide/profile/cache.h"
#include "domain/slide/profile/order.h"
#include "domain/slide/profile/rules/findings.h"
#include "domain/slide/profile/sums.h"
#include "domain/slide/profile/system.h"
#include "sluice/device.h"
#include "sluice/slide_profile.h"

namespace sluice::slide {
namespace {

// Short reads are repeated for so long, and the median is reported. Long ones are repeated, too: a
// single number does not show its own error.
constexpr double repeat_s = 0.5, long_s = 10;
constexpr std::size_t least_repeats = 3, most_repeats = 15;
// Stretches are read in pieces of this size, as large tiles are.
constexpr std::size_t warm_piece = std::size_t{16} << 20;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Where the bytes of the tiles are, in the order of the tiles.
Result<std::vector<Stretch>> stretches_of(Slide const& slide,
                                          std::vector<std::int32_t> const& tiles) {
    std::vector<Stretch> out;
    for (std::int32_t const t : tiles) {
        std::uint64_t const at = slide.offset(t).value_or(0);
        // A damaged tile has no bytes to read; `slide check` reports it.
        auto const s = slide.locate(t);
        out.push_back({at, s ? s->data + s->data_size : at});
    }
    return out;
}

Result<double> read_bytes(Slide const& slide, std::vector<Stretch> const& stretches) {
    Buffer memory(warm_piece);
    std::memset(memory.data(), 0, warm_piece);
    double const start = now();
    for (Stretch const& s : stretches)
        for (std::uint64_t at = s.begin; at < s.end; at += warm_piece) {
            std::uint64_t const length = std::min<std::uint64_t>(warm_piece, s.end - at);
            SLUICE_CHECK(slide.source()->read(at, {memory.data(), length}));
        }
    return now() - start;
}

// The disk is measured without decoding; bytes in the system's cache do not come from the disk.
Result<bool> empty_cache(Slide const& slide, std::string const& path, DiskTimes& disk) {
    slide.source()->drop_cache();
    SLUICE_TRY(disk.cached, forget_file(path));
    return disk.cached < mostly_cached;
}

class Measuring {
  public:
    Measuring(Slide const& slide, ProfileOptions const& options, Profile& profile,
              std::uint64_t steps)
        : slide_(slide),
          options_(options),
          profile_(profile),
          steps_(steps),
          memory_(profile.shape.bytes()) {
        // New memory is slow where it is touched first: not a part of reading.
        if (memory_.size() > 0) std::memset(memory_.data(), 0, memory_.size());
    }

    /// `forget` empties the system's cache before each read, and says whether that worked.
    Result<ReadTimes> read(int threads, std::function<Result<bool>()> const& forget = {}) {
        std::vector<ReadTimes> all;
        double spent = 0;
        SystemClock const system;
        do {
            bool cold = false;
            if (forget) {
                SLUICE_TRY(cold, forget());
                if (!cold && !all.empty()) break;
            }
            SLUICE_TRY(ReadTimes times, once(threads, cold));
            spent += times.wall_s;
            all.push_back(std::move(times));
        } while ((spent < repeat_s && all.size() < most_repeats) ||
                 (spent < long_s && all.size() < least_repeats));
        std::vector<double> walls;
        for (ReadTimes const& r : all) walls.push_back(r.wall_s);
        std::sort(all.begin(), all.end(),
                  [](ReadTimes const& a, ReadTimes const& b) { return a.wall_s < b.wall_s; });
        ++done_;
        ReadTimes& middle = all[all.size() / 2];
        // The clock of the processors is too coarse for one short read.
        middle.system.steal = system.counts().steal;
        middle.repeats = static_cast<int>(all.size());
        middle.all_wall_s = spread_of(std::move(walls));
        return std::move(middle);
    }

    // A tile by itself: finds out whether the file has masks, and prepares what reading needs.
    Status warm_up() {
        if (profile_.tiles.empty()) return {};
        // The first read of everything does that, once.
        SLUICE_CHECK(slide_.compare_all());
        Selection one = profile_.region;
        one.rect = slide_.tiles()[static_cast<std::size_t>(profile_.tiles[0])].rect;
        ReadOptions read;
        read.fill_bad = 0;
        SLUICE_TRY([[maybe_unused]] Image const image, slide_.read(one, profile_.level, read));
        return {};
    }

  private:
    Slide const& slide_;
    ProfileOptions const& options_;
    Profile& profile_;
    std::uint64_t steps_, done_ = 0;
    Buffer memory_;

    Result<ReadTimes> once(int threads, bool cold) {
        ReadTimes times;
        times.threads = threads;
        times.cold = cold;
        Trace trace(threads);
        ReadOptions o;
        o.threads = threads;
        o.trace = &trace;
        o.stats = &times.stats;
        // `slide check` reports a damaged tile; here it takes little time.
        o.fill_bad = 0;
        if (options_.progress)
            o.progress = [&](std::uint64_t done, std::uint64_t total) {
                return options_.progress(done_ * total + done, steps_ * total);
            };
        SystemClock const system;
        std::int64_t const begin = trace.now();
        SLUICE_CHECK(slide_.read(profile_.region, profile_.level, o, memory_.span()));
        std::int64_t const end = trace.now();
        times.system = system.counts();
        times.spans = trace.spans();
        sum_up(times, begin, end, options_.access == Access::map,
               [&](std::int32_t tile) { return slide_.compression(tile); });
        return times;
    }
};

std::vector<int> threads_of(ProfileOptions const& options, int processors) {
    std::vector<int> threads = options.threads;
    if (threads.empty())
        for (int const t : {1, 2, 4, 8})
            if (t <= std::max(2, processors)) threads.push_back(t);
    std::sort(threads.begin(), threads.end());
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    return threads;
}

Result<std::vector<SeekStats>> seeks(Slide const& slide, std::vector<std::int32_t> const& tiles) {
    SLUICE_TRY(std::vector<Stretch> const in_file, stretches_of(slide, tiles));
    auto const ordered = [&](std::string name, auto const& less) -> Result<SeekStats> {
        std::vector<std::int32_t> sorted = tiles;
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::int32_t a, std::int32_t b) {
            return less(slide.tiles()[static_cast<std::size_t>(a)],
                        slide.tiles()[static_cast<std::size_t>(b)]);
        });
        SLUICE_TRY(auto const stretches, stretches_of(slide, sorted));
        return seeks_of(std::move(name), stretches);
    };
    std::vector<SeekStats> out{seeks_of("file", in_file)};
    SLUICE_TRY(SeekStats directory, ordered("directory", [](Tile const& a, Tile const& b) {
                   return a.entry < b.entry;
               }));
    SLUICE_TRY(SeekStats drawing,
               ordered("drawing", [](Tile const& a, Tile const& b) { return a.order < b.order; }));
    SLUICE_TRY(SeekStats rows, ordered("rows", [](Tile const& a, Tile const& b) {
                   return std::pair(a.rect.y, a.rect.x) < std::pair(b.rect.y, b.rect.x);
               }));
    out.push_back(std::move(directory));
    out.push_back(std::move(drawing));
    out.push_back(std::move(rows));
    return out;
}

// The region does not fit in memory, or tiles cover hardly any of it.
bool is_too_much(Slide const& slide, ProfileOptions const& options, Profile const& p) {
    constexpr double large = 1 << 27, share = 64;
    if (p.shape.bytes() > memory_of_machine() / 4) return true;
    double const all = static_cast<double>(p.shape.width) * static_cast<double>(p.shape.height);
    double tiles = 0;
    for (std::int32_t const t : tiles_of(slide, p.region, options.level)) {
        Tile const& tile = slide.tiles()[static_cast<std::size_t>(t)];
        tiles += static_cast<double>(tile.stored_width) * static_cast<double>(tile.stored_height);
    }
    return all > large && tiles * share < all;
}

// What is read: the region asked for, or as much of its middle as is few tiles and fits.
Status choose(Slide const& slide, ProfileOptions const& options, Profile& p) {
    p.tiles_in_region = std::ssize(tiles_of(slide, options.region, options.level));
    p.region = middle_of(slide, options.region, options.level, options.max_tiles);
    SLUICE_TRY(p.shape, slide.shape(p.region, options.level));
    for (index most = p.tiles_in_region; is_too_much(slide, options, p) && most > 1; most /= 2) {
        p.region = middle_of(slide, options.region, options.level, most / 2);
        SLUICE_TRY(p.shape, slide.shape(p.region, options.level));
    }
    p.tiles = tiles_of(slide, p.region, options.level);
    if (p.tiles.empty())
        return Error{Code::not_found, "there are no tiles in this region; see sluice info", p.path};
    std::stable_sort(p.tiles.begin(), p.tiles.end(), [&](std::int32_t a, std::int32_t b) {
        return slide.offset(a) < slide.offset(b);
    });
    return {};
}

}  // namespace

Result<Profile> profile(std::string const& path, ProfileOptions const& options) {
    Profile p;
    p.path = path;
    p.level = options.level;
    p.processors = Device::cpu().threads();
    if (options.cold) {
        SLUICE_TRY([[maybe_unused]] double const share, forget_file(path));
    }
    SLUICE_TRY(TimedSlide const opened, open_czi_timed(path, options.open, options.access));
    Slide const& slide = opened.slide;
    p.open = opened.times;
    p.file_bytes = slide.source()->size();
    p.entries = slide.facts().entries;
    p.levels = static_cast<int>(std::ssize(slide.levels()));
    SLUICE_CHECK(choose(slide, options, p));
    SLUICE_TRY(p.seeks, seeks(slide, p.tiles));
    p.amplification = amplification_of(slide, p.region, p.level, p.tiles);
    std::vector<int> const threads = threads_of(options, p.processors);
    Measuring measuring(slide, options, p, threads.size() + 1);
    SLUICE_TRY(std::vector<Stretch> const stretches, stretches_of(slide, p.tiles));
    for (Stretch const& s : stretches) p.disk.bytes += s.end - s.begin;
    if (options.cold) {
        SLUICE_TRY(p.disk.cold, empty_cache(slide, path, p.disk));
    }
    if (p.disk.cold) {
        SLUICE_TRY(p.disk.cold_s, read_bytes(slide, stretches));
    }
    SLUICE_TRY(p.disk.warm_s, read_bytes(slide, stretches));
    SLUICE_CHECK(measuring.warm_up());
    for (int const t : threads) {
        SLUICE_TRY(ReadTimes times, measuring.read(t));
        p.reads.push_back(std::move(times));
    }
    if (p.disk.cold) {
        SLUICE_TRY(ReadTimes times, measuring.read(threads.back(), [&] {
            return empty_cache(slide, path, p.disk);
        }));
        if (times.cold) p.cold_read = std::move(times);
    }
    p.amplification.of_region = static_cast<double>(p.reads.front().stats.tiles_decoded) /
                                static_cast<double>(p.tiles.size());
    p.findings = findings_of(facts_of(p, options.access == Access::map, options.cold));
    return p;
}

}  // namespace sluice::slide
