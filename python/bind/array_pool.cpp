// ArrayPool: memory of NumPy's arrays that is used again.
// SPDX-License-Identifier: Apache-2.0
#include "bind/array_pool.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace sluice::python {
namespace {

// Smaller ones malloc keeps itself; of larger ones a page fault costs little beside the work.
constexpr std::size_t least = std::size_t{1} << 16, largest = std::size_t{1} << 28;
constexpr std::size_t most_kept = std::size_t{1} << 28;
constexpr std::size_t head = 64;  // before the array: its size; arrays begin at cache lines

struct Kept {
    std::mutex mutex;
    int pools = 0;
    std::size_t bytes = 0;
    std::multimap<std::size_t, void*> free;  // by size, with their heads

    void release() {
        for (auto const& [size, memory] : free) std::free(memory);
        free.clear();
        bytes = 0;
    }
};
// Never destroyed: arrays may go after everything else of the process.
Kept& kept() {
    static Kept& all = *new Kept;
    return all;
}

std::size_t size_at(void* memory) {
    std::size_t size = 0;
    std::memcpy(&size, static_cast<std::byte*>(memory) - head, sizeof size);
    return size;
}

// What NEP 49 lays down, in the layout of NumPy's ABI.
struct Allocator {
    void* context;
    void* (*malloc)(void*, std::size_t);
    void* (*calloc)(void*, std::size_t, std::size_t);
    void* (*realloc)(void*, void*, std::size_t);
    void (*free)(void*, void*, std::size_t);
};
struct Handler {
    char name[127];
    std::uint8_t version;
    Allocator allocator;
};

void* take_zeros(void*, std::size_t count, std::size_t size) {
    if (size != 0 && count > SIZE_MAX / size) return nullptr;
    void* const memory = ArrayPool::take(count * size);
    if (memory) std::memset(memory, 0, count * size);
    return memory;
}

void* take_again(void*, void* old, std::size_t size) {
    void* const memory = ArrayPool::take(size);
    if (!memory || !old) return memory;
    std::memcpy(memory, old, std::min(size, size_at(old)));
    ArrayPool::give(old);
    return memory;
}

Handler const handler{
    "sluice",
    1,
    {nullptr, [](void*, std::size_t size) { return ArrayPool::take(size); }, take_zeros, take_again,
     [](void*, void* memory, std::size_t) { ArrayPool::give(memory); }}};

// NumPy's function that sets the handler of this thread and gives the one before; null: too old.
using SetHandler = PyObject* (*)(PyObject*);

SetHandler set_handler() {
    static SetHandler const found = []() -> SetHandler {
        try {
            nb::module_ const numpy = nb::module_::import_("numpy");
            auto const version = nb::cast<std::string>(numpy.attr("__version__"));
            int major = 0, minor = 0;
            if (std::sscanf(version.c_str(), "%d.%d", &major, &minor) != 2 ||
                (major == 1 && minor < 22) || major < 1)
                return nullptr;
            nb::module_ const core = nb::module_::import_(
                major == 1 ? "numpy.core._multiarray_umath" : "numpy._core._multiarray_umath");
            nb::object const api = core.attr("_ARRAY_API");
            auto** const table =
                static_cast<void**>(PyCapsule_GetPointer(api.ptr(), PyCapsule_GetName(api.ptr())));
            return table ? reinterpret_cast<SetHandler>(table[304]) : nullptr;
        } catch (nb::python_error&) {
            return nullptr;
        }
    }();
    return found;
}

}  // namespace

ArrayPool::ArrayPool() {
    std::lock_guard const lock(kept().mutex);
    ++kept().pools;
}

ArrayPool::~ArrayPool() {
    std::lock_guard const lock(kept().mutex);
    if (--kept().pools == 0) kept().release();
}

void* ArrayPool::take(std::size_t size) {
    if (size > SIZE_MAX - 2 * head) return nullptr;
    if (size >= least && size <= largest) {
        std::lock_guard const lock(kept().mutex);
        auto const found = kept().free.find(size);
        if (found != kept().free.end()) {
            void* const memory = found->second;
            kept().free.erase(found);
            kept().bytes -= size;
            return static_cast<std::byte*>(memory) + head;
        }
    }
    std::size_t const rounded = (size + head + head - 1) / head * head;
    void* const memory = std::aligned_alloc(head, rounded);
    if (!memory) return nullptr;
    std::memcpy(memory, &size, sizeof size);
    return static_cast<std::byte*>(memory) + head;
}

void ArrayPool::give(void* memory) {
    if (!memory) return;
    std::size_t const size = size_at(memory);
    void* const whole = static_cast<std::byte*>(memory) - head;
    {
        Kept& all = kept();
        std::lock_guard const lock(all.mutex);
        if (all.pools > 0 && size >= least && size <= largest && all.bytes + size <= most_kept) {
            all.free.emplace(size, whole);
            all.bytes += size;
            return;
        }
    }
    std::free(whole);
}

PoolForArrays::PoolForArrays() {
    if (!set_handler()) return;
    static nb::object const& ours = *new nb::object(
        nb::steal(PyCapsule_New(const_cast<Handler*>(&handler), "mem_handler", nullptr)));
    PyObject* const before = ours.is_valid() ? set_handler()(ours.ptr()) : nullptr;
    if (before)
        before_ = nb::steal(before);
    else
        PyErr_Clear();
}

PoolForArrays::~PoolForArrays() {
    if (!before_.is_valid()) return;
    // While C++ unwinds, nanobind keeps the exception of Python: none is set here.
    if (PyObject* const ours = set_handler()(before_.ptr()))
        Py_DECREF(ours);
    else
        PyErr_Clear();
}

}  // namespace sluice::python
