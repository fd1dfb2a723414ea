// PatternStep: from object and probe to patterns, and from their errors back to gradients.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "domain/ptychography/counts.h"
#include "domain/ptychography/errors.h"
#include "domain/ptychography/model.h"
#include "domain/ptychography/state.h"
#include "domain/ptychography/step/residual_step.h"

namespace sluice::ptycho {

/// Of one pattern's loss L. A gradient by a complex z is dL/dz*, so that dL = 2 Re <gradient, dz>.
template <class Real>
struct Gradients {
    std::vector<Planar<Real>> object = {};  ///< [slice], each a window
    std::vector<Planar<Real>> probe = {};   ///< [mode], by the pattern's own probe
    std::array<double, 2> position = {};    ///< dL/d(row, col) of the window
    std::array<double, 2> descan = {};      ///< dL/d(row, col) of the pattern's shift
    /// [row][col] of the pattern: dL/d(background), where the state has one; and modelled counts.
    std::vector<Real> background = {}, model = {};
    double slice = 0;                 ///< dL/d(slice_nm)
    std::array<double, 2> tilt = {};  ///< dL/d(tilt_rad)
    /// How much waves change by slice_nm and tilt_rad: the squared length of their derivatives, at
    /// most, without the part that is a phase of the whole wave.
    double slice_reach = 0;
    std::array<double, 2> tilt_reach = {};
    double object_peak = 0;  ///< largest |object|^2 in the window, of all slices
    Errors errors = {};
    ResidualSlopes slopes = {};  ///< of Poisson's likelihood, where they are wanted
};

/// Sums of a group's gradients: all that a solver needs which does not look at single patterns.
template <class Real>
struct Sums {
    std::vector<Planar<Real>> object = {};  ///< [slice], canvases; zero where no window is
    std::vector<Planar<Real>> probe = {};   ///< [mode], windows
};

/// Coefficients of a projection. Where the mean squared error of amplitudes in a pattern is at most
/// `power_bound`, it counts as noise and M changes nothing; else M leaves that much.
struct Projection {
    double a = 0, b = 1, c = 1;
    double power_bound = 0;
};

/// A loss along a line: L(t) is near L(0) + slope t + curvature t^2.
struct Line {
    double slope = 0, curvature = 0;
};

/// What a solver asks for beside the gradients of object and probe.
struct Wanted {
    bool position = false;
    bool descan = false;
    bool slice_and_tilt = false;
    bool noise = false;        ///< Errors::noise, by the plain step only
    bool errors_only = false;  ///< no gradients at all
    bool slopes = false;       ///< Gradients::slopes
};

template <class Real>
class PatternStep {
  public:
    virtual ~PatternStep() = default;

    /// The gradients of patterns group[i] into out[i], which reserve() made. Threads share the
    /// patterns out; no answer depends on them.
    virtual void gradients(State<Real> const& state, std::span<index const> group, Wanted wanted,
                           std::span<Gradients<Real>> out, int threads) const = 0;

    /// As gradients(), but those of object and probe are added to `sums.object`, and become
    /// `sums.probe`: in the order of the group, so that no bit depends on threads. out[i] needs no
    /// room for them, and keeps the rest.
    virtual void add_gradients(State<Real> const& state, std::span<index const> group,
                               Wanted wanted, std::span<Gradients<Real>> out, Sums<Real>& sums,
                               int threads) const = 0;

    /// One update of the generalised projections for patterns group[i], whose waves behind the
    /// object are waves[i * modes + k]: psi becomes (1-a-b) psi + a v + b M((1-c) psi + c v), where
    /// v is probe times object and M puts the measured moduli into spectra. Errors are those of v.
    virtual void project(State<Real> const& state, std::span<index const> group,
                         Projection const& projection, std::span<Planar<Real>> waves,
                         std::span<Errors> errors, int threads) const = 0;

    /// The losses of patterns group[i] along object + t way.object, probe + t way.probe into
    /// out[i]. Curvatures leave out what curves downwards where a pixel is modelled too dark.
    virtual void lines(State<Real> const& state, State<Real> const& way,
                       std::span<index const> group, std::span<Line> out, int threads) const = 0;

    /// A wave from where a slice begins to where the next one does, with nothing in between.
    virtual void spread(Planar<Real>& wave) const = 0;

    virtual Model const& model() const = 0;
    /// Other slices from now on: their distance, and the specimen's tilt (row, col).
    virtual void set_slices(double slice_nm, std::array<double, 2> tilt_rad) = 0;
};

/// Room for what `count` patterns give.
template <class Real>
std::vector<Gradients<Real>> reserve(Model const& model, State<Real> const& state, index count);

/// The same for the background only.
template <class Real>
void reserve_background(Gradients<Real>& of_pattern, State<Real> const& state) {
    of_pattern.background.resize(state.background.size());
    of_pattern.model.resize(state.background.size());
}

/// Zeros for what a group gives.
template <class Real>
Sums<Real> reserve_sums(Model const& model, State<Real> const& state);

/// The plain loops, for any size and every option. In double they are the twin of the fast ones.
template <class Real>
Result<std::unique_ptr<PatternStep<Real>>> make_plain_step(Model const& model,
                                                           Measured const& measured);

extern template Result<std::unique_ptr<PatternStep<float>>> make_plain_step(Model const&,
                                                                            Measured const&);
extern template Result<std::unique_ptr<PatternStep<double>>> make_plain_step(Model const&,
                                                                             Measured const&);

}  // namespace sluice::ptycho
