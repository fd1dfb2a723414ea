// Orders counts once, so that no step has to.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/counts.h"

#include "device/workers.h"

namespace sluice::ptycho {

void order_for_passes(Measured& measured, int threads) {
    index const side = measured.patterns.size, pixels = side * side;
    std::visit(
        [&](auto& counts) {
            using T = typename std::decay_t<decltype(counts)>::value_type;
            parallel_for(measured.patterns.held(), threads, 4, [&](index j, int) {
                T* const pattern = counts.data() + j * pixels;
                std::vector<T> const rows(pattern, pattern + pixels);
                for (index i = 0; i < pixels; ++i)
                    pattern[i] = rows[static_cast<std::size_t>(fft::natural_place(side, i))];
            });
        },
        measured.patterns.counts);
    measured.in_order_of_passes = true;
}

}  // namespace sluice::ptycho
