// Shares, times and counts as text.
// SPDX-License-Identifier: Apache-2.0
#include "bench/words.h"

#include <fmt/format.h>

namespace sluice::bench {

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string duration(double s) {
    return s >= 1 ? fmt::format("{:.3g} s", s) : fmt::format("{:.3g} ms", 1e3 * s);
}

std::string count(int threads) {
    return threads == 1 ? "one thread" : fmt::format("{} threads", threads);
}

}  // namespace sluice::bench
