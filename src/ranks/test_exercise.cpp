// Calls everything, with arrays of no numbers, of few, and of more than one piece.
// SPDX-License-Identifier: Apache-2.0
#include "ranks/test_exercise.h"

#include <vector>

#include "base/splitmix.h"

namespace sluice {

namespace {

// A number that only the rank and the place decide, with all bits in use.
template <class T>
T number(int rank, std::size_t i) {
    auto const bits = splitmix::mix(static_cast<std::uint64_t>(rank + 1) * 1000003 + i);
    constexpr double sizes[] = {1, 1e-3, 1e3, 1e6};
    return static_cast<T>((static_cast<double>(bits >> 11) * 0x1p-53 - 0.5) * sizes[bits % 4]);
}

template <class T>
bool sums_in_order(Communicator& ranks, std::size_t n) {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = number<T>(ranks.rank(), i);
    ranks.all_reduce_sum(std::span(values));
    for (std::size_t i = 0; i < n; ++i) {
        T sum = number<T>(0, i);
        for (int r = 1; r < ranks.ranks(); ++r) sum += number<T>(r, i);
        if (values[i] != sum) return false;
    }
    return true;
}

bool broadcasts(Communicator& ranks, int from, std::size_t n) {
    std::vector<std::byte> bytes(n);
    auto const expected = [&](std::size_t i) {
        return static_cast<std::byte>(number<double>(from, i) > 0);
    };
    if (ranks.rank() == from)
        for (std::size_t i = 0; i < n; ++i) bytes[i] = expected(i);
    ranks.broadcast(bytes, from);
    for (std::size_t i = 0; i < n; ++i)
        if (bytes[i] != expected(i)) return false;
    return true;
}

bool agrees(Communicator& ranks) {
    if (!ranks.agree({})) return false;
    // The lowest of those that fail.
    int const failing = ranks.ranks() > 1 ? 1 : 0;
    Status mine;
    if (ranks.rank() >= failing)
        mine = Error{Code::truncated, "problem of " + std::to_string(ranks.rank()), "a file", 77};
    Status const all = ranks.agree(mine);
    return !all && all.error().code == Code::truncated && all.error().file == "a file" &&
           all.error().at == 77u && all.error().message == "problem of " + std::to_string(failing);
}

}  // namespace

std::string exercise(Communicator& ranks) {
    for (std::size_t n : {0u, 1u, 2u, 5u, 1000u, 1100001u}) {
        if (!sums_in_order<float>(ranks, n)) return "floats are not summed";
        if (!sums_in_order<double>(ranks, n)) return "doubles are not summed";
    }
    for (int from = 0; from < ranks.ranks(); ++from)
        for (std::size_t n : {0u, 1u, 999u, 4300000u})
            if (!broadcasts(ranks, from, n)) return "bytes do not arrive";
    int const mine = 10 * ranks.rank();
    std::vector<int> all(static_cast<std::size_t>(ranks.ranks()));
    ranks.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    for (int r = 0; r < ranks.ranks(); ++r)
        if (all[static_cast<std::size_t>(r)] != 10 * r) return "not all are gathered";
    ranks.barrier();
    return agrees(ranks) ? "" : "errors are not those of all";
}

}  // namespace sluice
