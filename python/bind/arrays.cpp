// Arrays of types that are known only at run time.
// SPDX-License-Identifier: Apache-2.0
#include "bind/arrays.h"

#include <fmt/format.h>

#include <string>

#include "base/memory.h"

namespace sluice::python {

void expect_room(std::uint64_t bytes) {
    constexpr std::uint64_t small = 1 << 20;
    if (bytes <= small) return;
    std::uint64_t const free = memory_available();
    if (bytes > free)
        raise({Code::out_of_memory,
               fmt::format("an array of {:.3g} GB (free are {:.3g} GB); read a part of it, or use "
                           "to_dask()",
                           static_cast<double>(bytes) / 1e9, static_cast<double>(free) / 1e9)});
}

Loose Loose::make(std::vector<index> shape, DType dtype) {
    Loose out{nullptr, std::move(shape), dtype};
    expect_room(out.size_bytes());
    out.bytes = std::make_unique_for_overwrite<std::byte[]>(out.size_bytes());
    return out;
}

std::size_t Loose::size_bytes() const {
    index n = size_of(dtype);
    for (index const e : shape) n *= e;
    return static_cast<std::size_t>(n);
}

nb::object dtype_of(DType type) {
    std::string const name(name_of(type));
    if (type == DType::bf16) return nb::module_::import_("ml_dtypes").attr("bfloat16");
    return nb::module_::import_("numpy").attr("dtype")(nb::str(name.data(), name.size()));
}

nb::object loose_array(std::byte* data, std::vector<index> const& shape, DType dtype,
                       nb::handle owner) {
    // As bytes first, of which NumPy makes any type: nanobind has neither half nor complex.
    index n = size_of(dtype);
    for (index const e : shape) n *= e;
    nb::object const bytes = shared_array(reinterpret_cast<std::uint8_t*>(data), {n}, owner);
    nb::list extents;
    for (index const e : shape) extents.append(e);
    return bytes.attr("view")(dtype_of(dtype)).attr("reshape")(nb::tuple(extents));
}

nb::object to_numpy(Loose array) {
    auto const [at, owner] = kept(std::move(array));
    return loose_array(at->bytes.get(), at->shape, at->dtype, owner);
}

}  // namespace sluice::python
