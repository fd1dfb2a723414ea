// Reads a sample of a scan and finds its disks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/sample.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "base/with_type.h"
#include "device/per_worker.h"
#include "device/workers.h"
#include "domain/crystal/detect/collect.h"
#include "domain/crystal/memory.h"
#include "sluice/scan_values.h"
#include "store/plan.h"

namespace sluice::crystal {
namespace {

constexpr index most_frames = 256;
constexpr index most_numbers = index{32} << 20;  // 128 MB of floats

index most_of(index pixels) {
    return std::clamp<index>(most_numbers / pixels, 1, most_frames);
}

std::vector<index> spread(store::Plan const& plan) {
    std::vector<index> measured;
    for (index f = 0; f < plan.frames(); ++f)
        if (plan.lost.empty() || !plan.lost[static_cast<std::size_t>(f)]) measured.push_back(f);
    index const have = std::ssize(measured);
    index const most = most_of(plan.pixels());
    if (have <= most) return measured;
    std::vector<index> frames;
    // One of each of equal parts, elsewhere in each: where a scan's row is a multiple of a part,
    // equal steps would stay in one column. Multiples of the golden ratio fill any interval evenly.
    for (index i = 0; i < most; ++i) {
        double const turns = (static_cast<double>(i) + 0.5) * std::numbers::phi;
        double const at = static_cast<double>(i) + turns - std::floor(turns);
        frames.push_back(measured[static_cast<std::size_t>(at * static_cast<double>(have) /
                                                           static_cast<double>(most))]);
    }
    return frames;
}

}  // namespace

Result<Sample> read_sample(Scan const& scan, stem4d::Options const& run) {
    SLUICE_CHECK(stem4d::refuse_references(run.references, "disks and their templates are"));
    store::Plan const& plan = scan.plan();
    Sample sample{spread(plan), {}, {plan.rows, plan.cols}};
    if (sample.frames.empty())
        return Error{Code::incomplete,
                     "the scan has no frame that was measured (its files hold none) check that all "
                     "files of the acquisition are there",
                     scan.dataset().path};
    index const numbers = std::ssize(sample.frames) * plan.pixels();
    SLUICE_CHECK(check_memory(sample_bytes(plan.frames(), plan.pixels(), size_of(plan.dtype)),
                              "samples of patterns"));
    std::vector<std::byte> bytes(static_cast<std::size_t>(numbers * size_of(plan.dtype)));
    // Its count would not be that of the pass that comes after it, but a no ends both.
    Progress const asked = [&](auto, auto total) {
        return !run.progress || run.progress(0, total);
    };
    SLUICE_CHECK(read_frames(scan, sample.frames, {0, 0, plan.rows, plan.cols}, bytes, asked));
    sample.counts.resize(static_cast<std::size_t>(numbers));
    with_detector_type(plan.dtype, [&]<class T>(T) {
        for (std::size_t i = 0; i < sample.counts.size(); ++i) {
            T value;
            std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
            sample.counts[i] = static_cast<float>(value);
        }
    });
    return sample;
}

std::uint64_t sample_bytes(index frames, index pixels, index value_bytes) {
    index const numbers = std::min(frames, most_of(pixels)) * pixels;
    return static_cast<std::uint64_t>(numbers) *
           (sizeof(float) + static_cast<std::uint64_t>(value_bytes));
}

std::vector<std::uint8_t> weightless(Scan const& scan) {
    store::Plan const& plan = scan.plan();
    std::vector<std::uint8_t> bad = scan.bad_pixels();
    if (plan.valid.empty() || plan.mode != BinMode::sum) return bad;
    std::uint32_t const whole = *std::ranges::max_element(plan.valid);
    bad.resize(plan.valid.size());
    for (std::size_t i = 0; i < bad.size(); ++i) bad[i] |= plan.valid[i] < whole;
    return bad;
}

Result<std::vector<FoundPattern>> find_in(Sample const& sample, FinderSetup const& setup,
                                          Device const& device) {
    SLUICE_TRY(Finder const finder, Finder::make(setup, device));
    index const count = std::ssize(sample.frames);
    std::vector<FoundPattern> found(sample.frames.size());
    PerWorker<std::unique_ptr<Finder::Room>> rooms(device.threads());
    parallel_for((count + 1) / 2, device.threads(), 1, [&](index pair, int worker) {
        auto& room = rooms[worker];
        if (!room) room = std::make_unique<Finder::Room>(finder);
        index const n = std::min<index>(2, count - 2 * pair);
        for (index i = 0; i < n; ++i)
            finder.put(*room, static_cast<int>(i), sample.pattern(2 * pair + i));
        finder.find(*room, std::span(found).subspan(static_cast<std::size_t>(2 * pair),
                                                    static_cast<std::size_t>(n)));
    });
    return found;
}

stem4d::BraggVectors columns_of(Scan const& scan, std::span<FoundPattern const> found) {
    store::Plan const& plan = scan.plan();
    return collect(found, {1, std::ssize(found)}, {plan.stored.rows, plan.stored.cols},
                   stem4d::pixel_grid(scan));
}

}  // namespace sluice::crystal
