// The loops over rows of numbers; only for who makes a table of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/row_loops.h"

namespace sluice::ptycho {
namespace {

template <class Real>
void add(Real const* from, index n, Real* __restrict to) {
    for (index i = 0; i < n; ++i) to[i] += from[i];
}
template <class Real>
void add_scaled(Real const* from, Real by, index n, Real* __restrict to) {
    for (index i = 0; i < n; ++i) to[i] += by * from[i];
}
template <class Real>
void add_shared(Real const* from, Real const* weight, Real by, Real slope, Real floor, index n,
                Real* __restrict to) {
    for (index i = 0; i < n; ++i) to[i] += by * from[i] / (slope * weight[i] + floor);
}
template <class Real>
void take_scaled(Real* __restrict from, Real by, index n, Real* __restrict to) {
    for (index i = 0; i < n; ++i) {
        to[i] += by * from[i];
        from[i] = 0;
    }
}
template <class Real>
void take_shared(Real* __restrict from, Real const* weight, Real by, Real slope, Real floor,
                 index n, Real* __restrict to) {
    for (index i = 0; i < n; ++i) {
        to[i] += by * from[i] / (slope * weight[i] + floor);
        from[i] = 0;
    }
}
template <class Real>
void add_damped(Real const* from, Real const* weight, Real by, Real damping, index n,
                Real* __restrict to) {
    Real const square = damping * damping;
    for (index i = 0; i < n; ++i) to[i] += by * from[i] / std::sqrt(weight[i] * weight[i] + square);
}
template <class Real>
void add_power(Real const* re, Real const* im, index n, Real* __restrict to) {
    for (index i = 0; i < n; ++i) to[i] += re[i] * re[i] + im[i] * im[i];
}

template <class Real>
void add_conjugate(Row<Real> of, Row<Real> with, index n, Real* __restrict re,
                   Real* __restrict im) {
    for (index i = 0; i < n; ++i) {
        re[i] += of.re[i] * with.re[i] + of.im[i] * with.im[i];
        im[i] += of.re[i] * with.im[i] - of.im[i] * with.re[i];
    }
}

// Sixteen sums side by side, whatever the registers hold: so the bits do not depend on them.
template <class Real>
StepSums<Real> step_sums(Row<Real> o, Row<Real> d, Row<Real> go, Row<Real> p, Row<Real> e,
                         Row<Real> gp, index n) {
    constexpr int side = 16;
    Real sums[5][side] = {};
    for (index first = 0; first < n; first += side) {
        index const count = n - first < side ? n - first : side;
        for (int l = 0; l < count; ++l) {
            index const i = first + l;
            Real const dr = d.re[i], di = d.im[i], er = e.re[i], ei = e.im[i];
            Real const pr = p.re[i], pi = p.im[i], vr = o.re[i], vi = o.im[i];
            // a = dO P, b = dP O.
            Real const ar = dr * pr - di * pi, ai = dr * pi + di * pr;
            Real const br = er * vr - ei * vi, bi = er * vi + ei * vr;
            sums[0][l] += ar * ar + ai * ai;
            sums[1][l] += br * br + bi * bi;
            sums[2][l] += ar * br + ai * bi;
            sums[3][l] += dr * go.re[i] + di * go.im[i];
            sums[4][l] += er * gp.re[i] + ei * gp.im[i];
        }
    }
    Real all[5] = {};
    for (int s = 0; s < 5; ++s)
        for (int l = 0; l < side; ++l) all[s] += sums[s][l];
    return {all[0], all[1], all[2], all[3], all[4]};
}

}  // namespace
}  // namespace sluice::ptycho
