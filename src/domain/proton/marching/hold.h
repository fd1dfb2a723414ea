// What may leave a cell along x: the polynomial's flux, held where the content is not smooth.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::proton::marching {

/// Of a move by the part `a` of a cell.
template <class Real>
struct Hold {
    Real part = 0;     ///< a
    Real inverse = 0;  ///< 1 / a
    Real steep = 0;    ///< of how much steeper ahead the content may be than behind
    static Hold of(double a) {
        if (!(a > 0)) return {};
        double const rest = 1 / a - 1;
        return {static_cast<Real>(a), static_cast<Real>(1 / a),
                static_cast<Real>(rest < 4 ? rest : 4)};
    }
};

/// A cell and its neighbours, two behind and two ahead.
template <class Real>
struct Around {
    Real behind2, behind, own, ahead, ahead2;
};

template <class Real>
SLUICE_HD Real least(Real a, Real b) {
    return a < b ? a : b;
}
template <class Real>
SLUICE_HD Real most(Real a, Real b) {
    return a > b ? a : b;
}
/// The smaller of two that have one sign, else 0.
template <class Real>
SLUICE_HD Real smaller(Real a, Real b) {
    return most(Real(0), least(a, b)) + least(Real(0), most(a, b));
}

/// Whether the polynomial's flux needs to be held: what it says lies beyond the cell ahead, or on
/// the cell's other side.
template <class Real>
SLUICE_HD bool is_steep(Real flux, Around<Real> const& f, Hold<Real> const& h) {
    Real const value = flux * h.inverse;
    Real const monotone = f.own + smaller(f.ahead - f.own, h.steep * (f.own - f.behind));
    return (value - f.own) * (value - monotone) > 0;
}

/// Between nothing and all of the cell.
template <class Real>
SLUICE_HD Real within(Real flux, Real own) {
    return least(most(flux, Real(0)), own);
}

/// `flux` is the polynomial's. At a step of the content, as at the edge of a medium that slows
/// protons down otherwise, it lets through six tenths of what flies over it; there the flux is held
/// to what keeps the content monotone. Smooth maxima stay as they are: Suresh and Huynh 1997
/// (https://doi.org/10.1006/jcph.1997.5745). At the end it is between nothing and all of the cell.
template <class Real>
SLUICE_HD Real held(Real flux, Around<Real> const& f, Hold<Real> const& h) {
    Real const own = f.own, value = flux * h.inverse;
    Real const from = own - f.behind, to = f.ahead - own;
    Real const steep = own + h.steep * from;
    Real const monotone = own + smaller(to, h.steep * from);
    // Curvatures behind, here and ahead, and where they agree.
    Real const c0 = from - (f.behind - f.behind2), c1 = to - from, c2 = (f.ahead2 - f.ahead) - to;
    Real const bend_behind = smaller(smaller(4 * c0 - c1, 4 * c1 - c0), smaller(c0, c1));
    Real const bend_ahead = smaller(smaller(4 * c1 - c2, 4 * c2 - c1), smaller(c1, c2));
    Real const middle = (own + f.ahead - bend_ahead) * Real(0.5);
    Real const large = own + from * Real(0.5) + bend_behind * Real(4.0 / 3);
    Real const low = most(least(own, least(f.ahead, middle)), least(own, least(steep, large)));
    Real const high = least(most(own, most(f.ahead, middle)), most(own, most(steep, large)));
    Real const moved = value + smaller(low - value, high - value);
    bool const steeper = (value - own) * (value - monotone) > 0;
    return within(steeper ? h.part * moved : flux, own);
}

}  // namespace sluice::proton::marching
