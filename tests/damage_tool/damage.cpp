// Flipped bits, cut ends, sizes that lie, blocks that are repeated, swapped, lost or zeros.
// SPDX-License-Identifier: Apache-2.0
#include "damage_tool/damage.h"

#include <algorithm>
#include <random>

namespace sluice::damage {
namespace {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t end) {
    return random() % std::max<std::uint64_t>(end, 1);
}

// Half of the places lie near the beginning, where headers are.
std::size_t place(Random& random, std::size_t size) {
    std::size_t const head = std::min<std::size_t>(size, 2048);
    return static_cast<std::size_t>(below(random, random() % 2 == 0 ? head : size));
}

std::size_t length(Random& random, std::size_t size) {
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(std::uint64_t{1} << below(random, 13), 1, size));
}

void flip(Random& random, Damaged& d) {
    for (std::uint64_t n = 1 + below(random, 3); n > 0; --n) {
        std::size_t const at = place(random, d.bytes.size());
        d.bytes[at] = static_cast<char>(d.bytes[at] ^ (1 << below(random, 8)));
        d.changed.push_back(at);
    }
}

void lie(Random& random, Damaged& d) {
    constexpr std::uint64_t numbers[] = {
        0,       1,          2,          0x7f,       0xff,       0x100,      0x7fff,     0xffff,
        0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 1ULL << 32, 1ULL << 40, ~0ULL >> 1, ~0ULL};
    std::uint64_t const value = numbers[below(random, std::size(numbers))];
    std::size_t const bytes = std::size_t{1} << below(random, 4);
    bool const big = random() % 4 == 0;
    std::size_t const at = place(random, d.bytes.size()) & ~(bytes - 1);
    for (std::size_t i = 0; i < bytes && at + i < d.bytes.size(); ++i) {
        d.bytes[at + i] = static_cast<char>(value >> 8 * (big ? bytes - 1 - i : i) & 0xff);
        d.changed.push_back(at + i);
    }
}

void swap(Random& random, Damaged& d) {
    std::size_t const n = length(random, d.bytes.size() / 2 + 1);
    std::size_t const last = d.bytes.size() - std::min(n, d.bytes.size());
    auto const a = static_cast<std::size_t>(below(random, last + 1)),
               b = static_cast<std::size_t>(below(random, last + 1));
    for (std::size_t i = 0; i < n && std::max(a, b) + i < d.bytes.size(); ++i) {
        std::swap(d.bytes[a + i], d.bytes[b + i]);
        d.changed.push_back(a + i), d.changed.push_back(b + i);
    }
}

void overwrite(Random& random, Damaged& d, bool zeros) {
    std::size_t const n = length(random, d.bytes.size()), at = place(random, d.bytes.size());
    auto const from = static_cast<std::size_t>(below(random, d.bytes.size() - n + 1));
    std::string const block = zeros ? std::string(n, '\0') : d.bytes.substr(from, n);
    for (std::size_t i = 0; i < n && at + i < d.bytes.size(); ++i) {
        d.bytes[at + i] = block[i];
        d.changed.push_back(at + i);
    }
}

}  // namespace

Damaged damage(std::string const& whole, std::uint64_t number) {
    Random random(number * 0x9e3779b97f4a7c15ULL + 1);
    Damaged d{.bytes = whole, .how = {}};
    if (whole.empty()) return d;
    std::size_t const at = place(random, whole.size()), n = length(random, whole.size() - at);
    switch (number % 8) {
        case 0:
        case 1:
            d.how = "bits flipped";
            flip(random, d);
            break;
        case 2:
            d.how = "cut off";
            d.bytes.resize(static_cast<std::size_t>(below(random, whole.size())));
            break;
        case 3:
            d.how = "a size that lies";
            lie(random, d);
            break;
        case 4:
            d.how = "a block repeated";
            d.bytes.insert(at, whole.substr(at, n));
            break;
        case 5:
            d.how = "blocks swapped";
            swap(random, d);
            break;
        case 6:
            d.how = "a block lost";
            d.bytes.erase(at, n);
            break;
        default:
            d.how = "a block overwritten";
            overwrite(random, d, random() % 2 == 0);
    }
    return d;
}

}  // namespace sluice::damage
