// FastPath: a pattern's way to the detector and back through the kernels, in a thread's room.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/counts.h"
#include "domain/ptychography/step/bins.h"
#include "domain/ptychography/step/fast_line.h"
#include "domain/ptychography/step/fast_room.h"
#include "domain/ptychography/step/line_kernels.h"
#include "domain/ptychography/step/project_kernels.h"
#include "domain/ptychography/step/slice_tables.h"
#include "domain/ptychography/step/step.h"

namespace sluice::ptycho {

/// The kernels of a side, or null.
FastKernel const* fast_kernel_of(index side, Isa isa);

inline Window window(Planar<float> const& plane, index row = 0, index col = 0) {
    return {plane.re(row) + col, plane.half()};
}
inline bool is_moved(WindowPlace const& place) {
    return place.row_part != 0 || place.col_part != 0;
}

class FastPath {
  public:
    FastPath(Model const& model, Measured const& measured, Isa isa);

    Model const& model() const { return model_; }
    void set_slices(double slice_nm, std::array<double, 2> tilt_rad);

    Room make_room(index modes) const;
    WindowPlace place_of_pattern(State<float> const& state, index j) const {
        return place_of(state.positions[static_cast<std::size_t>(j)], model_.sub_pixel);
    }

    /// The probe's spectrum in the order of the passes, of mode k or, behind the modes, of what is
    /// added to the first.
    Planar<float> spectrum_of(State<float> const& state, index k, Room& room) const;
    using Spectra = std::vector<Planar<float>>;
    /// The same of the pattern's own probe.
    float const* own_spectrum(State<float> const& state, index j, index k, Spectra const& spectra,
                              Room& room) const;

    /// To the detector, and its residual back to the plane behind the object: into the tiles. Sets
    /// all but gradients.
    void enter_and_weigh(State<float> const& state, index j, WindowPlace const& place,
                         Spectra const& spectra, Wanted wanted, Room& room,
                         Gradients<float>& out) const;

    /// What leaves a slice on the way back; where its gradients go is the caller's, but for that by
    /// the pattern's shift.
    Leaving leaving(State<float> const& state, WindowPlace const& place, index slice, index k,
                    Wanted wanted, Room& room, Gradients<float>& out) const;
    void leave(index slice, index k, Leaving const& to, index first, index last, Room& room) const;
    /// From a slice, not the first, to the one before it.
    void go_back(index slice, index k, Wanted wanted, Room& room, Gradients<float>& out) const;

    /// A window's gradient by the probe where it stood, as a spectrum in room.spectra, and room's
    /// factors for the way to the middle of pixels. Adds its gradient by the position.
    void turn_back(WindowPlace const& place, float const* probe, index k, Window gradient,
                   Wanted wanted, Room& room, std::array<double, 2>& position) const;
    /// A spectrum moved by factors of moves.h into a window.
    void move(float const* spectrum, float const* factors, index k, Room& room, float* to) const;
    /// The same factors times a spectrum, added to another.
    void add_turned(float const* spectrum, float const* factors, float* to) const {
        kernel_.add_turned(spectrum, factors, to);
    }

    /// PatternStep::project() for one pattern, in fast_projection.cpp.
    Errors project(State<float> const& state, index j, Spectra const& spectra,
                   Projection const& projection, Room& room, std::span<Planar<float>> waves) const;

    LineRoom make_line_room() const { return LineRoom(kernel_); }
    /// PatternStep::lines() for one pattern, in fast_line.cpp.
    Line line(Ends const& ends, index j, LineRoom& room) const;

  private:
    void enter_line(Ends const& ends, WindowPlace const& place, Window probe, Window way,
                    float const* ramp, LineRoom& room) const;
    void add_background(State<float> const& state, float* intensity) const;
    Window probe_at(State<float> const& state, WindowPlace const& place, index k, Room& room) const;
    void set_shift(State<float> const& state, index j, Wanted wanted, Room& room) const;
    float enter(State<float> const& state, WindowPlace const& place, index k, Wanted wanted,
                Room& room) const;
    void move_probe(State<float> const& state, index j, WindowPlace const& place, index k,
                    Spectra const& spectra, Room& room) const;
    void set_valid();
    PixelSums weigh(State<float> const& state, index j, Wanted wanted, Room& room,
                    Gradients<float>& out) const;
    PixelSums weigh_bins(State<float> const& state, index j, Wanted wanted, Room& room,
                         Gradients<float>& out) const;
    Pixels pixels_of_bins(index j, Wanted wanted, Room& room) const;
    PixelSums weigh_modes(Pixels const& pixels, Room& room) const;
    PixelSums weigh_on_background(State<float> const& state, Pixels const& pixels, Room& room,
                                  Gradients<float>& out) const;
    Mixture update_of(Projection const& projection, double amplitude) const;
    PixelSums compare_view(State<float> const& state, WindowPlace const& place, Window object,
                           Pixels const& pixels, float const* next, Room& room) const;
    Errors errors_of(PixelSums const& sums, index j) const;
    Pixels pixels_of(index j, Wanted wanted) const;

    Model model_;
    Measured const& measured_;
    FastKernel const& kernel_;
    SliceKernel const& slice_kernel_;
    LineKernel const& line_kernel_;
    ProjectKernel const& project_kernel_;
    fft::Roots const& roots_;
    SliceTables tables_;
    Bins bins_;
    std::vector<float> valid_;
};

}  // namespace sluice::ptycho
