// Processes that answer one line of JSON with another: ours by fork, others' by exec.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <functional>

#include "app/cli/slide/benchmark_work.h"

namespace sluice::cli {

/// Ends with its last owner. Nothing may have made threads when one is forked.
class Process {
  public:
    using Answer = std::function<Result<Json>(Json const& request)>;
    /// A copy of this process that answers by `answer`.
    static Result<Process> fork(Answer const& answer);
    /// Another program.
    static Result<Process> start(std::vector<std::string> const& command);
    Process(Process&& other) noexcept;
    Process& operator=(Process&& other) noexcept;
    ~Process();

    Status send(Json const& request);
    /// The answer, or the error that the other process met.
    Result<Json> receive();
    Result<Json> ask(Json const& request);

  private:
    Process() = default;
    static Result<Process> make(std::function<void(int in, int out)> const& child);
    int pid_ = -1;
    std::FILE* to_ = nullptr;
    std::FILE* from_ = nullptr;
};

Json to_json(Done const& done);
Done done_of(Json const& json);

}  // namespace sluice::cli
