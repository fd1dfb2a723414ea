// Positions: the curvature is that of the moved probe through an object of mean modulus.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/refine_positions.h"

#include <cmath>

namespace sluice::ptycho {

namespace {

// sum |dP/drow|^2 and sum |dP/dcol|^2 of all modes, by central differences.
template <class Real>
std::array<double, 2> steepness(std::vector<Planar<Real>> const& probe) {
    std::array<double, 2> sums{};
    for (auto const& mode : probe)
        for (index r = 1; r + 1 < mode.rows(); ++r)
            for (index c = 1; c + 1 < mode.cols(); ++c) {
                sums[0] +=
                    0.25 * static_cast<double>(std::norm(mode.at(r + 1, c) - mode.at(r - 1, c)));
                sums[1] +=
                    0.25 * static_cast<double>(std::norm(mode.at(r, c + 1) - mode.at(r, c - 1)));
            }
    return sums;
}

// mean |O|^2 where the windows are.
template <class Real>
double object_power(Job<Real> const& job) {
    double sum = 0;
    index count = 0;
    index const n = job.window();
    Planar<Real> const& object = job.state.object.front();
    for (auto const& position : job.state.positions) {
        Place const place = place_of(position, false);
        for (index i = 0; i < n; i += 8)
            for (index k = 0; k < n; k += 8, ++count)
                sum += static_cast<double>(std::norm(object.at(place.row + i, place.col + k)));
    }
    return sum / static_cast<double>(count);
}

double within(double x, double low, double high) {
    return std::min(std::max(x, low), high);
}

}  // namespace

template <class Real>
void refine_positions(Job<Real>& job) {
    job.gather_position_gradients();
    auto const steep = steepness(job.state.probe);
    double const power = object_power(job);
    auto& positions = job.state.positions;
    std::vector<std::array<double, 2>> moves(positions.size());
    std::array<double, 2> mean{};
    // The loss is |chi|^2, its second derivative twice the steepness of the exit wave.
    for (std::size_t j = 0; j < moves.size(); ++j)
        for (std::size_t i = 0; i < 2; ++i) {
            double const curvature = 2 * power * steep[i];
            double const move = -job.stage.position_step * job.position_gradients[j][i] / curvature;
            moves[j][i] = within(move, -0.1, 0.1);
            mean[i] += moves[j][i] / static_cast<double>(moves.size());
        }
    auto const [rows, cols] = job.canvas();
    auto const n = static_cast<double>(job.window());
    for (std::size_t j = 0; j < moves.size(); ++j) {
        positions[j].row =
            within(positions[j].row + moves[j][0] - mean[0], 0, static_cast<double>(rows) - n);
        positions[j].col =
            within(positions[j].col + moves[j][1] - mean[1], 0, static_cast<double>(cols) - n);
    }
}

template void refine_positions(Job<float>&);
template void refine_positions(Job<double>&);

}  // namespace sluice::ptycho
