// The strain of three conventions, with exact derivatives.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/strain/components.h"

namespace sluice::crystal {
namespace {

using stem4d::StrainConvention;

// The changes of beta that its four elements make.
constexpr Matrix2 units[4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

struct Polar {
    double angle = 0;  // of the rotation R
    Matrix2 turn, stretch;
};

// m = R U with a symmetric U: R makes R^T m symmetric.
Polar polar_of(Matrix2 const& m) {
    Polar p;
    p.angle = std::atan2(m.cr - m.rc, m.rr + m.cc);
    p.turn = turn_by(p.angle);
    p.stretch = p.turn.transposed() * m;
    return p;
}

struct PolarChange {
    double angle = 0;
    Matrix2 stretch;
};

// dm = dangle R S U + R dU, S the turn by 90 degrees. R^T dm - dangle S U is symmetric.
PolarChange change_of(Polar const& p, Matrix2 const& change) {
    Matrix2 const z = p.turn.transposed() * change, quarter{0, -1, 1, 0};
    PolarChange out;
    out.angle = (z.cr - z.rc) / p.stretch.trace();
    out.stretch = z - quarter * p.stretch * out.angle;
    return out;
}

// F = beta^-T, which deforms the crystal itself; e = U - 1.
Components sluice_components(Matrix2 const& beta) {
    Matrix2 const f = beta.inverse().transposed();
    Polar const p = polar_of(f);
    Components out{
        .values = {p.stretch.rr - 1, p.stretch.cc - 1, (p.stretch.rc + p.stretch.cr) / 2, p.angle}};
    for (std::size_t i = 0; i < 4; ++i) {
        PolarChange const d = change_of(p, f * units[i].transposed() * f * -1);
        out.by[0][i] = d.stretch.rr, out.by[1][i] = d.stretch.cc;
        out.by[2][i] = (d.stretch.rc + d.stretch.cr) / 2, out.by[3][i] = d.angle;
    }
    return out;
}

// process/strain/latticevectors.py: linear in beta, x the rows, theta from column to row.
Components py4dstem_components(Matrix2 const& beta) {
    return {.values = {1 - beta.rr, 1 - beta.cc, -(beta.rc + beta.cr) / 2, (beta.rc - beta.cr) / 2},
            .by = {{{-1, 0, 0, 0}, {0, 0, 0, -1}, {0, -0.5, -0.5, 0}, {0, 0.5, -0.5, 0}}}};
}

// As 0.21 answers: beta^T = R V, e_ii = 1 / V_ii - 1 and e_xy = V_xy, x the columns. The rotation
// of beta^T has the opposite sign of omega.
Components pyxem_components(Matrix2 const& beta) {
    Polar const p = polar_of(beta.transposed());
    Matrix2 const& v = p.stretch;
    Components out{.values = {1 / v.cc - 1, 1 / v.rr - 1, (v.rc + v.cr) / 2, p.angle}};
    for (std::size_t i = 0; i < 4; ++i) {
        PolarChange const d = change_of(p, units[i].transposed());
        out.by[0][i] = -d.stretch.cc / (v.cc * v.cc), out.by[1][i] = -d.stretch.rr / (v.rr * v.rr);
        out.by[2][i] = (d.stretch.rc + d.stretch.cr) / 2, out.by[3][i] = d.angle;
    }
    return out;
}

}  // namespace

Components components_of(Matrix2 const& beta, StrainConvention convention) {
    switch (convention) {
        case StrainConvention::sluice:
            return sluice_components(beta);
        case StrainConvention::py4dstem:
            return py4dstem_components(beta);
        case StrainConvention::pyxem:
            return pyxem_components(beta);
    }
    return {};
}

}  // namespace sluice::crystal
