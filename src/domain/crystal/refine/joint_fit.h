// The steps of a joint fit of one pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/refine/joint.h"

namespace sluice::crystal {

class JointRefiner::Fit {
  public:
    Fit(JointRefiner const& refiner, Room& room, Padded const& pattern,
        stem4d::LatticeBasis const& start);
    Refined run();

  private:
    using Place = Room::Place;

    // Of the beginning.
    void make_pictures();
    void choose_places();
    double visible(index row, index col) const;
    void begin_backgrounds();
    void begin_heights();
    // Of each step.
    void expect();
    void fill_matrix();
    void fill_heights(JointRow const& row);
    bool solve(double& form);
    void move(double part);
    bool step();
    // Of the end.
    void invert_lattice();
    double pearson() const;
    void finish();

    std::array<double, 2> place_of(Place const& p) const;
    double shift_of(Place const& p, std::array<double, 6> const& by) const;
    float* own(std::size_t place) const;
    index at(Place const& p) const { return p.row * pattern_.pitch + p.col; }
    index heights() const { return static_cast<index>(room_.places_.size()); }
    index backgrounds() const { return static_cast<index>(room_.backgrounds_.size()); }
    index unknowns() const { return heights() + backgrounds() + 6; }
    double& matrix(index i, index j) {
        return room_.matrix_[static_cast<std::size_t>(i * pitch_ + j)];
    }
    std::array<double, 6> lattice_step() const;

    JointKernels const& kernels_;
    Tables const& tables_;
    std::span<std::array<int, 2> const> points_;
    Room& room_;
    Padded pattern_;
    JointPictures pictures_{};
    index pitch_ = 0;  // of the matrix
    Refined out_ = {};
};

}  // namespace sluice::crystal
