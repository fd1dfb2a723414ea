// The loops over rows of numbers; only for who makes a table of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/row_loops.h"

namespace sluice::ptycho {
namespace {

template <class Real>
void add(Real const* from, index n, Real* to) {
#pragma GCC ivdep
    for (index i = 0; i < n; ++i) to[i] += from[i];
}
template <class Real>
void add_scaled(Real const* from, Real by, index n, Real* to) {
#pragma GCC ivdep
    for (index i = 0; i < n; ++i) to[i] += by * from[i];
}
template <class Real>
void add_shared(Real const* from, Real const* weight, Real by, Real slope, Real floor, index n,
                Real* to) {
#pragma GCC ivdep
    for (index i = 0; i < n; ++i) to[i] += by * from[i] / (slope * weight[i] + floor);
}
template <class Real>
void add_damped(Real const* from, Real const* weight, Real by, Real damping, index n, Real* to) {
    Real const square = damping * damping;
#pragma GCC ivdep
    for (index i = 0; i < n; ++i)
        to[i] += by * from[i] / std::sqrt(weight[i] * weight[i] + square);
}
template <class Real>
void add_power(Real const* re, Real const* im, index n, Real* to) {
#pragma GCC ivdep
    for (index i = 0; i < n; ++i) to[i] += re[i] * re[i] + im[i] * im[i];
}

}  // namespace
}  // namespace sluice::ptycho
