// Verbs that several ranks run together, when mpirun started the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sluice/communicator.h"

namespace sluice::cli {

/// The ranks of a verb, or the one rank that there is without mpirun.
class Ranks {
  public:
    Ranks() = default;
    explicit Ranks(std::unique_ptr<Communicator> communicator)
        : communicator_(std::move(communicator)) {}

    Communicator* communicator() const { return communicator_.get(); }  ///< null: one rank
    int rank() const { return communicator_ ? communicator_->rank() : 0; }
    int count() const { return communicator_ ? communicator_->ranks() : 1; }
    /// Whether this one prints and writes.
    bool speaks() const { return rank() == 0; }

    /// Behind work that can fail on one rank alone: the error of one is that of all. After an error
    /// ranks no longer wait for each other; each goes straight back.
    Status agree(Status const& mine);
    /// work() on rank 0 alone; its value, which is copied byte by byte, on all.
    template <class T>
    Result<T> from_first(std::function<Result<T>()> const& work) {
        if (!communicator_) return work();
        T value{};
        Status status;
        if (speaks()) {
            auto made = work();
            if (made)
                value = std::move(*made);
            else
                status = made.error();
        }
        if (status = agree(status); !status) return status.error();
        communicator_->broadcast(std::as_writable_bytes(std::span(&value, 1)), 0);
        return value;
    }

  private:
    std::unique_ptr<Communicator> communicator_ = {};
    std::optional<Error> failed_ = {};
};

/// Joins the ranks that mpirun started, where it did, and runs the verb; the exit code. The first
/// rank prints the error.
int run_on_ranks(std::function<Status(Ranks&)> const& verb);

/// Threads of a rank when none are wished: the processors, shared with the other ranks here.
int threads_of_rank();

}  // namespace sluice::cli
