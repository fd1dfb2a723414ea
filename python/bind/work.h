// work(): a call that reads or computes, without the GIL, with progress and Ctrl-C.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

#include "bind/errors.h"
#include "sluice/progress.h"

namespace sluice::python {

/// The only thread that handles signals.
bool on_main_thread();

/// While it lives on Python's main thread, Ctrl-C raises a flag, too, that other threads see.
class Interrupts {
  public:
    Interrupts();
    ~Interrupts();
    Interrupts(Interrupts const&) = delete;

    static bool happened();

  private:
    bool installed_ = false;
};

/// What the library's progress goes to: a callable of Python, or None.
class Telling {
  public:
    explicit Telling(nb::handle callable) : callable_(callable), on_main_(on_main_thread()) {}

    /// For the library. Any thread may call it; `callable` hears of it every 50 ms and at the end.
    Progress progress();
    /// For work that only asks whether it has to stop.
    bool wanted();
    /// For work whose progress is the name of what it does; the callable hears each name once.
    bool step(std::string_view name);
    /// Raises what the callable raised. Needs the GIL.
    void rethrow();

  private:
    bool tell(std::uint64_t done, std::uint64_t total);
    template <class... Words>
    bool call(Words const&... words);

    nb::handle callable_;
    bool on_main_;  ///< the call was made there
    std::atomic<bool> stopped_ = false;
    std::mutex mutex_;
    std::chrono::steady_clock::time_point last_ = {};
    std::string last_step_ = {};
    std::exception_ptr raised_ = {};
};

/// Calls f(Telling&), which returns a Result and touches nothing of Python, without the GIL.
/// Ctrl-C and an exception of the callable stop it, and are raised; a callable that returns False
/// stops it with Cancelled.
template <class F>
auto work(nb::handle progress, F&& f) {
    Telling telling(progress);
    using Out = std::invoke_result_t<F, Telling&>;
    Out out = [&]() -> Out {
        Interrupts const interrupts;
        nb::gil_scoped_release const off;
        return f(telling);
    }();
    telling.rethrow();
    // A handler that raises nothing wanted the work to go on; it has ended by then, and says so.
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return unwrap(std::move(out));
}

}  // namespace sluice::python
