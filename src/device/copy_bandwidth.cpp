// Copies and sums of large arrays, piece by piece on all threads.
// SPDX-License-Identifier: Apache-2.0
#include "device/copy_bandwidth.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
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

// All of them, so that no read is left out; eight sums do not wait for each other.
std::uint64_t sum_of(std::byte const* from, index bytes) {
    std::uint64_t sums[8] = {}, words[8];
    for (index i = 0; i + index{sizeof words} <= bytes; i += index{sizeof words}) {
        std::memcpy(words, from + i, sizeof words);
        for (int k = 0; k < 8; ++k) sums[k] ^= words[k];
    }
    std::uint64_t all = 0;
    for (std::uint64_t const sum : sums) all ^= sum;
    return all;
}

// Bytes a second of the rounds after the first, each of which touches so many.
std::vector<double> rates_of(CopyRounds const& how, double touched,
                             std::function<void()> const& round) {
    auto const clock = how.clock ? how.clock : steady_seconds;
    std::vector<double> rates;
    for (int i = 0; i <= how.rounds; ++i) {
        double const start = clock();
        round();
        double const seconds = clock() - start;
        if (i > 0 && seconds > 0) rates.push_back(touched / seconds);
    }
    return rates;
}

index bytes_of(CopyRounds const& how) {
    return how.bytes > 0 ? how.bytes : beyond_the_caches();
}

// work(first, bytes) of every piece, on all threads.
template <class Work>
void for_pieces(index bytes, Device const& device, Work const& work) {
    parallel_for((bytes + piece - 1) / piece, device.threads(), 4,
                 [&](index i, int) { work(i * piece, std::min(piece, bytes - i * piece)); });
}

}  // namespace

std::vector<double> copy_rates(Device const& device, CopyRounds const& how) {
    if (device.remote()) return {};
    index const bytes = bytes_of(how);
    std::vector<std::byte> from(static_cast<std::size_t>(bytes), std::byte{1}), to(from.size());
    auto rates = rates_of(how, 2 * static_cast<double>(bytes), [&] {
        for_pieces(bytes, device, [&](index first, index n) {
            std::memcpy(to.data() + first, from.data() + first, static_cast<std::size_t>(n));
        });
    });
    if (to.back() != std::byte{1}) return {};
    return rates;
}

std::vector<double> read_rates(Device const& device, CopyRounds const& how) {
    if (device.remote()) return {};
    index const bytes = bytes_of(how);
    std::vector<std::byte> from(static_cast<std::size_t>(bytes), std::byte{1});
    std::atomic<std::uint64_t> all = 0;
    auto rates = rates_of(how, static_cast<double>(bytes), [&] {
        for_pieces(bytes, device,
                   [&](index first, index n) { all ^= sum_of(from.data() + first, n); });
    });
    // Nobody needs the sum, and without it nothing would be read.
    static std::atomic<std::uint64_t> seen;
    seen = all.load();
    return rates;
}

std::optional<double> copy_bandwidth(Device const& device, CopyRounds const& how) {
    auto rates = copy_rates(device, how);
    if (rates.empty()) return {};
    return spread_of(std::move(rates)).median;
}

}  // namespace sluice
