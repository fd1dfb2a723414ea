// The handler of SIGBUS, and the mappings that it knows.
// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

namespace sluice {

// Written by threads, read by the handler: no lock, and nothing is ever freed.
struct MappedGuard {
    std::atomic<bool> taken = false, broken = false;
    std::atomic<std::uintptr_t> begin = 0, end = 0;
};

namespace {

constexpr std::size_t most = 512;
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);
MappedGuard guards[most];
struct sigaction before;
std::uintptr_t page = 4096;

MappedGuard* guard_of(std::uintptr_t at) {
    for (MappedGuard& g : guards)
        if (at >= g.begin && at < g.end) return &g;
    return nullptr;
}

// A fault that is not ours is handled as it would be without us.
void hand_on(int number, siginfo_t* info, void* context) {
    if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction)
        return before.sa_sigaction(number, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        return before.sa_handler(number);
    ::signal(SIGBUS, SIG_DFL);  // the instruction faults again, and ends the program
}

// mmap() is a plain system call on Linux, and so may be called here.
void on_bus_error(int number, siginfo_t* info, void* context) {
    auto const at = reinterpret_cast<std::uintptr_t>(info->si_addr) / page * page;
    MappedGuard* const g = guard_of(at);
    if (!g) return hand_on(number, info, context);
    g->broken = true;
    // All that follows is gone, too: one fault per file instead of one per page.
    std::uintptr_t const end = (g->end + page - 1) / page * page;
    void* const zeros = ::mmap(reinterpret_cast<void*>(at), end - at, PROT_READ,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) hand_on(number, info, context);
}

void set_handler() {
    page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &before);
}

}  // namespace

MappedGuard* guard(Bytes mapped) {
    static std::once_flag once;
    std::call_once(once, set_handler);
    for (MappedGuard& g : guards) {
        bool free = false;
        if (!g.taken.compare_exchange_strong(free, true)) continue;
        auto const begin = reinterpret_cast<std::uintptr_t>(mapped.data());
        g.broken = false;
        g.begin = begin;
        g.end = begin + mapped.size();
        return &g;
    }
    return nullptr;
}

void unguard(MappedGuard* guard) {
    if (!guard) return;
    guard->end = 0;
    guard->begin = 0;
    guard->taken = false;
}

bool is_broken(MappedGuard const* guard) {
    return guard && guard->broken;
}

}  // namespace sluice
