// work(): a call that reads or computes, without the GIL, with progress and Ctrl-C.
// SPDX-License-Identifier: Apache-2.0
#include "bind/work.h"

#include <nanobind/stl/string.h>

#include <csignal>

namespace sluice::python {
namespace {

std::atomic<bool> interrupted = false;
struct sigaction before = {};

// Python's own handler only marks that something happened; its main thread is in our call then.
void on_interrupt(int number, siginfo_t* info, void* context) {
    interrupted.store(true, std::memory_order_relaxed);
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
    else
        before.sa_handler(number);
}

bool handled(struct sigaction const& action) {
    return (action.sa_flags & SA_SIGINFO) != 0 ||
           (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

}  // namespace

bool on_main_thread() {
    static thread_local bool const main = [] {
        nb::module_ const threading = nb::module_::import_("threading");
        return nb::cast<std::uint64_t>(threading.attr("get_ident")()) ==
               nb::cast<std::uint64_t>(threading.attr("main_thread")().attr("ident"));
    }();
    return main;
}

Interrupts::Interrupts() {
    if (!on_main_thread()) return;
    interrupted = false;
    struct sigaction ours = {};
    ours.sa_sigaction = on_interrupt;
    sigemptyset(&ours.sa_mask);
    struct sigaction there = {};
    if (sigaction(SIGINT, nullptr, &there) != 0 || !handled(there)) return;
    // A callback of the outer call made this one: the outer one has it in hand.
    if ((there.sa_flags & SA_SIGINFO) != 0 && there.sa_sigaction == on_interrupt) return;
    before = there;
    ours.sa_flags = SA_SIGINFO | (there.sa_flags & (SA_ONSTACK | SA_RESTART));
    installed_ = sigaction(SIGINT, &ours, nullptr) == 0;
}

Interrupts::~Interrupts() {
    if (installed_) sigaction(SIGINT, &before, nullptr);
}

bool Interrupts::happened() {
    return interrupted.load(std::memory_order_relaxed);
}

Progress Telling::progress() {
    return [this](std::uint64_t done, std::uint64_t total) { return tell(done, total); };
}

bool Telling::wanted() {
    return !stopped_ && !(on_main_ && Interrupts::happened());
}

bool Telling::tell(std::uint64_t done, std::uint64_t total) {
    if (!wanted()) return false;
    if (callable_.is_none()) return true;
    auto const now = std::chrono::steady_clock::now();
    {
        std::lock_guard const lock(mutex_);
        if (done < total && now - last_ < std::chrono::milliseconds(50)) return true;
        last_ = now;
    }
    return call(done, total);
}

bool Telling::step(std::string_view name) {
    if (!wanted()) return false;
    if (callable_.is_none() || name == last_step_) return true;
    last_step_ = name;
    return call(last_step_);
}

template <class... Words>
bool Telling::call(Words const&... words) {
    nb::gil_scoped_acquire const on;
    try {
        nb::object const answer = callable_(words...);
        if (answer.is(nb::bool_(false))) stopped_ = true;
    } catch (...) {
        raised_ = std::current_exception();
        stopped_ = true;
    }
    return !stopped_;
}

void Telling::rethrow() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

}  // namespace sluice::python
