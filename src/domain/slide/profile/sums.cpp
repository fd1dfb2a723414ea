// Where the workers' time went.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sluice::slide {
namespace {

constexpr std::size_t slowest_kept = 10;
constexpr std::uint64_t least_from_disk = std::uint64_t{1} << 20;

double seconds(std::int64_t ns) {
    return static_cast<double>(ns) * 1e-9;
}

// What one span adds to: computing and waiting are steps of their own.
struct Parts {
    std::string busy, waiting;
};

Parts parts_of(Span const& s, bool mapped, bool disk,
               std::function<std::string(std::int32_t)> const& codec_of) {
    std::string_view const waits = mapped && disk ? step::disk : step::starved;
    switch (s.phase) {
        case Phase::locate:
        case Phase::read:
            return {std::string(step::copy), std::string(disk ? step::disk : step::starved)};
        case Phase::decode:
            return {fmt::format("decode {}", codec_of(s.item)), std::string(waits)};
        case Phase::compose:
            return {std::string(step::compose), std::string(waits)};
        default:
            return {std::string(step::plan), std::string(step::plan)};
    }
}

struct Worker {
    std::int64_t first = 0, last = 0, busy = 0;
    bool seen = false;
};

int rank_of(std::string_view name) {
    constexpr std::string_view order[] = {step::plan,    step::disk,    step::copy,
                                          "decode",      step::compose, step::outside,
                                          step::starved, step::other,   step::idle};
    for (int i = 0; i < static_cast<int>(std::size(order)); ++i)
        if (name.starts_with(order[i])) return i;
    return static_cast<int>(std::size(order));
}

}  // namespace

double ReadTimes::seconds(std::string_view step) const {
    double sum = 0;
    for (StepTime const& s : steps)
        if (s.name.starts_with(step)) sum += s.seconds;
    return sum;
}

void sum_up(ReadTimes& times, std::int64_t begin_ns, std::int64_t end_ns, bool mapped,
            std::function<std::string(std::int32_t tile)> const& codec_of) {
    std::map<std::string, std::map<std::int32_t, double>> steps;
    std::map<std::int32_t, TileTime> tiles;
    std::vector<Worker> workers(static_cast<std::size_t>(times.threads));
    std::int64_t cpu = 0;
    // Pages of the program itself are read from the disk, too.
    bool const disk = times.cold || times.system.disk_bytes >= least_from_disk ||
                      (mapped && times.system.major_faults > 0);
    for (Span const& s : times.spans) {
        std::int64_t const wall = s.end_ns - s.begin_ns;
        // The clocks of time and of computing are read one after the other.
        std::int64_t const busy = std::clamp<std::int64_t>(s.cpu_ns, 0, wall);
        Parts const parts = parts_of(s, mapped, disk, codec_of);
        steps[parts.busy][s.item] += seconds(busy);
        steps[parts.waiting][s.item] += seconds(wall - busy);
        cpu += busy;
        Worker& w = workers[static_cast<std::size_t>(s.worker)];
        w.first = w.seen ? std::min(w.first, s.begin_ns) : s.begin_ns;
        w.last = w.seen ? std::max(w.last, s.end_ns) : s.end_ns;
        w.busy += wall;
        w.seen = true;
        if (s.item < 0) continue;
        TileTime& t = tiles[s.item];
        t.tile = s.item;
        t.seconds += seconds(wall);
        (s.phase == Phase::decode ? t.decode_s : t.wait_s) +=
            seconds(s.phase == Phase::decode ? busy : wall - busy);
    }
    times.wall_s = seconds(end_ns - begin_ns);
    times.cpu_s = seconds(cpu);
    double idle = 0, other = 0;
    for (Worker const& w : workers) {
        idle += seconds(end_ns - begin_ns - (w.last - w.first));
        other += seconds(w.last - w.first - w.busy);
    }
    // A worker that computes outside of all steps is neither idle nor between two of them.
    double const outside =
        std::clamp(times.system.cpu_s - times.cpu_s, 0.0, std::max(0.0, idle + other));
    double const from_idle = std::min(idle, outside);
    idle -= from_idle;
    other -= outside - from_idle;
    if (outside > 0) steps[std::string(step::outside)][-1] = outside;
    steps[std::string(step::idle)][-1] = idle;
    steps[std::string(step::other)][-1] = other;
    times.steps.clear();
    for (auto const& [name, by_tile] : steps) {
        StepTime s{name, 0, 0, {}};
        std::vector<double> each;
        for (auto const& [tile, t] : by_tile) {
            s.seconds += t;
            if (tile >= 0) each.push_back(t);
        }
        s.tiles = std::ssize(each);
        s.tile_s = spread_of(std::move(each));
        times.steps.push_back(std::move(s));
    }
    std::stable_sort(
        times.steps.begin(), times.steps.end(),
        [](StepTime const& a, StepTime const& b) { return rank_of(a.name) < rank_of(b.name); });
    times.slowest.clear();
    for (auto const& [number, t] : tiles) times.slowest.push_back(t);
    std::stable_sort(times.slowest.begin(), times.slowest.end(),
                     [](TileTime const& a, TileTime const& b) { return a.seconds > b.seconds; });
    times.slowest.resize(std::min(times.slowest.size(), slowest_kept));
}

}  // namespace sluice::slide
