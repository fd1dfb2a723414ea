// What the numbers of a profile say.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/slide/profile_sums.h"

namespace sluice::slide {
namespace {

using Rule = std::optional<Finding> (*)(Facts const&);

// From when on a share is worth a sentence.
constexpr double large_share = 0.4, small_gain = 1.1, much_idle = 0.15;
// A disk this many times as fast as needed does not limit.
constexpr double ample = 1.5;
constexpr index many_tiles = 8;

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string rate(double bytes_per_s) {
    return bytes_per_s >= 1e9 ? fmt::format("{:.1f} GB/s", bytes_per_s / 1e9)
                              : fmt::format("{:.3g} MB/s", bytes_per_s / 1e6);
}

ReadFacts const* fastest(Facts const& f) {
    auto const best = std::min_element(
        f.reads.begin(), f.reads.end(),
        [](ReadFacts const& a, ReadFacts const& b) { return a.wall_s < b.wall_s; });
    return best == f.reads.end() || best->wall_s <= 0 ? nullptr : &*best;
}

double needed_rate(Facts const& f) {
    ReadFacts const* const best = fastest(f);
    return best ? f.bytes_read / best->wall_s : 0;
}

std::string count(int threads) {
    return threads == 1 ? "one thread" : fmt::format("{} threads", threads);
}

// The first read that had to wait for processors which should have been free.
ReadFacts const* disturbed(Facts const& f) {
    auto const first = std::find_if(f.reads.begin(), f.reads.end(), [&](ReadFacts const& r) {
        return r.threads <= f.processors && r.starved >= much_idle;
    });
    return first == f.reads.end() ? nullptr : &*first;
}

bool disk_limits(Facts const& f) {
    return f.disk_rate > 0 && f.disk_rate < ample * needed_rate(f);
}

std::optional<Finding> decoding(Facts const& f) {
    if (f.decode < large_share) return {};
    return Finding{
        "decoding",
        fmt::format("Decoding {} is {} of one thread's time.", f.codec, percent(f.decode)),
        {}};
}

std::optional<Finding> copying(Facts const& f) {
    if (f.copy < large_share) return {};
    return Finding{
        "copying",
        fmt::format("Copying pixels out of the system's cache is {} of one thread's time: memory, "
                    "and not decoding, sets the pace.",
                    percent(f.copy)),
        f.mapped ? std::string()
                 : "Compare --mmap, which saves a copy where single tiles are looked at in place."};
}

std::optional<Finding> composing(Facts const& f) {
    if (f.compose < large_share) return {};
    return Finding{
        "composing",
        fmt::format("Putting tiles in their places, with the order of colours and bytes, "
                    "is {} of one thread's time.",
                    percent(f.compose)),
        {}};
}

// Several threads: what they gave here, and not what they should have given.
std::optional<Finding> threads(Facts const& f) {
    if (f.reads.size() < 2 || f.reads.front().threads != 1) return {};
    ReadFacts const* const best = fastest(f);
    int const wanted = best_threads(f.reads);
    if (!best || wanted == 0) return {};
    double const gain = f.reads.front().wall_s / best->wall_s;
    bool const quiet = !disturbed(f);
    if (wanted == 1)
        return Finding{"threads",
                       fmt::format("More threads did not help here (at best {:.2f} times as fast, "
                                   "{} processors).",
                                   gain, f.processors),
                       quiet ? "Use --threads 1." : ""};
    auto const chosen = std::find_if(f.reads.begin(), f.reads.end(),
                                     [&](ReadFacts const& r) { return r.threads == wanted; });
    return Finding{"threads",
                   fmt::format("{} threads read {:.2f} times as fast as one here ({} processors).",
                               wanted, f.reads.front().wall_s / chosen->wall_s, f.processors),
                   quiet ? fmt::format("Use --threads {}.", wanted) : std::string()};
}

std::optional<Finding> disk(Facts const& f) {
    double const needed = needed_rate(f);
    if (f.disk_rate <= 0 || needed <= 0) return {};
    double const times = f.disk_rate / needed;
    std::string const numbers = fmt::format("The disk delivered {}, and the fastest read needs {}",
                                            rate(f.disk_rate), rate(needed));
    if (times >= ample)
        return Finding{"disk",
                       fmt::format("{}: it would allow {:.2g} times this speed, and does "
                                   "not limit.",
                                   numbers, times),
                       {}};
    if (times >= 1 / ample)
        return Finding{"disk",
                       fmt::format("{}: a first read is limited by both, {:.2g} times this speed "
                                   "at most.",
                                   numbers, times),
                       {}};
    return Finding{"disk", fmt::format("{}: the disk limits a first read.", numbers),
                   "More threads will not help then; copy the file to a faster disk, or read it "
                   "once and keep it in memory."};
}

std::optional<Finding> not_cold(Facts const& f) {
    if (!f.cold_asked || f.cold) return {};
    return Finding{"not cold",
                   fmt::format("The system kept {} of the file in its cache although asked to "
                               "forget it: these times say nothing about the disk.",
                               percent(f.cached)),
                   "Profile a file that was not read since the machine started."};
}

// Workers that wait while one of them has the last tile.
std::optional<Finding> idle(Facts const& f) {
    if (f.reads.empty()) return {};
    ReadFacts const& r = f.reads.back();
    if (r.threads < 2 || r.idle < much_idle || disk_limits(f)) return {};
    std::string const text = fmt::format(
        "With {} threads, {} of their time is waiting for the "
        "last tiles (the slowest takes {:.3g} ms of {:.3g}).",
        r.threads, percent(r.idle), 1e3 * f.longest_tile_s, 1e3 * r.wall_s);
    if (f.tiles >= many_tiles * r.threads) return Finding{"idle", text, {}};
    return Finding{"idle", text,
                   fmt::format("{} tiles are few for {} threads; read several planes or regions "
                               "at once.",
                               f.tiles, r.threads)};
}

// The same work took more computing: processors that share a core, or memory that is too slow.
std::optional<Finding> inflated(Facts const& f) {
    if (f.reads.size() < 2 || f.reads.front().threads != 1) return {};
    ReadFacts const& one = f.reads.front();
    auto most = std::find_if(f.reads.rbegin(), f.reads.rend(), [&](ReadFacts const& r) {
        return r.threads > 1 && r.threads <= f.processors;
    });
    if (most == f.reads.rend() || one.cpu_s <= 0 || most->cpu_s < 1.3 * one.cpu_s) return {};
    return Finding{"slower cores",
                   fmt::format("With {} threads the same tiles took {:.2f} times the computing: "
                               "the processors share cores or memory, with each other or with "
                               "other work.",
                               most->threads, most->cpu_s / one.cpu_s),
                   {}};
}

std::optional<Finding> starved(Facts const& f) {
    ReadFacts const* const r = disturbed(f);
    if (!r) return {};
    return Finding{"starved",
                   fmt::format("With {}, {} of the time was waiting for a processor that other "
                               "programs had: the times above are too long.",
                               count(r->threads), percent(r->starved)),
                   "Measure again on a quiet machine."};
}

std::optional<Finding> amplification(Facts const& f) {
    if (f.amplification < 1.5) return {};
    return Finding{
        "amplification",
        fmt::format("Tiles overlap: reading each by its own rectangle, as read_mosaic per tile "
                    "does, decodes {:.1f} tiles for one.",
                    f.amplification),
        "Read the region in one call, single tiles by their number (slide read --tiles), or give "
        "the reads a cache of tiles."};
}

std::optional<Finding> order(Facts const& f) {
    if (f.tiles < many_tiles || f.seek_directory < 4 * f.seek_file || f.bytes_read <= 0 ||
        f.seek_directory < f.bytes_read)
        return {};
    return Finding{"order",
                   fmt::format("In the order of the directory a reader jumps over {:.3g} MB, in "
                               "the order of the file over {:.3g} MB.",
                               f.seek_directory / 1e6, f.seek_file / 1e6),
                   "Read tiles in the order of the file, as slide read and slide convert do."};
}

std::optional<Finding> opening(Facts const& f) {
    ReadFacts const* const best = fastest(f);
    if (!best || f.open_s < 0.2 * best->wall_s || f.open_s < 0.001) return {};
    return Finding{
        "opening",
        fmt::format("Opening takes {:.3g} ms for {} directory entries, as long as {:.2g} "
                    "of these reads.",
                    1e3 * f.open_s, f.entries, f.open_s / best->wall_s),
        "Open the file once and keep it open between reads."};
}

std::optional<Finding> flat(Facts const& f) {
    if (f.levels > 1 || f.tiles_in_region < 2 * many_tiles || f.codec != "JPEG XR" ||
        f.decode < large_share)
        return {};
    return Finding{
        "no pyramid", "The file has no pyramid: an overview decodes every tile in full.",
        "For overviews use slide read --zoom Z --reduced, which decodes the coarse bands "
        "only."};
}

std::optional<Finding> hidden(Facts const& f) {
    if (f.hidden == 0) return {};
    return Finding{"hidden",
                   fmt::format("{} tiles lie wholly under others and were not decoded.", f.hidden),
                   {}};
}

constexpr Rule rules[] = {starved, decoding, copying,       composing, threads, disk, not_cold,
                          idle,    inflated, amplification, order,     opening, flat, hidden};

double share(ReadTimes const& r, std::string_view step) {
    double const all = r.wall_s * r.threads;
    return all > 0 ? r.seconds(step) / all : 0;
}

// Nothing is computed between two steps: what is long there is time that other programs had.
double lost_between(ReadTimes const& r) {
    constexpr double own_s = 50e-6;  // of the clocks and of handing out tiles
    double const tiles = static_cast<double>(std::max<index>(1, r.stats.tiles_decoded));
    double const lost = std::max(0.0, r.seconds(step::other) - own_s * tiles);
    return r.wall_s > 0 ? lost / (r.wall_s * r.threads) : 0;
}

}  // namespace

int best_threads(std::vector<ReadFacts> const& reads) {
    double best = 0;
    for (ReadFacts const& r : reads) best = best > 0 ? std::min(best, r.wall_s) : r.wall_s;
    int least = 0;
    for (ReadFacts const& r : reads)
        if (r.wall_s <= small_gain * best && (least == 0 || r.threads < least)) least = r.threads;
    return least;
}

Facts facts_of(Profile const& p, bool mapped, bool cold_asked) {
    Facts f;
    f.processors = p.processors;
    f.mapped = mapped;
    f.cold_asked = cold_asked;
    f.cold = p.disk.cold;
    f.cached = p.disk.cached;
    f.disk_rate =
        p.disk.cold && p.disk.cold_s > 0 ? static_cast<double>(p.disk.bytes) / p.disk.cold_s : 0;
    f.open_s = p.open.seconds();
    f.entries = p.entries;
    f.tiles = std::ssize(p.tiles);
    f.tiles_in_region = p.tiles_in_region;
    f.levels = p.levels;
    f.level = p.level;
    f.amplification = p.amplification.per_tile;
    for (SeekStats const& s : p.seeks) {
        if (s.order == "directory") f.seek_directory = static_cast<double>(s.total);
        if (s.order == "file") f.seek_file = static_cast<double>(s.total);
    }
    if (p.reads.empty()) return f;
    ReadTimes const& one = p.reads.front();
    f.decode = share(one, "decode");
    f.disk_wait = share(one, step::disk);
    f.copy = share(one, step::copy);
    f.compose = share(one, step::compose);
    double most = -1;
    for (StepTime const& s : one.steps)
        if (s.name.starts_with("decode ") && s.seconds > most) {
            most = s.seconds;
            f.codec = s.name.substr(7);
        }
    f.bytes_read = static_cast<double>(one.stats.bytes_read);
    f.hidden = one.stats.tiles_hidden;
    for (ReadTimes const& r : p.reads)
        f.reads.push_back({r.threads, r.wall_s, r.cpu_s, share(r, step::idle),
                           share(r, step::starved) + lost_between(r)});
    if (!p.reads.back().slowest.empty()) f.longest_tile_s = p.reads.back().slowest[0].seconds;
    return f;
}

std::vector<Finding> findings_of(Facts const& facts) {
    std::vector<Finding> all;
    for (Rule const rule : rules)
        if (auto found = rule(facts)) all.push_back(*std::move(found));
    // What limits a first read comes before what limits the others.
    if (disk_limits(facts))
        std::stable_partition(all.begin(), all.end(),
                              [](Finding const& f) { return f.rule == "disk"; });
    return all;
}

}  // namespace sluice::slide
