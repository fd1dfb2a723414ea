// Handles of libhdf5, and the lock around it.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/writer_library.h"

namespace sluice::hdf5 {
namespace {

std::recursive_mutex& library_mutex() {
    static std::recursive_mutex mutex;
    return mutex;
}

}  // namespace

LibraryLock::LibraryLock() : lock_(library_mutex()) {
    // Per thread: libhdf5 keeps an error stack for each.
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle::~Handle() {
    if (id_ < 0) return;
    LibraryLock lock;
    close_(id_);
}

}  // namespace sluice::hdf5
