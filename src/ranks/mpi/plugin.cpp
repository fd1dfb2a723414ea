// The plug-in libsluice_mpi.so: the one file that knows MPI. Errors of MPI end all ranks, as MPI
// does by itself. SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cstdlib>

#include "ranks/mpi/calls.h"

namespace {

char const* start(int* rank, int* ranks) {
    int begun = 0;
    MPI_Initialized(&begun);
    if (!begun) {
        int level = MPI_THREAD_SINGLE;
        if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
            return "MPI does not start";
        // MPI cannot begin again, so it ends with the process.
        std::atexit([] { MPI_Finalize(); });
        if (level < MPI_THREAD_FUNNELED) return "MPI knows no threads";
    }
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
    return nullptr;
}

void exchange(void const* send, int const* counts, int const* offsets, void* receive,
              int const* receive_counts, int const* receive_offsets) {
    MPI_Alltoallv(send, counts, offsets, MPI_BYTE, receive, receive_counts, receive_offsets,
                  MPI_BYTE, MPI_COMM_WORLD);
}

void spread(void* all, int const* counts, int const* offsets) {
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, offsets, MPI_BYTE,
                   MPI_COMM_WORLD);
}

void broadcast(void* bytes, int count, int from) {
    MPI_Bcast(bytes, count, MPI_BYTE, from, MPI_COMM_WORLD);
}

void barrier() {
    MPI_Barrier(MPI_COMM_WORLD);
}

void abort_all(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
}

constexpr sluice::MpiCalls calls{start, exchange, spread, broadcast, barrier, abort_all};

}  // namespace

extern "C" __attribute__((visibility("default"))) sluice::MpiCalls const* sluice_mpi_calls(
    int version) {
    return version == sluice::mpi_calls_version ? &calls : nullptr;
}
