// Alternating projections, the difference map, RAAR, RRR and SDR as three numbers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/solvers/projection.h"

namespace sluice::ptycho {

namespace {

using S = stem4d::PtychographyStage::Solver;

Projection coefficients(stem4d::PtychographyStage const& stage) {
    auto const given = [&](double usual) {
        return stage.relaxation > 0 ? stage.relaxation : usual;
    };
    switch (stage.solver) {
        case S::dm: {
            double const alpha = given(1);
            return {-alpha, 1, 1 + alpha};
        }
        case S::raar: {
            double const beta = given(0.75);
            return {1 - 2 * beta, beta, 2};
        }
        case S::rrr: {
            double const gamma = given(0.5);
            return {-gamma, gamma, 2};
        }
        case S::sdr: {
            double const tau = given(1);
            return {1 - 2 * tau, tau, 2};
        }
        default:
            return {0, 1, 1};  // alternating
    }
}

}  // namespace

Projection projection_of(stem4d::PtychographyStage const& stage, double largest_power,
                         index window) {
    Projection projection = coefficients(stage);
    // A quarter of the squared bound times the mean power of a pixel in the brightest pattern.
    projection.power_bound = 0.25 * stage.power_bound * stage.power_bound * largest_power /
                             static_cast<double>(window * window);
    return projection;
}

}  // namespace sluice::ptycho
