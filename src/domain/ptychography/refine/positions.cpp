// Gauss and Newton's step for positions. Gradients are exact. The curvature is that of the object
// that moves beneath a resting probe, for any phase of the error.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/group_sums.h"
#include "domain/ptychography/refine/affine.h"
#include "domain/ptychography/refine/refine.h"
#include "domain/ptychography/step/weight.h"

namespace sluice::ptycho {

namespace {

constexpr double longest_step = 0.1;  // of a position on its own, in pixels
constexpr double affine_momentum = 0.85;
constexpr double longest_affine_step = 0.5;  // of the outermost one

// The product of all slices: what a thin object would be.
template <class Real>
Planar<Real> projected_object(State<Real> const& state) {
    Planar<Real> product = state.object.front();
    for (std::size_t s = 1; s < state.object.size(); ++s)
        for (index r = 0; r < product.rows(); ++r)
            for (index c = 0; c < product.cols(); ++c)
                product.set(r, c, product.at(r, c) * state.object[s].at(r, c));
    return product;
}

// sum |P|^2 dO dO^T over a window, dO the differences to both neighbours, their mean. Differences
// over one pixel: those over two miss structure with a period of two.
template <class Real>
std::array<double, 3> texture(Planar<Real> const& object, std::vector<Real> const& power,
                              WindowPlace const& place, index n) {
    std::array<double, 3> sums{};
    auto const apart = [&](index r, index c, index dr, index dc) {
        return std::complex<double>(object.at(place.row + r + dr, place.col + c + dc) -
                                    object.at(place.row + r, place.col + c));
    };
    for (index r = 1; r + 1 < n; ++r)
        for (index c = 1; c + 1 < n; ++c) {
            double const weight =
                0.5 * static_cast<double>(power[static_cast<std::size_t>(r * n + c)]);
            for (index side : {-1, 1}) {
                auto const down = apart(r, c, side, 0), across = apart(r, c, 0, side);
                sums[0] += weight * std::norm(down);
                sums[1] += weight * (down * std::conj(across)).real();
                sums[2] += weight * std::norm(across);
            }
        }
    return sums;
}

// The loss about each position, by second order.
template <class Real>
std::vector<Quadratic> quadratics(Job<Real> const& job) {
    auto const object = projected_object(job.state);
    auto const power = probe_power(job);
    auto const& positions = job.state.positions;
    std::vector<Quadratic> all(positions.size());
    // The loss is |chi|^2 for amplitudes; its second derivative is at most twice the texture.
    double const by = 2 * curvature_of(job.step.model().likelihood);
    parallel_for(std::ssize(all), job.threads, 4, [&](index j, int) {
        auto const at = static_cast<std::size_t>(j);
        all[at].gradient = job.collected.position[at];
        all[at].curvature = texture(object, power, place_of(positions[at], false), job.window());
        for (double& c : all[at].curvature) c *= by;
    });
    return all;
}

double trace(Quadratic const& q) {
    return q.curvature[0] + q.curvature[2];
}

// A tenth of the median. Below it a position shows too little of the object to be found.
double least_texture(std::vector<Quadratic> const& all) {
    std::vector<double> traces;
    for (auto const& q : all) traces.push_back(trace(q));
    auto const middle = traces.begin() + std::ssize(traces) / 2;
    std::nth_element(traces.begin(), middle, traces.end());
    return 0.1 * *middle;
}

template <class Real>
void move_by_affine(Job<Real>& job, std::vector<Quadratic> const& all) {
    auto const& positions = job.state.positions;
    AffineMap map = best_affine(positions, all);
    // The object gives way to a wrong scale, so that each step falls short: steps in one direction
    // add up.
    for (std::size_t i = 0; i < map.matrix.size(); ++i)
        map.matrix[i] += affine_momentum * job.state.affine_speed[i];
    double longest = 0;
    for (auto const& p : positions) {
        auto const turned = map.turn(p);
        longest = std::max(longest, std::hypot(turned[0], turned[1]));
    }
    double const by =
        std::min(job.stage.position_step, longest > 0 ? longest_affine_step / longest : 1);
    for (std::size_t i = 0; i < map.matrix.size(); ++i)
        job.state.affine_speed[i] = std::min(by, 1.0) * map.matrix[i];
    for (std::size_t j = 0; j < positions.size(); ++j) {
        auto const turned = map.turn(positions[j]);
        put_position(job, j,
                     {positions[j].row + by * turned[0], positions[j].col + by * turned[1]});
    }
}

template <class Real>
void move_each(Job<Real>& job, std::vector<Quadratic> const& all,
               std::vector<std::uint8_t> const& placed) {
    double const least = least_texture(all);
    double mean_trace = 0;
    for (auto const& q : all) mean_trace += trace(q) / static_cast<double>(all.size());
    std::vector<std::array<double, 2>> moves(all.size());
    std::array<double, 2> mean{};
    double moved = 0;
    for (std::size_t j = 0; j < all.size(); ++j) {
        if (trace(all[j]) < least || (!placed.empty() && placed[j])) continue;
        auto const [rr, rc, cc] = all[j].curvature;
        double const a = rr + 0.05 * mean_trace, b = cc + 0.05 * mean_trace;
        double const det = a * b - rc * rc;
        if (!(det > 0)) continue;
        auto const [gr, gc] = all[j].gradient;
        double const row = -job.stage.position_step * (b * gr - rc * gc) / det;
        double const col = -job.stage.position_step * (a * gc - rc * gr) / det;
        moves[j] = {std::clamp(row, -longest_step, longest_step),
                    std::clamp(col, -longest_step, longest_step)};
        mean[0] += moves[j][0];
        mean[1] += moves[j][1];
        ++moved;
    }
    // A shift that all positions share belongs to the object.
    for (std::size_t j = 0; j < all.size(); ++j) {
        if (moves[j][0] == 0 && moves[j][1] == 0) continue;
        auto const& p = job.state.positions[j];
        put_position(
            job, j, {p.row + moves[j][0] - mean[0] / moved, p.col + moves[j][1] - mean[1] / moved});
    }
}

}  // namespace

template <class Real>
void put_position(Job<Real>& job, std::size_t pattern, stem4d::Position place) {
    auto const [rows, cols] = job.canvas();
    auto const n = static_cast<double>(job.window());
    job.state.positions[pattern] = {std::clamp(place.row, 0.0, static_cast<double>(rows) - n),
                                    std::clamp(place.col, 0.0, static_cast<double>(cols) - n)};
}

template <class Real>
void step_positions(Job<Real>& job, std::vector<std::uint8_t> const& placed) {
    auto const all = quadratics(job);
    if (job.stage.position_model == PtychographyStage::PositionModel::affine)
        move_by_affine(job, all);
    else
        move_each(job, all, placed);
}

template void put_position(Job<float>&, std::size_t, stem4d::Position);
template void put_position(Job<double>&, std::size_t, stem4d::Position);
template void step_positions(Job<float>&, std::vector<std::uint8_t> const&);
template void step_positions(Job<double>&, std::vector<std::uint8_t> const&);

}  // namespace sluice::ptycho
