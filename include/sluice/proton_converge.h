// What the steps of a grid cost in accuracy, and which steps are fine enough.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "sluice/proton_config.h"
#include "sluice/proton_guards.h"

namespace sluice::proton {

/// The steps of a grid, each of which has a family of grids of its own.
enum class StepAxis : std::uint8_t { dz, range, dx, angle };
inline constexpr std::size_t step_axes = 4;
std::string_view name_of(StepAxis axis);  ///< its key in a configuration
double& step_of(Steps& steps, StepAxis axis);
double step_of(Steps const& steps, StepAxis axis);

/// What is watched. Lengths are in mm, the dose as the L2 norm of its error over that of the dose.
enum class Quantity : std::uint8_t { r80, fall_off, sigma_half, sigma_peak, dose };
inline constexpr std::size_t quantities = 5;
template <class T>
using PerQuantity = std::array<T, quantities>;

/// One grid: what came out, and what it cost.
struct GridRun {
    Steps steps = {};
    std::array<double, 4> values = {};  ///< R80, fall-off, sigma at half of R80 and at the peak, mm
    index planes = 0, columns = 0;
    std::vector<double> deposit = {};  ///< [plane][column], MeV
    Unexplained unexplained = {};      ///< the dose that physics explains least
    index cells = 0;
    double seconds = 0;
};

/// Values on grids whose step is half of that before, from the coarsest to the finest.
struct Sequence {
    bool converges = false;  ///< the last two differences have one sign and shrink
    double order = 0;        ///< observed in the last three; NaN where it does not converge
    double limit = 0;        ///< extrapolated (Richardson); else the last one
    /// Of each value. Where it does not converge, the largest difference between those from it, or
    /// from the last but two, to the finest.
    std::vector<double> errors = {};
};
/// At least three. A faster convergence than of second order is taken as one of second order.
Sequence sequence_of_values(std::span<double const> values);
/// The same out of the norms of the differences between neighbours, at least two; it has no limit.
Sequence sequence_of_differences(std::span<double const> differences);

/// The grids that differ in one step only.
struct AxisStudy {
    StepAxis axis = StepAxis::dz;
    std::vector<GridRun> runs;
    PerQuantity<Sequence> found;
};

/// The cheapest of all combinations of the studied steps whose errors, added up over the axes, are
/// at most those wanted.
struct Advice {
    bool reached = false;  ///< if none is, the cheapest of those that come nearest
    Steps steps;
    PerQuantity<double> errors = {};
    double cells = 0;  ///< estimated
    StepAxis worst_axis = StepAxis::dz;
    Quantity worst = Quantity::r80;  ///< nearest to what is wanted, or farthest beyond
};
Advice advise(std::span<AxisStudy const> axes, PerQuantity<double> const& wanted);

struct Convergence {
    std::vector<AxisStudy> axes;
    Advice advice;
    std::array<double, 4> limits = {};  ///< of the values, all axes extrapolated, mm
};

/// Marches one grid.
using RunGrid = std::function<Result<GridRun>(Steps const&)>;

/// Runs the families around `base`: every step doubled, as it is, halved, and so on, `levels` (at
/// least 3) of each. Rows of range are tried on the coarsest planes and planes with the finest
/// rows, so that water moves by whole rows in all of them. `base` itself is run first.
Result<Convergence> converge(Steps const& base, int levels, PerQuantity<double> const& wanted,
                             RunGrid const& run);
/// How many grids that are.
int grids_of(int levels);

/// Depths of which sigma is compared, mm.
struct SigmaDepths {
    double half = 0, peak = 0;
};
Result<SigmaDepths> sigma_depths(MarchResult const& result);
Result<GridRun> measure(Steps const& steps, MarchResult const& result, SigmaDepths const& at);

/// The L2 norm of the difference of two doses over that of the second, where both are summed up to
/// the coarser cells of each direction.
Result<double> dose_difference(GridRun const& a, GridRun const& b);

}  // namespace sluice::proton
