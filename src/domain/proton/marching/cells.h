// The state's values, wherever they are, and what is done to all of them at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "domain/proton/marching/grid.h"

namespace sluice::proton::marching {

/// From `low` to before `high`.
struct Window {
    index low = 0, high = 0;
    index size() const { return high - low; }
    bool empty() const { return low >= high; }
};

/// A part of the grid.
struct Box {
    Window row, angle, x;
};

/// Water's numbers of all rows, as the kernels read them.
template <class Real>
struct Water {
    explicit Water(RangeRows const& rows);
    std::vector<Real> energy, bend, up, down, far, loss;
    index fall = 0;
};

/// How rows scatter at a face.
struct Diffusion {
    std::vector<int> passes;       ///< [row]
    std::vector<double> part;      ///< [row]: to each neighbour in one of its passes, in water
    std::vector<double> relative;  ///< [x]: multiples of water's, of what is no gas
    std::vector<double> gas;       ///< [x]: and of gases
    std::vector<double> young;     ///< [row]: what of it gases do
};

/// What scattering left.
struct Scattered {
    std::vector<Leak> leaks;       ///< [row of the box]
    std::vector<double> given_up;  ///< [row]: since the last time
};

/// How the protons of one direction fly over a plane.
struct Way {
    double shift;  ///< columns
    double path;   ///< straight steps
    Cut cut;
};

/// A flight over a plane.
template <class Real>
struct Crossing {
    index columns;                  ///< of the box that the phantom has
    std::vector<Way> ways;          ///< [angle of the box]
    Columns<Real> materials;        ///< [x], from the grid's first
    double back;                    ///< parts of its shift that what it leaves lies behind
    std::vector<Real> after, drop;  ///< [row], as Rows has them
};

/// What a flight left; of x from the box's first on, in the state's unit and MeV.
struct Flown {
    std::vector<double> deposit, nuclear_energy;
    Share left, right, stopped, nuclear;
};

/// f[row][angle][x]. Outside of the boxes that are given all is 0.
template <class Real>
class Cells {
  public:
    virtual ~Cells() = default;
    /// Replaces all of it.
    virtual Status fill(std::vector<Real> values) = 0;
    /// Sums over angles, [row][x], and over rows, [angle][x]; of the box, the rest as it is.
    /// Reports the weight that was given up.
    virtual Result<std::vector<double>> add_up(Box const& box, std::span<Real> row_sums,
                                               std::span<Real> angle_sums) = 0;
    /// Makes a box 0. The next scatter() or add_up() reports its weight by row.
    virtual Status give_up(Box const& box) = 0;
    /// The same, for weight that is accounted for already.
    virtual Status clear(Box const& box) = 0;
    /// Rows have other numbers from now on.
    virtual Status set_rows(RangeRows const& rows) = 0;
    virtual Result<Scattered> scatter(Box const& box, Diffusion const& how,
                                      std::span<Real> row_sums) = 0;
    virtual Result<Flown> fly(Box const& box, Crossing<Real> const& how,
                              std::span<Real> angle_sums) = 0;
};

/// Those of a device: its kernels, or the reference's.
template <class Real>
Result<std::unique_ptr<Cells<Real>>> make_cells(Device const& device, index angles, index stride,
                                                RangeRows const& rows);

}  // namespace sluice::proton::marching
