// Shares of the time and of the computing, out of the seconds of each step.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/facts.h"

#include <algorithm>

#include "domain/slide/profile/sums.h"

namespace sluice::slide {
namespace {

double share(ReadTimes const& r, std::string_view step) {
    double const all = r.wall_s * r.threads;
    return all > 0 ? r.seconds(step) / all : 0;
}

// The program computes nothing between two steps: long gaps are time of other programs.
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

ReadFacts const* fastest(Facts const& f) {
    auto const best = std::min_element(
        f.reads.begin(), f.reads.end(),
        [](ReadFacts const& a, ReadFacts const& b) { return a.wall_s < b.wall_s; });
    return best == f.reads.end() || best->wall_s <= 0 ? nullptr : &*best;
}

int best_threads(std::vector<ReadFacts> const& reads) {
    double best = 0;
    for (ReadFacts const& r : reads) best = best > 0 ? std::min(best, r.wall_s) : r.wall_s;
    // So little is not worth a thread.
    constexpr double small_gain = 1.1;
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

}  // namespace sluice::slide
