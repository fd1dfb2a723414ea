// What the numbers of a profile say.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/slide/profile/sums.h"

namespace sluice::slide {
namespace {

using Rule = std::optional<Finding> (*)(Facts const&);

// From when on a share is worth a sentence.
constexpr double large_share = 0.4, small_gain = 1.1, much_idle = 0.15;
constexpr index many_tiles = 8;
// Below these a read is over before anything can be told of it.
constexpr double enough_s = 0.05;
constexpr index enough_tiles = 4;
// Repeats that differ by more, or processors that were given away: other things were measured.
constexpr double unsteady = 0.5, much_steal = 0.05;
// So much slower is a first read where the disk has a part in it.
constexpr double slower = 1.5;

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string duration(double s) {
    return s >= 1 ? fmt::format("{:.3g} s", s) : fmt::format("{:.3g} ms", 1e3 * s);
}

std::string count(int threads) {
    return threads == 1 ? "one thread" : fmt::format("{} threads", threads);
}

std::string plural(index n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// How sure a sentence about times is.
std::string evidence(Facts const& f, std::string numbers, ReadFacts const& r) {
    bool const sure = r.repeats >= 3 && r.spread <= 0.1 && f.tiles >= 2 * many_tiles;
    return fmt::format("{}: {}; {}, {} within {}", sure ? "sure" : "likely", std::move(numbers),
                       plural(f.tiles, "tile"), plural(r.repeats, "read"), percent(r.spread));
}

std::string computing(ReadFacts const& r) {
    return fmt::format("{} of computing in {} with {}", duration(r.cpu_s), duration(r.wall_s),
                       count(r.threads));
}

ReadFacts const* fastest(Facts const& f) {
    auto const best = std::min_element(
        f.reads.begin(), f.reads.end(),
        [](ReadFacts const& a, ReadFacts const& b) { return a.wall_s < b.wall_s; });
    return best == f.reads.end() || best->wall_s <= 0 ? nullptr : &*best;
}

// What a read from the cache with one thread did not compute, it waited; and there is nothing but
// processors to wait for.
double starved_share(ReadFacts const& r) {
    double const lost = r.threads == 1 && r.wall_s > 0 ? 1 - r.cpu_s / r.wall_s : 0;
    return std::max({r.starved, lost, 0.0});
}

// The first read that had to wait for processors which should have been free.
ReadFacts const* disturbed(Facts const& f) {
    auto const first = std::find_if(f.reads.begin(), f.reads.end(), [&](ReadFacts const& r) {
        return r.steal >= much_steal ||
               (r.threads <= f.processors && starved_share(r) >= much_idle);
    });
    return first == f.reads.end() ? nullptr : &*first;
}

std::string how_to_measure_more() {
    return "To get an answer, read more at once: a larger --region, --max-tiles 0, or a larger "
           "file.";
}

std::optional<Finding> too_short(Facts const& f) {
    if (f.reads.empty()) return {};
    ReadFacts const& one = f.reads.front();
    if (one.wall_s >= enough_s && f.tiles >= enough_tiles) return {};
    return Finding{"too short",
                   fmt::format("A read of {} takes {}: too little to tell what limits it.",
                               plural(f.tiles, "tile"), duration(one.wall_s)),
                   how_to_measure_more()};
}

std::optional<Finding> starved(Facts const& f) {
    ReadFacts const* const r = disturbed(f);
    if (!r) return {};
    std::string const text =
        r->steal >= much_steal
            ? fmt::format(
                  "With {}, the host gave {} of the processors' time to other machines: "
                  "nothing can be told from these times.",
                  count(r->threads), percent(r->steal))
            : fmt::format(
                  "With {}, {} of the time was waiting for a processor that other "
                  "programs had: nothing can be told from these times.",
                  count(r->threads), percent(starved_share(*r)));
    return Finding{"starved", text, "To get an answer, measure again on a quiet machine."};
}

std::optional<Finding> unlike(Facts const& f) {
    for (ReadFacts const& r : f.reads)
        if (r.threads <= f.processors && r.spread > unsteady)
            return Finding{
                "unsteady",
                fmt::format("The same read with {} took times that differ by {}: nothing can be "
                            "told from them.",
                            count(r.threads), percent(r.spread)),
                "To get an answer, measure again on a quiet machine."};
    return {};
}

std::optional<Finding> decoding(Facts const& f) {
    if (f.decode < large_share) return {};
    return Finding{"decoding",
                   fmt::format("Decoding {} is {} of the computing.", f.codec, percent(f.decode)),
                   {},
                   evidence(f, computing(f.reads.front()), f.reads.front())};
}

std::optional<Finding> copying(Facts const& f) {
    if (f.copy < large_share || f.copy <= f.decode) return {};
    return Finding{
        "copying",
        fmt::format("Copying pixels out of the system's cache is {} of the computing: memory, "
                    "and not decoding, sets the pace.",
                    percent(f.copy)),
        f.mapped ? std::string()
                 : "Compare --mmap, which saves a copy where single tiles are looked at in place.",
        evidence(f, computing(f.reads.front()), f.reads.front())};
}

std::optional<Finding> composing(Facts const& f) {
    if (f.compose < large_share) return {};
    return Finding{
        "composing",
        fmt::format("Putting tiles in their places, with the order of colours and bytes, "
                    "is {} of the computing.",
                    percent(f.compose)),
        {},
        evidence(f, computing(f.reads.front()), f.reads.front())};
}

// Not of any tile: large regions with few tiles, and threads for little work.
std::optional<Finding> filling(Facts const& f) {
    if (f.outside < large_share) return {};
    return Finding{"filling",
                   fmt::format("Filling what has no tile, with page faults and the start of "
                               "threads, is {} of the computing.",
                               percent(f.outside)),
                   "Read the scenes or tiles by themselves, and not the space between them.",
                   evidence(f, computing(f.reads.front()), f.reads.front())};
}

// Several threads: what they gave here, and not what they should have given.
std::optional<Finding> threads(Facts const& f) {
    if (f.reads.size() < 2 || f.reads.front().threads != 1) return {};
    ReadFacts const* const best = fastest(f);
    int const wanted = best_threads(f.reads);
    if (!best || wanted == 0) return {};
    double const gain = f.reads.front().wall_s / best->wall_s;
    if (wanted == 1)
        return Finding{"threads",
                       fmt::format("More threads did not help here (at best {:.2f} times as fast, "
                                   "{} processors).",
                                   gain, f.processors),
                       "Use --threads 1.", evidence(f, computing(*best), *best)};
    auto const chosen = std::find_if(f.reads.begin(), f.reads.end(),
                                     [&](ReadFacts const& r) { return r.threads == wanted; });
    return Finding{"threads",
                   fmt::format("{} threads read {:.2f} times as fast as one here ({} processors).",
                               wanted, f.reads.front().wall_s / chosen->wall_s, f.processors),
                   fmt::format("Use --threads {}.", wanted),
                   evidence(f, computing(*chosen), *chosen)};
}

// The read from the cache with as many threads as the one from the disk.
ReadFacts const* beside_cold(Facts const& f) {
    if (!f.cold) return nullptr;
    auto const same = std::find_if(f.reads.begin(), f.reads.end(), [&](ReadFacts const& r) {
        return r.threads == f.cold->read.threads;
    });
    return same == f.reads.end() || same->wall_s <= 0 ? nullptr : &*same;
}

std::optional<Finding> disk(Facts const& f) {
    ReadFacts const* const cached = beside_cold(f);
    if (!cached) return {};
    ReadFacts const& cold = f.cold->read;
    double const times = cold.wall_s / cached->wall_s;
    if (f.bytes_read < enough_bytes)
        return Finding{"disk unknown",
                       fmt::format("The tiles have {:.3g} MB: too little to tell whether the disk "
                                   "limits a first read.",
                                   f.bytes_read / 1e6),
                       how_to_measure_more()};
    if (cold.spread > unsteady || cold.steal >= much_steal)
        return Finding{"disk unknown",
                       fmt::format("First reads took times that differ by {}: whether the disk "
                                   "limits them cannot be told.",
                                   percent(cold.spread)),
                       "To get an answer, measure again on a quiet machine."};
    std::string const numbers =
        fmt::format("A first read takes {:.3g} times as long as one from the cache", times);
    std::string const grounds =
        evidence(f,
                 fmt::format("{} from the disk and {} from the cache with {}",
                             duration(cold.wall_s), duration(cached->wall_s), count(cold.threads)),
                 cold);
    if (times < slower) return Finding{"disk", numbers + ": the disk does not limit.", {}, grounds};
    // Half of what it takes longer must have been waiting.
    if (f.cold->waited < (1 - 1 / times) / 2)
        return Finding{"disk",
                       fmt::format("{}, and {} of it waits for the disk: the work of the system, "
                                   "which fills its cache, is more.",
                                   numbers, percent(f.cold->waited)),
                       {},
                       grounds};
    return Finding{"disk",
                   fmt::format("{}, and {} of it waits for the disk: the disk limits a first read.",
                               numbers, percent(f.cold->waited)),
                   "More threads will not help then; copy the file to a faster disk, or read it "
                   "once and keep it in memory.",
                   grounds};
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
    if (r.threads < 2 || r.threads > f.processors || r.idle < much_idle) return {};
    // One tile must be long enough to keep the others waiting for so long.
    if (f.longest_tile_s < r.idle * r.wall_s / 2) return {};
    return Finding{
        "idle",
        fmt::format("With {} threads, {} of their time is waiting for the "
                    "last tiles (the slowest takes {} of {}).",
                    r.threads, percent(r.idle), duration(f.longest_tile_s), duration(r.wall_s)),
        f.tiles >= many_tiles * r.threads
            ? std::string()
            : fmt::format("{} tiles are few for {} threads; read several planes or regions "
                          "at once.",
                          f.tiles, r.threads),
        evidence(f, computing(r), r)};
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
                   {},
                   evidence(f, computing(*most), *most)};
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
    if (!best || f.open_s < 0.2 * best->wall_s) return {};
    return Finding{
        "opening",
        fmt::format("Opening takes {} for {} directory entries, as long as {:.3g} "
                    "of these reads.",
                    duration(f.open_s), f.entries, f.open_s / best->wall_s),
        "Open the file once and keep it open between reads.",
        fmt::format("likely: {} and {}; opened once", duration(f.open_s), duration(best->wall_s))};
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

constexpr Rule gates[] = {too_short, starved, unlike};
constexpr Rule timed[] = {decoding, copying, composing, filling, threads,
                          disk,     idle,    inflated,  opening, flat};
// These count tiles and bytes, and need no clock.
constexpr Rule counted[] = {not_cold, amplification, order, hidden};

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

ReadFacts facts_of(ReadTimes const& r) {
    return {.threads = r.threads,
            .wall_s = r.wall_s,
            .cpu_s = r.computed_s(),
            .idle = share(r, step::idle),
            .starved = share(r, step::starved) + lost_between(r),
            .repeats = r.repeats,
            .spread = r.all_wall_s.relative(),
            .steal = r.system.steal};
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
    f.cached = p.disk.cached;
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
    if (p.cold_read) f.cold = {facts_of(*p.cold_read), share(*p.cold_read, step::disk)};
    if (p.reads.empty()) return f;
    // On a busy machine time passes in every step; computing does not.
    ReadTimes const& one = p.reads.front();
    double const all = one.computed_s();
    auto const part = [&](std::string_view s) { return all > 0 ? one.seconds(s) / all : 0; };
    f.decode = part("decode");
    f.copy = part(step::copy);
    f.compose = part(step::compose);
    f.outside = part(step::outside);
    double most = -1;
    for (StepTime const& s : one.steps)
        if (s.name.starts_with("decode ") && s.seconds > most) {
            most = s.seconds;
            f.codec = s.name.substr(7);
        }
    f.bytes_read = static_cast<double>(one.stats.bytes_read);
    f.hidden = one.stats.tiles_hidden;
    for (ReadTimes const& r : p.reads) f.reads.push_back(facts_of(r));
    if (!p.reads.back().slowest.empty()) f.longest_tile_s = p.reads.back().slowest[0].seconds;
    return f;
}

std::optional<Finding> cannot_tell(Facts const& facts) {
    for (Rule const gate : gates)
        if (auto found = gate(facts)) return found;
    return {};
}

std::vector<Finding> findings_of(Facts const& facts) {
    std::vector<Finding> all;
    auto const add = [&](auto const& rules) {
        for (Rule const rule : rules)
            if (auto found = rule(facts)) all.push_back(*std::move(found));
    };
    if (auto nothing = cannot_tell(facts)) {
        all.push_back(*std::move(nothing));
        add(counted);
        for (std::size_t i = 1; i < all.size(); ++i) all[i].advice.clear();
        return all;
    }
    if (!facts.reads.empty()) add(timed);
    add(counted);
    // What limits a first read comes before what limits the others.
    std::stable_partition(all.begin(), all.end(),
                          [](Finding const& f) { return f.rule == "disk" && !f.advice.empty(); });
    return all;
}

}  // namespace sluice::slide
