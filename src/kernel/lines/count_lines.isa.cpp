// Counts a mask on lines by carry-save adders, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/add_squares.h"
#include "kernel/lines/digits.h"
#include "kernel/lines/parts.h"

namespace sluice::lines::SLUICE_ISA {

void count_mask(std::span<Unit const> units, LineMask const& mask,
                std::uint64_t (*out)[unit_frames]) {
    Gathering gathering(units, mask);
    Digits digits[2];  // of what is added, and of what is taken away
    List lists[2];
    int now = 0;
    if (!gathering.next(lists[now])) lists[now].count = 0;
    for (std::size_t u = 0; u < units.size(); ++u) {
        while (lists[now].count > 0 && lists[now].unit == u) {
            if (!gathering.next(lists[1 - now])) lists[1 - now].count = 0;
            digits[lists[now].minus].add(lists[now], lists[1 - now]);
            now = 1 - now;
        }
        if (units[u].wide()) {
            count_plainly(units[u], mask, out[u]);
        } else {
            alignas(64) std::uint32_t sums[unit_frames] = {};
            add_squares(units[u], mask.squares, sums);
            for (int minus = 0; minus < 2; ++minus) digits[minus].expand(minus != 0, sums);
            for (index f = 0; f < unit_frames; ++f) out[u][f] = sums[f];
        }
        for (Digits& of_sign : digits) of_sign.clear();
    }
}

}  // namespace sluice::lines::SLUICE_ISA
