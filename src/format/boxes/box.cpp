// Copying boxes between arrays of different strides.
// SPDX-License-Identifier: Apache-2.0
#include "format/boxes/box.h"

#include <cstring>

namespace sluice::boxes {
namespace {

struct Dimension {
    std::ptrdiff_t from, to;
    std::uint64_t count;
};

template <std::size_t size>
void copy_line(std::byte const* from, std::byte* to, Dimension const& d) {
    for (std::uint64_t i = 0; i < d.count; ++i, from += d.from, to += d.to)
        std::memcpy(to, from, size);
}

void copy_any_line(std::byte const* from, std::byte* to, Dimension const& d, std::size_t run) {
    switch (run) {
        case 1:
            return copy_line<1>(from, to, d);
        case 2:
            return copy_line<2>(from, to, d);
        case 4:
            return copy_line<4>(from, to, d);
        case 8:
            return copy_line<8>(from, to, d);
        default:
            for (std::uint64_t i = 0; i < d.count; ++i, from += d.from, to += d.to)
                std::memcpy(to, from, run);
    }
}

void copy_all(std::byte const* from, std::byte* to, std::span<Dimension const> dims,
              std::size_t run) {
    if (dims.empty()) {
        std::memcpy(to, from, run);
    } else if (dims.size() == 1) {
        copy_any_line(from, to, dims[0], run);
    } else {
        for (std::uint64_t i = 0; i < dims[0].count; ++i, from += dims[0].from, to += dims[0].to)
            copy_all(from, to, dims.subspan(1), run);
    }
}

}  // namespace

void copy_box(std::byte const* from, std::span<std::ptrdiff_t const> from_stride, std::byte* to,
              std::span<std::ptrdiff_t const> to_stride, std::span<std::uint64_t const> count,
              std::size_t element) {
    std::vector<Dimension> dims;
    for (std::size_t d = 0; d < count.size(); ++d)
        if (count[d] != 1) dims.push_back({from_stride[d], to_stride[d], count[d]});
    // What follows each other on both sides is one piece.
    std::size_t run = element;
    while (!dims.empty() && dims.back().from == static_cast<std::ptrdiff_t>(run) &&
           dims.back().to == dims.back().from) {
        run *= static_cast<std::size_t>(dims.back().count);
        dims.pop_back();
    }
    copy_all(from, to, dims, run);
}

std::vector<std::ptrdiff_t> strides_of(Sides const& extent, std::size_t element) {
    std::vector<std::ptrdiff_t> stride(extent.size());
    auto bytes = static_cast<std::ptrdiff_t>(element);
    for (std::size_t d = extent.size(); d-- > 0;) {
        stride[d] = bytes;
        bytes *= static_cast<std::ptrdiff_t>(extent[d]);
    }
    return stride;
}

std::optional<std::uint64_t> product_of(std::span<std::uint64_t const> sides, std::uint64_t most) {
    std::uint64_t p = 1;
    for (std::uint64_t n : sides) {
        if (n == 0) return 0;
        if (p > most / n) return {};
        p *= n;
    }
    return p;
}

}  // namespace sluice::boxes
