// Copies of a large array, piece by piece on all threads.
// SPDX-License-Identifier: Apache-2.0
#include "device/copy_bandwidth.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "device/workers.h"
#include "sluice/measured.h"

namespace sluice {
namespace {

// A piece is large beside the handing out of numbers and small beside a cache.
constexpr index piece = index{1} << 20;
constexpr index least = index{1} << 28;

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Two arrays of twice the last cache each, and no more than a gigabyte together: some machines tell
// the cache of one die, others that of all.
index beyond_the_caches() {
    auto const cache = static_cast<index>(::sysconf(_SC_LEVEL3_CACHE_SIZE));
    return std::clamp(2 * cache, least, 2 * least);
}

}  // namespace

std::optional<double> copy_bandwidth(Device const& device, CopyRounds const& how) {
    if (device.remote()) return {};
    auto const clock = how.clock ? how.clock : steady_seconds;
    index const bytes = how.bytes > 0 ? how.bytes : beyond_the_caches();
    std::vector<std::byte> from(static_cast<std::size_t>(bytes), std::byte{1}), to(from.size());
    std::vector<double> rates;
    for (int round = 0; round <= how.rounds; ++round) {
        double const start = clock();
        parallel_for((bytes + piece - 1) / piece, device.threads(), 4, [&](index i, int) {
            index const first = i * piece;
            std::memcpy(to.data() + first, from.data() + first,
                        static_cast<std::size_t>(std::min(piece, bytes - first)));
        });
        double const seconds = clock() - start;
        if (round > 0 && seconds > 0) rates.push_back(2 * static_cast<double>(bytes) / seconds);
    }
    if (rates.empty() || to.back() != std::byte{1}) return {};
    return spread_of(std::move(rates)).median;
}

}  // namespace sluice
