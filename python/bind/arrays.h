// Arrays to NumPy without a copy, and from NumPy without one where they are dense.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

#include "bind/errors.h"
#include "sluice/dtype.h"
#include "sluice/view.h"

namespace sluice::python {

/// NumPy's array of memory that `owner` keeps.
template <class T>
nb::object shared_array(T* data, std::vector<index> const& shape, nb::handle owner) {
    std::vector<std::size_t> const extents(shape.begin(), shape.end());
    return nb::cast(nb::ndarray<nb::numpy, T>(data, extents.size(), extents.data(), owner));
}

/// A capsule that keeps `value`, and its address.
template <class T>
std::pair<T*, nb::capsule> kept(T value) {
    auto owned = std::make_unique<T>(std::move(value));
    T* const at = owned.get();
    nb::capsule capsule(at, [](void* p) noexcept { delete static_cast<T*>(p); });
    owned.release();
    return {at, std::move(capsule)};
}

/// The array's own memory, writable.
template <class T>
nb::object to_numpy(Array<T> array) {
    auto const [at, owner] = kept(std::move(array));
    return shared_array(at->values.data(), at->shape, owner);
}
template <class T>
nb::object to_numpy(std::vector<T> values, std::vector<index> shape = {}) {
    if (shape.empty()) shape = {static_cast<index>(values.size())};
    return to_numpy(Array<T>{std::move(shape), std::move(values)});
}

/// Raises OutOfMemory where an array would take more than is free.
void expect_room(std::uint64_t bytes);

/// Bytes of a type that is known only at run time.
struct Loose {
    std::unique_ptr<std::byte[]> bytes;
    std::vector<index> shape;
    DType dtype = DType::u8;

    static Loose make(std::vector<index> shape, DType dtype);
    std::span<std::byte> span() const { return {bytes.get(), size_bytes()}; }
    std::size_t size_bytes() const;
};
nb::object to_numpy(Loose array);
/// Memory of `owner` as elements of such a type.
nb::object loose_array(std::byte* data, std::vector<index> const& shape, DType dtype,
                       nb::handle owner);

/// What NumPy calls the type, as an object of numpy.dtype.
nb::object dtype_of(DType type);

/// A dense array of T in C order, of `rank` axes; others are refused by name, never converted.
template <class T, int Rank>
using Dense = nb::ndarray<T const, nb::ndim<Rank>, nb::c_contig, nb::device::cpu>;

/// A copy of a dense array.
template <class T, int Rank>
Array<T> to_array(Dense<T, Rank> const& from) {
    Array<T> out;
    for (int d = 0; d < Rank; ++d)
        out.shape.push_back(static_cast<index>(from.shape(static_cast<std::size_t>(d))));
    out.values.assign(from.data(), from.data() + from.size());
    return out;
}

}  // namespace sluice::python
