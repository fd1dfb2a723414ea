// Chains of multiplications on threads.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/compute.h"

#include <atomic>

#include "device/workers.h"

namespace sluice::doctor {

std::uint64_t compute(index steps, std::uint64_t seed) {
    constexpr std::uint64_t factor = 6364136223846793005, summand = 1442695040888963407;
    std::uint64_t chains[8];
    for (std::uint64_t k = 0; k < 8; ++k) chains[k] = seed + k;
    for (index i = 0; i < steps; ++i)
        for (std::uint64_t& x : chains) x = (x ^ (x >> 29)) * factor + summand;
    std::uint64_t all = 0;
    for (std::uint64_t const x : chains) all ^= x;
    return all;
}

void compute_on(int threads, index steps) {
    // Small parts, handed out as they are done: a thread that comes late holds nobody up.
    constexpr index parts = 16;
    std::atomic<std::uint64_t> all = 0;
    parallel_for(threads * parts, threads, 1, [&](index i, int) {
        all ^= compute(steps / parts, static_cast<std::uint64_t>(i));
    });
    // Nobody needs the result, and without it nothing would be computed.
    static std::atomic<std::uint64_t> seen;
    seen = all.load();
}

}  // namespace sluice::doctor
