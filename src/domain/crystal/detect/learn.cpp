// Points and background by the fits of a sample.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "device/per_worker.h"
#include "device/workers.h"
#include "domain/crystal/detect/background.h"
#include "domain/crystal/detect/scan_setup.h"

namespace sluice::crystal {
namespace {

constexpr int rounds = 12, rounds_of_points = 3;
constexpr index most_patterns = 32;
constexpr double settled = 0.002;  // of the background, from round to round

index step_of(Sample const& sample) {
    return std::max<index>(1, std::ssize(sample.frames) / most_patterns);
}

// work(room, i, n) for the i-th of every `step`-th pattern, the n-th, which is in the room.
template <class Work>
void each_pattern(Sample const& sample, index step, Finder const& finder, Device const& device,
                  Work const& work) {
    PerWorker<std::unique_ptr<Finder::Room>> rooms(device.threads());
    index const count = (std::ssize(sample.frames) + step - 1) / step;
    parallel_for(count, device.threads(), 1, [&](index i, int worker) {
        auto& room = rooms[worker];
        if (!room) room = std::make_unique<Finder::Room>(finder);
        index const n = i * step;
        finder.put(*room, 0, sample.pattern(n), sample.frames[static_cast<std::size_t>(n)]);
        work(*room, static_cast<std::size_t>(i));
    });
}

// By how much a background has changed, of its own mean.
double change(Array<double> const& from, Array<double> const& to) {
    if (from.shape != to.shape) return 1;
    double differences = 0, sum = 0;
    for (std::size_t i = 0; i < to.values.size(); ++i) {
        differences += std::abs(from.values[i] - to.values[i]);
        sum += to.values[i];
    }
    return differences / sum;
}

}  // namespace

Result<std::vector<Finder::Match>> matches_in(Sample const& sample, index step,
                                              FinderSetup const& setup, Device const& device) {
    SLUICE_TRY(Finder const finder, Finder::make(setup, device));
    std::vector<Finder::Match> out(
        static_cast<std::size_t>((std::ssize(sample.frames) + step - 1) / step));
    each_pattern(sample, step, finder, device,
                 [&](Finder::Room& room, std::size_t i) { out[i] = finder.match(room, 0); });
    return out;
}

std::vector<std::array<int, 2>> points_of(std::span<Finder::Match const> matches) {
    struct Sums {
        double snr = 0, most = 0;
        index count = 0;
    };
    std::map<std::array<int, 2>, Sums> all;
    for (Finder::Match const& m : matches)
        for (auto const& p : m.points) {
            Sums& s = all[{p.h, p.k}];
            s.snr += p.snr, s.most = std::max(s.most, p.snr), ++s.count;
        }
    std::vector<std::pair<double, std::array<int, 2>>> sorted;
    for (auto const& [point, s] : all) {
        auto const n = static_cast<double>(s.count);
        // Heights that must be positive are half a standard deviation in the mean where nothing is.
        if (s.snr / n > 0.8 + 3 / std::sqrt(n) || s.most > 7)
            sorted.emplace_back(-s.snr / n, point);
    }
    std::ranges::sort(sorted);
    std::vector<std::array<int, 2>> points;
    for (auto const& [less, point] : sorted) points.push_back(point);
    return points;
}

Status learn_background(Scan const& scan, stem4d::DiskSetup& setup, Sample const& sample,
                        std::span<std::uint8_t const> bad, stem4d::Options const& run) {
    Device const device = run.device.host();
    index const step = step_of(sample);
    // All pixels are seen: the windows may be narrower than between disks.
    double const sigma = std::max(4.0, 0.6 * setup.probe.radius);
    int round = 0;
    for (double moved = 1; round < rounds && moved > settled; ++round) {
        if (round > 0 && round % rounds_of_points == 0) {
            setup.lattice->points = {};
            SLUICE_TRY(FinderSetup const all, setup_for(scan, setup, bad));
            SLUICE_TRY(auto const matches, matches_in(sample, step, all, device));
            setup.lattice->points = points_of(matches);
        }
        SLUICE_TRY(FinderSetup const own, setup_for(scan, setup, bad));
        SLUICE_TRY(Finder const finder, Finder::make(own, device));
        std::vector<std::vector<float>> rests(
            static_cast<std::size_t>((std::ssize(sample.frames) + step - 1) / step));
        each_pattern(sample, step, finder, device,
                     [&](Finder::Room& room, std::size_t i) { rests[i] = finder.rest(room, 0); });
        BetweenDisks between(sample.shape);
        for (auto const& rest : rests)
            if (!rest.empty()) between.add_rest(rest, bad);
        Array<double> shape = between.smooth(sigma);
        if (shape.size() == 0) break;
        moved = change(setup.background, shape);
        setup.background = std::move(shape);
    }
    setup.why.push_back(
        fmt::format("The background's shape is what the fits of {} patterns leave, in {} rounds.",
                    (std::ssize(sample.frames) + step - 1) / step, round));
    return {};
}

}  // namespace sluice::crystal
