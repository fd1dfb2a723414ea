// JobMonitor: the page that watches a reconstruction at work, served beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "app/cli/shell/verb.h"
#include "sluice/ptychography.h"

namespace sluice::cli {

struct MonitorOptions {
    static constexpr char const* none = "none";
    std::string port = none;  ///< as it was given; empty: 8800, or the next that is free
    bool stay = false;        ///< after the end until Ctrl-C

    void add(Verb const& app);
};

/// Serves on a thread of its own as long as it lives; at its end it lets pages hear the last.
class JobMonitor {
  public:
    /// Prints the address on stderr. Without a wish for a monitor all that follows does nothing.
    static Result<JobMonitor> start(MonitorOptions const& options);
    JobMonitor(JobMonitor&&) noexcept;
    JobMonitor& operator=(JobMonitor&&) noexcept;
    ~JobMonitor();

    /// A job begins with these patterns; what it does from now on is watched. `follows`: it is of
    /// the same scan as the one before.
    void watch(std::string const& name, bool follows, stem4d::Patterns const& patterns,
               stem4d::PtychographyOptions& options);
    void finish(Result<stem4d::PtychographyResult> const& result);
    /// The job ends, and one that follows it comes.
    void pause(stem4d::PtychographyResult const& result);
    /// Nothing more comes: all files were written, or why not.
    void conclude(Status const& status);

  private:
    struct State;
    explicit JobMonitor(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sluice::cli
