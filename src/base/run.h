// Run: what all threads of one piece of work share: whether it goes on, its count, its first error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "sluice/progress.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice {

/// The error of work that its caller stopped. `left` says what there is of it now, and what the
/// caller can do: "nothing was written".
Error cancelled(std::string_view left = {}, std::string file = {});

/// Work on one thread tells how far it is. Error: cancelled(left, file), where the answer is no.
Status tell_progress(Progress const& progress, std::uint64_t done, std::uint64_t all,
                     std::string_view left = {}, std::string const& file = {});

/// Threads look at it between pieces of work, count in it, and one at a time reports. After an
/// error, or a no of the caller, the pieces that are left are skipped: what they would have written
/// means nothing, and status() says why.
class Run {
  public:
    /// Hears how many items are done, by one thread at a time; its no stops the run.
    using Told = std::function<bool(index done)>;

    /// Without `told` nobody stops it. `left` is that of cancelled().
    explicit Run(Told told = {}, std::string left = {})
        : told_(std::move(told)), left_(std::move(left)) {}
    /// Reports to `progress`, which may be empty and outlives the run, how many of `all` are done.
    Run(Progress const& progress, index all, std::string left = {});

    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    /// Asks the caller, unless another thread is just asking; whether the run goes on.
    bool wanted();
    /// Counts items as done, and reports them unless another thread is just reporting.
    void done(index items = 1);
    /// Reports what was not reported yet.
    void report();
    /// Ends the run. Of several errors the one with the lowest number counts, then the first.
    void fail(Error error, index number = 0);
    /// Ends the run without an error.
    void end() { stop_ = true; }
    Status status();
    /// Asks once more: status().
    Status check();

  private:
    void tell();

    Told told_;
    std::string left_;
    std::atomic<bool> stop_ = false;
    std::atomic<index> done_ = 0;
    std::mutex mutex_;
    Status status_;     ///< under mutex_, as are those below
    index number_ = 0;  ///< of the error
    index reported_ = 0;
};

}  // namespace sluice
