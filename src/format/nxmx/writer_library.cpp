// Handles of libhdf5, and the lock around it.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/writer_library.h"

#include "base/hdf5_mutex.h"

namespace sluice::hdf5 {

LibraryLock::LibraryLock() : lock_(hdf5_mutex()) {
    // Per thread: libhdf5 keeps an error stack for each.
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle::~Handle() {
    if (id_ < 0) return;
    LibraryLock lock;
    close_(id_);
}

}  // namespace sluice::hdf5
