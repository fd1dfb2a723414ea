// Sums of pixels over chosen frames of a unit of lines, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/parts.h"
#if defined(__AVX512VPOPCNTDQ__)
#include "kernel/lines/row_counts_avx512.h"
#else
#include "kernel/lines/row_counts_generic.h"
#endif

namespace sluice::lines::SLUICE_ISA {

using planes::block_edge;

void add_frames(Unit unit, std::uint64_t const* chosen, std::uint64_t* sums) {
    RowCounts const counts(chosen);
    for (index block = 0; block < unit.grid.blocks(); ++block) {
        Head const& head = unit.head(block);
        std::uint64_t const* line = unit.lines(head);
        for (int p = 0; p < head.planes; ++p) {
            std::uint64_t* to = sums + 64 * block;
            std::uint64_t map = unit.map(head, p);
            for (; map != 0; map >>= block_edge, to += block_edge)
                line = counts.add(static_cast<std::uint8_t>(map), line, p, to);
        }
    }
}

}  // namespace sluice::lines::SLUICE_ISA
