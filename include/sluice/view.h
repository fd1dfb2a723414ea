// View<T, Rank>: an array that somebody else owns, with mdspan's vocabulary.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#if defined(__CUDACC__)
#define SLUICE_HD __host__ __device__
#else
// Always inlined, so that no copy of it can be merged across instruction sets.
#define SLUICE_HD [[gnu::always_inline]] inline
#endif

namespace sluice {

using index = std::int64_t;
using Bytes = std::span<std::byte const>;

/// Row-major, dense; the last index runs fastest.
template <class T, int Rank>
class View {
  public:
    View() = default;
    View(T* data, std::array<index, Rank> extents) : data_(data) {
        for (int d = 0; d < Rank; ++d) extents_[d] = extents[static_cast<std::size_t>(d)];
    }

    SLUICE_HD index extent(int d) const { return extents_[d]; }
    SLUICE_HD index size() const {
        index n = 1;
        for (index e : extents_) n *= e;
        return n;
    }
    SLUICE_HD T* data() const { return data_; }

    template <class... I>
    requires(sizeof...(I) == Rank) SLUICE_HD T& operator()(I... i) const {
        index const at[Rank] = {static_cast<index>(i)...};
        index offset = 0;
        for (int d = 0; d < Rank; ++d) offset = offset * extents_[d] + at[d];
        return data_[offset];
    }

  private:
    T* data_ = nullptr;
    index extents_[Rank] = {};
};

/// An array that owns its elements; the shape may have any rank.
template <class T>
struct Array {
    std::vector<index> shape;
    std::vector<T> values;

    static Array zeros(std::vector<index> shape_of) {
        index n = 1;
        for (index e : shape_of) n *= e;
        return {std::move(shape_of), std::vector<T>(static_cast<std::size_t>(n))};
    }
    index size() const { return static_cast<index>(values.size()); }
};

/// The view of `rank` dimensions of an Array with as many.
template <int Rank, class T>
View<T, Rank> view(Array<T>& a) {
    std::array<index, Rank> e{};
    for (int d = 0; d < Rank; ++d)
        e[static_cast<std::size_t>(d)] = a.shape.at(static_cast<std::size_t>(d));
    return {a.values.data(), e};
}
template <int Rank, class T>
View<T const, Rank> view(Array<T> const& a) {
    std::array<index, Rank> e{};
    for (int d = 0; d < Rank; ++d)
        e[static_cast<std::size_t>(d)] = a.shape.at(static_cast<std::size_t>(d));
    return {a.values.data(), e};
}

}  // namespace sluice
