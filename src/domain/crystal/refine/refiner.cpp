// Gauss and Newton's steps of a lattice over a whole pattern: the six numbers of the lattice are
// common to all disks, height and background are each disk's own.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/refine/refiner.h"

#include <algorithm>
#include <cmath>

#include "domain/crystal/fit/render.h"
#include "domain/crystal/fit/start_model.h"
#include "domain/crystal/lattice/matrix2.h"

namespace sluice::crystal {
namespace {

using stem4d::LatticeBasis;

constexpr int least_steps = 2, most_steps = 15;
constexpr std::size_t leaders = 12;
constexpr std::size_t most_places = 1024;

void move(LatticeBasis& l, std::array<double, 6> const& by, double part) {
    l.origin.row += part * by[0], l.origin.col += part * by[1];
    l.a.row += part * by[2], l.a.col += part * by[3];
    l.b.row += part * by[4], l.b.col += part * by[5];
}

bool in_frame(DiskState const& d, Padded const& pattern) {
    return d.row > -1 && d.col > -1 && d.row < static_cast<double>(pattern.rows) &&
           d.col < static_cast<double>(pattern.cols);
}

}  // namespace

void Refiner::begin(Room& room, Padded const& pattern, LatticeBasis const& at,
                    float* others) const {
    room.places_.clear();
    std::array const shape{static_cast<double>(pattern.rows), static_cast<double>(pattern.cols)};
    for (LatticePoint const& p : points_near(at, points_, shape, 0.5, most_places))
        room.places_.push_back({p.h, p.k, {p.row, p.col, {}}});
    if (beside_ && others)
        for (index r = -tables_->side(); r < pattern.rows + tables_->side(); ++r)
            std::fill_n(others + r * pattern.pitch - tables_->side(),
                        pattern.cols + 2 * tables_->side(), 0.0F);
    while (room.crops_.size() < room.places_.size())
        room.crops_.push_back(std::make_unique<CropRoom>(*tables_, *kernels_));
    for (auto const& crop : room.crops_) crop->forget();
}

void Refiner::start(Room::Place& place, CropRoom& crop, Padded const& pattern) const {
    DiskState& d = place.state;
    crop.cut(pattern, d.row, d.col);
    Crop const whole = crop.at(d.row, d.col, d.model);
    start_model(kernels_->correlate(whole, crop.mean_of_table()), whole, d.model);
    place.begun = true;
}

void Refiner::look(Room::Place& place, CropRoom& crop, Padded const& pattern, float* others) const {
    DiskState& d = place.state;
    place.sums.reset();
    if (!in_frame(d, pattern)) return;
    add_model(place, pattern, others, -1);
    if (beside_) crop.forget();
    if (!place.begun) start(place, crop, pattern);
    if (!crop.holds(d.row, d.col, part_)) crop.cut(pattern, d.row, d.col, part_);
    if (crop.visible() >= 0.5) {
        Crop const all = crop.at(d.row, d.col, d.model);
        place.sums = eliminate(kernels_->score(all, d.model), unknowns_of(all));
    }
    add_model(place, pattern, others, 1);
}

// Nothing where disks are fitted on their own.
void Refiner::add_model(Room::Place const& place, Padded const& pattern, float* others,
                        double times) const {
    if (beside_ && place.begun && in_frame(place.state, pattern))
        add_disk(*tables_, place.state, times, others, pattern.pitch);
}

// Whether it was the last step.
bool Refiner::step(Room& room, Padded const& pattern, float* others, std::size_t places,
                   Refined& out) const {
    Normal6 all;
    for (std::size_t i = 0; i < places; ++i) {
        Room::Place& p = room.places_[i];
        look(p, *room.crops_[i], pattern, others);
        if (!p.sums) continue;
        auto const [row, col] = p.sums->step();
        all.add(p.sums->weight, p.h, p.k, row, col);
    }
    std::array<double, 6> by{};
    if (all.collinear() || !all.solve(by, out.covariance)) {
        out.steps = most_steps;
        return true;
    }
    double form = 0, farthest = 0;
    for (std::size_t i = 0; i < 6; ++i) form += by[i] * all.right[i];
    auto const moved = [&](Room::Place const& p) {
        return std::array{by[0] + p.h * by[2] + p.k * by[4], by[1] + p.h * by[3] + p.k * by[5]};
    };
    for (Room::Place const& p : room.places_)
        if (p.sums) farthest = std::max(farthest, std::hypot(moved(p)[0], moved(p)[1]));
    // A lattice that is a pixel off is still within the disks' edges.
    double const part = farthest > 1 ? 1 / farthest : 1;
    ++out.steps;
    out.converged = out.steps >= least_steps && part == 1 &&
                    (form < enough_after(out.steps) || farthest < 1e-3);
    move(out.at, by, part);
    for (std::size_t i = 0; i < room.places_.size(); ++i) {
        Room::Place& p = room.places_[i];
        auto const [row, col] = moved(p);
        add_model(p, pattern, others, -1);
        p.state.row += part * row, p.state.col += part * col;
        if (p.sums) {
            Model ignored = p.state.model;
            Crop const crop = room.crops_[i]->at(p.state.row, p.state.col, ignored);
            p.sums->follow(part * row, part * col, crop, p.state.model);
            // What is left of the place's own step.
            p.sums->slope_row -= part * (p.sums->weight.rr * row + p.sums->weight.rc * col);
            p.sums->slope_col -= part * (p.sums->weight.rc * row + p.sums->weight.cc * col);
        }
        add_model(p, pattern, others, 1);
    }
    return out.converged || out.steps >= most_steps;
}

// Bright disks lead the way, so that weak ones are looked at near their places only.
void Refiner::approach(Room& room, Padded const& pattern, Refined& out) const {
    stem4d::LatticeBasis const start = out.at;
    bool near = false;
    for (int i = 0; i < 6 && !near; ++i) {
        stem4d::LatticeBasis const last = out.at;
        if (step(room, pattern, nullptr, leaders, out) && !out.converged) break;
        near = true;
        for (std::size_t p = 0; p < leaders; ++p) {
            auto const& [h, k, state, sums, begun] = room.places_[p];
            double const rows = out.at.origin.row - last.origin.row +
                                h * (out.at.a.row - last.a.row) + k * (out.at.b.row - last.b.row),
                         cols = out.at.origin.col - last.origin.col +
                                h * (out.at.a.col - last.a.col) + k * (out.at.b.col - last.b.col);
            near = near && std::hypot(rows, cols) < 0.25;
        }
    }
    if (!near) out.at = start;
    out.steps = 0;
    out.converged = false;
    for (Room::Place& p : room.places_) {
        p.state.row = out.at.origin.row + p.h * out.at.a.row + p.k * out.at.b.row;
        p.state.col = out.at.origin.col + p.h * out.at.a.col + p.k * out.at.b.col;
        p.begun = p.begun && near;
    }
}

void Refiner::finish(Room& room, Refined& out) const {
    double misfit = 0;
    index count = 0;
    for (Room::Place const& p : room.places_) {
        if (!p.sums) continue;
        PlaceSums const& s = *p.sums;
        auto const [row, col] = s.step();
        misfit += row * s.slope_row + col * s.slope_col;
        ++count;
        DiskFit fit{.disk = p.state, .converged = true, .var_height = s.var_height};
        fit.disk.row += row, fit.disk.col += col;
        double const d = s.weight.rr * s.weight.cc - s.weight.rc * s.weight.rc;
        fit.var_row = s.weight.cc / d, fit.var_col = s.weight.rr / d, fit.cov = -s.weight.rc / d;
        // Heights that chance made larger make places look better known than they are.
        double const height = p.state.model.height, more = 1 + 2 * s.var_height / (height * height);
        fit.var_row *= more, fit.var_col *= more, fit.cov *= more;
        fit.score = p.state.model.height * p.state.model.height / s.var_height;
        out.counts += p.state.model.height * tables_->sum();
        out.disks.push_back(fit);
    }
    out.misfit = count > 3 ? misfit / static_cast<double>(2 * count - 6) : 0;
}

Refined Refiner::operator()(Room& room, Padded pattern, LatticeBasis const& start,
                            float* others) const {
    Refined out{.at = start};
    begin(room, pattern, start, others);
    if (beside_) pattern.near = others;
    if (!points_.empty() && !beside_ && room.places_.size() > 2 * leaders)
        approach(room, pattern, out);
    while (!step(room, pattern, others, room.places_.size(), out)) {
    }
    if (out.converged) finish(room, out);
    return out;
}

}  // namespace sluice::crystal
