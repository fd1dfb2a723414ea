// Communicator: several ranks that do one job together, each with its part of the data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "sluice/result.h"

namespace sluice {

/// One rank of several. All ranks call the same functions in the same order, with arrays of the
/// same sizes, and each call waits for the others. Calls come from one thread at a time. Where the
/// link to another rank breaks, the whole job ends.
class Communicator {
  public:
    virtual ~Communicator() = default;

    virtual int rank() const = 0;   ///< 0 to ranks() - 1
    virtual int ranks() const = 0;  ///< at least 1

    /// Each value becomes the sum of its values on all ranks, added in the order of the ranks: the
    /// bits are the same on all of them, and in each run with as many.
    virtual void all_reduce_sum(std::span<float> values) = 0;
    virtual void all_reduce_sum(std::span<double> values) = 0;
    /// The bytes of rank `from` go to all others.
    virtual void broadcast(std::span<std::byte> bytes, int from) = 0;
    /// `all` holds room for ranks() * mine.size() bytes, and then those of each rank in order.
    virtual void all_gather(std::span<std::byte const> mine, std::span<std::byte> all) = 0;
    virtual void barrier() = 0;
    /// Ends all ranks at once, wherever they are: for errors that only one of them can know of.
    [[noreturn]] virtual void abort(int exit_code) = 0;

    /// The outcome of all: every rank gets the error of the lowest rank that has one.
    Status agree(Status const& mine);
};

/// Whether a launcher of MPI (mpirun, mpiexec) started this process beside others.
bool started_by_mpi();

/// The ranks that mpirun started; they are joined until the process ends. Fails where
/// libsluice_mpi.so cannot be loaded.
Result<std::unique_ptr<Communicator>> mpi_communicator();

}  // namespace sluice
