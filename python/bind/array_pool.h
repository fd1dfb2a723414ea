// ArrayPool: memory of NumPy's arrays that is used again. A function of a tile makes temporary
// arrays of some megabytes; malloc gives each back to the system, and the next one costs a page
// fault for every 4 KiB: more than the arithmetic.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "bind/arrays.h"

namespace sluice::python {

/// Keeps the memory of arrays that went, as long as one of these lives; the last one gives it back.
/// It is for one run of work.
class ArrayPool {
  public:
    ArrayPool();
    ~ArrayPool();
    ArrayPool(ArrayPool const&) = delete;
    ArrayPool& operator=(ArrayPool const&) = delete;

    /// `size` bytes from the begin of a cache line; null when memory is out. The array may outlive
    /// the pool.
    static void* take(std::size_t size);
    static void give(void* memory);
};

/// As long as it lives, what NumPy makes on this thread is of the pool (NEP 49). It does nothing
/// where NumPy is older than 1.22. Made and destroyed with the GIL.
class PoolForArrays {
  public:
    PoolForArrays();
    ~PoolForArrays();
    PoolForArrays(PoolForArrays const&) = delete;
    PoolForArrays& operator=(PoolForArrays const&) = delete;

  private:
    nb::object before_ = {};
};

}  // namespace sluice::python
