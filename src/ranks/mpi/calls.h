// What the plug-in libsluice_mpi.so offers: the few functions of MPI that ranks need, in C, so that
// the program neither needs MPI nor is slower to start where nobody uses it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice {

/// Sizes are bytes. Counts and offsets have an entry for each rank.
struct MpiCalls {
    /// Joins the ranks until the process ends; returns what is wrong, or null.
    char const* (*start)(int* rank, int* ranks);
    /// Of `send` each rank gets its slice; `receive` is filled with those of all.
    void (*exchange)(void const* send, int const* counts, int const* offsets, void* receive,
                     int const* receive_counts, int const* receive_offsets);
    /// Each rank's slice of `all`, already in place, goes to all others.
    void (*spread)(void* all, int const* counts, int const* offsets);
    void (*broadcast)(void* bytes, int count, int from);
    void (*barrier)();
    void (*abort)(int exit_code);
};

/// Changes with MpiCalls.
constexpr int mpi_calls_version = 1;
/// The one function that is looked up in the plug-in; null where its version is another.
using GiveMpiCalls = MpiCalls const*(int version);
constexpr char const* give_mpi_calls = "sluice_mpi_calls";

}  // namespace sluice
