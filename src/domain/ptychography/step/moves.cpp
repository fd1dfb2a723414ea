// Moves by parts of a pixel.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/moves.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "domain/ptychography/step/optics.h"

namespace sluice::ptycho {

namespace {

// exp(i unit d k / side) of each signed k from -side / 2 to side / 2 - 1, where place_of_turn(k)
// says. Each turn is the one before it times the first: a hundred products in double lose nothing
// that a float has.
template <class PlaceOf>
void set_turns(index side, double unit, stem4d::Position d, PlaceOf const& place_of_turn,
               std::vector<float>& factors) {
    auto const n = static_cast<std::size_t>(side);
    for (std::size_t axis : {0U, 1U}) {
        auto const one = std::polar(1.0, unit * (axis == 0 ? d.row : d.col) / double(side));
        std::complex<double> turn = 1;
        for (index k = 0; k <= side / 2; ++k, turn *= one)
            for (index signed_k : {k, -k}) {
                if (signed_k == side / 2) continue;
                auto const at = static_cast<std::size_t>(place_of_turn(signed_k)) + axis * n;
                factors[at] = static_cast<float>(turn.real());
                factors[2 * n + at] = static_cast<float>(signed_k < 0 ? -turn.imag() : turn.imag());
            }
    }
}

}  // namespace

void set_factors(index side, WindowPlace const& place, double sign, std::vector<float>& factors) {
    set_turns(
        side, -2 * std::numbers::pi * sign, {place.row_part, place.col_part},
        [side](index k) { return k < 0 ? k + side : k; }, factors);
}

void set_ramp(index side, stem4d::Position d, std::vector<float>& factors) {
    set_turns(
        side, 2 * std::numbers::pi, d, [side](index k) { return k + side / 2; }, factors);
}

void add_position(index side, float const* probe, float const* g, std::vector<float> const& factors,
                  std::array<double, 2>& position) {
    index const pixels = side * side, rows = side / 16;
    auto const n = static_cast<std::size_t>(side);
    double by_row = 0, by_col = 0;
    for (index first = 0; first < pixels; first += 16) {
        index const slot = first / 16 % side, block = first / 16 / side;
        index const row = slot / rows + slot % rows * 16;
        auto const r = static_cast<std::size_t>(row);
        float sum = 0, weighted = 0;
        for (index lane = 0; lane < 16; ++lane) {
            auto const c = static_cast<std::size_t>(block * 16 + lane);
            index const i = first + lane;
            // factors are those of the way back: their conjugate moves the probe.
            float const turn_re =
                factors[r] * factors[n + c] - factors[2 * n + r] * factors[3 * n + c];
            float const turn_im =
                factors[r] * factors[3 * n + c] + factors[2 * n + r] * factors[n + c];
            float const m_re = turn_re * probe[i] + turn_im * probe[pixels + i];
            float const m_im = turn_re * probe[pixels + i] - turn_im * probe[i];
            float const turned = g[i] * m_im - g[pixels + i] * m_re;
            sum += turned;
            weighted += turned * static_cast<float>(frequency(block * 16 + lane, side));
        }
        by_row += static_cast<double>(sum) * static_cast<double>(frequency(row, side));
        by_col += static_cast<double>(weighted);
    }
    // Both spectra were not scaled.
    double const unit =
        4 * std::numbers::pi / static_cast<double>(side) / static_cast<double>(pixels);
    position[0] += unit * by_row;
    position[1] += unit * by_col;
}

}  // namespace sluice::ptycho
