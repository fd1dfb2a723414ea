// Numbers of neighbouring x side by side in a register.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "sluice/view.h"

namespace sluice::proton::marching {

template <class Real>
struct Vector {
#ifdef __AVX512F__
    static constexpr int bytes = 64;
#else
    static constexpr int bytes = 32;
#endif
    typedef Real Type __attribute__((vector_size(bytes)));
};
template <class Real>
inline constexpr index width_of = Vector<Real>::bytes / static_cast<int>(sizeof(Real));
template <class Real>
using V = typename Vector<Real>::Type;

template <class Real>
[[gnu::always_inline]] inline V<Real> load(Real const* from) {
    V<Real> v;
    std::memcpy(&v, from, sizeof(v));
    return v;
}
template <class Real>
[[gnu::always_inline]] inline void save(V<Real> const& v, Real* to) {
    std::memcpy(to, &v, sizeof(v));
}

}  // namespace sluice::proton::marching
