// Arrays that are read from end to end: on whole cache lines, in large pages where there is much.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <new>
#include <vector>

#include "base/system.h"

namespace sluice::proton::dense {

template <class T>
struct LargePages {
    using value_type = T;
    LargePages() = default;
    template <class U>
    explicit LargePages(LargePages<U> const&) {}

    T* allocate(std::size_t count) {
        constexpr std::size_t line = 64, page = std::size_t{2} << 20;
        std::size_t const bytes = count * sizeof(T), unit = bytes >= 2 * page ? page : line;
        void* const memory = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
        if (!memory) throw std::bad_alloc();
        // Small pages cost a walk through tables for every 64 lines, and stop fetching ahead.
        if (unit == page) use_large_pages(memory, bytes);
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { std::free(memory); }
    bool operator==(LargePages const&) const { return true; }
};

template <class T>
using Large = std::vector<T, LargePages<T>>;

}  // namespace sluice::proton::dense
