// Errors of ranks, and who prints them.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/ranks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "app/cli/shell/terminal.h"
#include "sluice/device.h"

namespace sluice::cli {

namespace {

// A number that Open MPI, or MPICH and its kin, give in the environment.
int number_of(char const* open_mpi, char const* mpich, int otherwise) {
    for (char const* name : {open_mpi, mpich})
        if (char const* const text = std::getenv(name)) return std::atoi(text);
    return otherwise;
}

// What only one rank knows of: it ends the others, too.
Status guarded(Ranks& ranks, std::function<Status(Ranks&)> const& verb) {
    int code = 0;
    try {
        return verb(ranks);
    } catch (std::bad_alloc const&) {
        code = report(
            {Code::out_of_memory, "a rank is out of memory; start fewer ranks on this machine"});
    } catch (std::exception const& error) {
        code = report({Code::io, error.what()});
    }
    // Without ranks main() catches it.
    ranks.communicator()->abort(code);
    return {};
}

}  // namespace

Status Ranks::agree(Status const& mine) {
    if (!communicator_) return mine;
    if (failed_) return *failed_;
    Status all = communicator_->agree(mine);
    if (!all) failed_ = all.error();
    return all;
}

int run_on_ranks(std::function<Status(Ranks&)> const& verb) {
    Ranks ranks;
    if (!started_by_mpi()) {
        Status const status = verb(ranks);
        return status ? 0 : report(status.error());
    }
    auto joined = mpi_communicator();
    // All ranks meet the same error. mpirun ends a rank when another one fails, so the others do
    // not.
    if (!joined)
        return number_of("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0) == 0 ? report(joined.error()) : 0;
    ranks = Ranks(std::move(*joined));
    Status const status = ranks.agree(guarded(ranks, verb));
    int code = 0;
    if (!status) code = ranks.speaks() ? report(status.error()) : exit_code_of(status.error());
    std::fflush(stdout);
    // As long as the first one prints, none may fail.
    ranks.communicator()->barrier();
    return code;
}

int threads_of_rank() {
    int const beside = std::max(1, number_of("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", 1));
    return std::max(1, Device::cpu().threads() / beside);
}

}  // namespace sluice::cli
