// Which instruction set's stores go past the caches, and the fence behind them.
// SPDX-License-Identifier: Apache-2.0
#include "device/past_caches.h"

#include <atomic>

#include "device/per_isa.h"

namespace sluice {

SLUICE_PER_ISA(PastCaches, past_caches)

void past_caches_done() {
    // On x86 that is a locked instruction, which empties the write-combining buffers.
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace sluice
