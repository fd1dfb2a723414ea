// The dense mode of proton beams: all of phase space on a grid of energy, angle, depth and x.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sluice/device.h"
#include "sluice/proton.h"

namespace sluice::proton {

/// How far apart the energies are.
enum class EnergySpacing : std::uint8_t { uniform, logarithmic, range };

/// What happens to protons that turn back.
enum class Backward : std::uint8_t {
    reject,  ///< those at 90 degrees and more are taken out
    cap,     ///< those at more than DenseOptions::angle_cap are taken out
    allow,   ///< those whose cosine is less than DenseOptions::least_cosine are taken out
};

struct DenseOptions {
    EnergySpacing spacing = EnergySpacing::range;
    /// How many; 0: dense_energies(). Spaced by range without an energy_max, they are a step apart
    /// if there are enough, only as many as are needed, and one of them is the beam's own.
    index energies = 0;
    double energy_min = 1;  ///< MeV
    double energy_max = 0;  ///< MeV; 0: a little more than the beam has
    index angles = 72;
    /// To each side of the z axis, radians; pi: all directions, and the ends meet.
    double angle_window = 3.141592653589793;
    double step = 0;  ///< path of a step, mm; 0: that of the planes
    Splitting splitting = Splitting::strang;
    Backward backward = Backward::reject;
    double angle_cap = 2.0943951023931953;  ///< radians
    double least_cosine = -0.1;
    bool scattering = true, straggling = true, nuclear = true, out_of_plane = true;
    /// Planes of an energy and an angle with less of the beam's weight at a depth are dropped
    /// there; 0: all of the grid is computed in every step.
    double threshold = 1e-12;
    Precision precision = Precision::f32;
    Device device = Device::cpu();
    /// In thousandths of the beam that have ended; also asked within a step, which can take
    /// seconds.
    Progress progress = {};
    Trace* trace = nullptr;  ///< made for one worker: the steps of the thread that marches
};

/// So many energies that slowing down in water goes from one to the next, where they are spaced by
/// range; else 200.
index dense_energies(Physics const& physics, Phantom const& phantom, Beam const& beam,
                     DenseOptions const& options);

/// A whole step as numbers, for who computes it elsewhere.
struct DenseOperators {
    /// [energy]: part that scattering brings to each neighbouring angle, in each of its passes.
    std::vector<double> diffusion;
    std::vector<int> passes;
    std::vector<double> z, x;     ///< [energy][angle]: places that a plane moves
    std::vector<index> to;        ///< [energy][3]: where slowing down brings it; -1: none
    std::vector<double> part;     ///< [energy][3]
    std::vector<double> deposit;  ///< [energy]: MeV
};

/// psi[energy][angle][plane][column], x contiguous: weight per cell (the order of Smatrix_2D).
/// A step is scattering, streaming and energy loss over the same path for all; what streams is
/// shared by area between the cells around where it lands. What slows down is shared between the
/// energies around: the mean energy is kept, and the variance grows as Bohr says where the grid's
/// own is less.
class DenseSolver {
  public:
    /// Errors: what march() refuses, grids that do not hold the beam or are too coarse, more than
    /// 16 materials, and memory. `physics` must live as long.
    static Result<DenseSolver> create(Physics const& physics, Phantom const& phantom,
                                      Beam const& beam, DenseOptions const& options);
    ~DenseSolver();
    DenseSolver(DenseSolver&&) noexcept;

    /// One step of all protons. Once stopped in the middle of a step, the solver accepts only
    /// set_state().
    Status step();
    /// Steps until all but 1e-9 of the weight has ended.
    Status run();

    /// The dose until now as march() gives it: `sums` are empty, `cells` is what was computed.
    Result<MarchResult> result() const;
    index steps() const;

    std::vector<double> const& energies() const;  ///< MeV, ascending
    std::vector<double> const& angles() const;    ///< radians from the z axis, ascending
    /// A copy of psi.
    Result<std::vector<double>> state() const;
    /// Replaces psi, and begins anew with it: no steps, no dose, a ledger of what it has.
    Status set_state(std::vector<double> const& psi);
    /// Of the first material.
    DenseOperators operators() const;
    /// Of the state and all that a step needs beside it.
    std::size_t bytes() const;

  private:
    struct Parts;
    explicit DenseSolver(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace sluice::proton
