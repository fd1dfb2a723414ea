// Groups by a shuffle that is the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/groups.h"

#include <numeric>

#include "base/splitmix.h"

namespace sluice::ptycho {

std::vector<std::vector<index>> random_groups(index patterns, index size, std::uint64_t seed,
                                              index round) {
    std::vector<index> order(static_cast<std::size_t>(patterns));
    std::iota(order.begin(), order.end(), index{0});
    std::uint64_t counter = splitmix::mix(seed) + splitmix::mix(static_cast<std::uint64_t>(round));
    for (std::size_t left = order.size(); left > 1; --left) {
        counter += splitmix::golden;
        // Of 2^64 numbers some remainders have one more; that is not seen in any count of patterns.
        std::swap(order[left - 1], order[splitmix::mix(counter) % left]);
    }
    index const groups = (patterns + size - 1) / size;
    std::vector<std::vector<index>> found(static_cast<std::size_t>(groups));
    for (index g = 0; g < groups; ++g) {
        auto const begin = order.begin() + g * patterns / groups;
        auto const end = order.begin() + (g + 1) * patterns / groups;
        found[static_cast<std::size_t>(g)].assign(begin, end);
    }
    return found;
}

}  // namespace sluice::ptycho
