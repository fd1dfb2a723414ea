// PatternWork: one pattern's way to the detector and back, in plain loops.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/step/optics.h"
#include "domain/ptychography/step/step.h"

namespace sluice::ptycho {

/// For one thread; its memory is used again for the next pattern.
template <class Real>
class PatternWork {
  public:
    PatternWork(Model const& model, Optics<Real> const& optics) : model_(model), optics_(optics) {}

    /// `counts` and `bad` are [row][col] of the pattern.
    void run(State<Real> const& state, index j, std::span<Real const> counts,
             std::span<std::uint8_t const> bad, Wanted wanted, Gradients<Real>& out);

    /// PatternStep::project for one pattern.
    Errors project(State<Real> const& state, index j, std::span<Real const> counts,
                   std::span<std::uint8_t const> bad, Projection const& projection,
                   std::span<Planar<Real>> waves);

    /// PatternStep::lines for one pattern.
    Line line(State<Real> const& state, State<Real> const& way, index j,
              std::span<Real const> counts, std::span<std::uint8_t const> bad);

  private:
    using Complex = std::complex<Real>;

    Errors set_moduli(std::span<Real const> counts, std::span<std::uint8_t const> bad,
                      Projection const& projection, std::vector<Wave<Real>>& spectra);
    void take_probe(State<Real> const& state, index j);
    void vary_wave(State<Real> const& state, index j, std::size_t k, Wave<Real>& wave);
    void take_patches(State<Real> const& state);
    void through_object();
    void to_detector();
    Errors weigh_pixels(State<Real> const& state, std::span<Real const> counts,
                        std::span<std::uint8_t const> bad, Gradients<Real>& out);
    ResidualSlopes slopes(std::span<Real const> counts) const;
    double noise() const;
    void from_detector(Wanted wanted, Gradients<Real>& out);
    void add_descan(Wave<Real> const& ramped, Wave<Real> const& gradient,
                    Gradients<Real>& out) const;
    void back_through_object(Wanted wanted, Gradients<Real>& out);
    void add_slice(Wave<Real> const& gradient, Wave<Real> const& exit, Gradients<Real>& out) const;
    void back_to_probe(Wanted wanted, Gradients<Real>& out);

    Model const& model_;
    Optics<Real> const& optics_;
    WindowPlace place_;
    stem4d::Position descan_;
    std::vector<Wave<Real>> probe_spectra_;         // [mode], moved to the position
    std::vector<Wave<Real>> patches_;               // [slice]
    std::vector<std::vector<Wave<Real>>> entries_;  // [slice][mode]: what enters it
    std::vector<std::vector<Wave<Real>>> exits_;    // [slice][mode]: spectra of what leaves it
    std::vector<Wave<Real>> waves_;                 // [mode]
    std::vector<Real> intensity_, weights_, expected_, modelled_;
};

/// Square arrays to waves and back.
template <class Real>
void to_wave(Planar<Real> const& from, Wave<Real>& to) {
    to.resize(static_cast<std::size_t>(from.rows() * from.cols()));
    auto z = to.begin();
    for (index r = 0; r < from.rows(); ++r)
        for (index c = 0; c < from.cols(); ++c) *z++ = from.at(r, c);
}
template <class Real>
void from_wave(Wave<Real> const& from, Planar<Real>& to) {
    auto z = from.begin();
    for (index r = 0; r < to.rows(); ++r)
        for (index c = 0; c < to.cols(); ++c) to.set(r, c, *z++);
}

extern template class PatternWork<float>;
extern template class PatternWork<double>;

}  // namespace sluice::ptycho
