// The first object: given, 1, drawn, or by the single side band.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/start/first_object.h"

#include <fmt/format.h>

#include <cmath>

#include "base/splitmix.h"
#include "domain/ptychography/grid.h"

namespace sluice::ptycho {

namespace {

using stem4d::ObjectStart;
using stem4d::PtychographyOptions;

// The largest phase that is drawn: enough to tell all places apart, and little beside an object.
constexpr double drawn_rad = 0.1;

Error cannot_begin(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

template <class Real>
Result<std::vector<Planar<Real>>> given_object(PtychographyOptions const& options,
                                               Canvas const& canvas) {
    index const area = canvas.rows * canvas.cols;
    if (std::ssize(options.object) != options.slices * area)
        return cannot_begin(
            fmt::format("the object has {} pixels, and these positions and this margin make {} "
                        "slices of {}x{} (both must have one grid) give an object "
                        "of that shape",
                        options.object.size(), options.slices, canvas.rows, canvas.cols));
    std::vector<Planar<Real>> slices;
    auto z = options.object.begin();
    for (index s = 0; s < options.slices; ++s) {
        slices.emplace_back(canvas.rows, canvas.cols);
        for (index r = 0; r < canvas.rows; ++r)
            for (index c = 0; c < canvas.cols; ++c, ++z) {
                if (!std::isfinite(z->real()) || !std::isfinite(z->imag()))
                    return cannot_begin(fmt::format(
                        "the first object is NaN or infinite at slice {}, ({}, {})", s, r, c));
                slices.back().set(r, c, static_cast<std::complex<Real>>(*z));
            }
    }
    return slices;
}

// Evenly within +-drawn_rad; each pixel its own, so that no order decides.
double drawn_phase(std::uint64_t seed, index slice, index pixel) {
    std::uint64_t const counter = splitmix::mix(seed ^ splitmix::golden) +
                                  splitmix::mix(static_cast<std::uint64_t>(slice)) +
                                  splitmix::golden * static_cast<std::uint64_t>(pixel);
    return drawn_rad * (static_cast<double>(splitmix::mix(counter) >> 11) * 0x1p-52 - 1);
}

template <class Real, class Phase>
Planar<Real> of_phases(Canvas const& canvas, Phase const& phase) {
    Planar<Real> plane(canvas.rows, canvas.cols);
    for (index r = 0; r < canvas.rows; ++r)
        for (index c = 0; c < canvas.cols; ++c)
            plane.set(r, c,
                      static_cast<std::complex<Real>>(std::polar(1.0, phase(r * canvas.cols + c))));
    return plane;
}

}  // namespace

Status check_first_object(stem4d::Patterns const& patterns, PtychographyOptions const& options) {
    bool const plain = options.propagation == stem4d::Propagation::far &&
                       options.detector_bin == 1 && !(options.detector_blur > 0) &&
                       grid_of(patterns, options).window == patterns.size;
    if (options.object.empty() && options.object_start == ObjectStart::ssb && !plain)
        return cannot_begin(
            "an object that begins by the single side band needs a far field on the patterns' own "
            "window, without bins or blur (the method sums pixels of the direct beam) set "
            "object_start to ones");
    return {};
}

template <class Real>
Result<std::vector<Planar<Real>>> first_object(Measured const& measured, Share const& share,
                                               PtychographyOptions const& options,
                                               Canvas const& canvas, Planar<Real> const& probe,
                                               std::vector<std::string>& notes) {
    if (!options.object.empty()) return given_object<Real>(options, canvas);
    auto const slices = static_cast<std::size_t>(options.slices);
    if (options.object_start == ObjectStart::ones)
        return std::vector(slices, of_phases<Real>(canvas, [](index) { return 0.0; }));
    if (options.object_start == ObjectStart::random) {
        std::vector<Planar<Real>> drawn;
        for (index s = 0; s < options.slices; ++s)
            drawn.push_back(
                of_phases<Real>(canvas, [&](index i) { return drawn_phase(options.seed, s, i); }));
        notes.push_back(
            fmt::format("the object begins with phases drawn within {} rad", drawn_rad));
        return drawn;
    }
    SLUICE_TRY(auto const phases,
               single_side_band(measured, share, canvas, probe, options.device.threads()));
    double squares = 0;
    for (double phase : phases) squares += phase * phase;
    notes.push_back(fmt::format(
        "the object begins as a weak phase by the single side band, of {:.3f} rad (rms)",
        std::sqrt(squares / static_cast<double>(phases.size()))));
    // Slices share a phase alike.
    double const part = 1 / static_cast<double>(options.slices);
    return std::vector(slices, of_phases<Real>(canvas, [&](index i) {
                           return part * phases[static_cast<std::size_t>(i)];
                       }));
}

template Result<std::vector<Planar<float>>> first_object(Measured const&, Share const&,
                                                         PtychographyOptions const&, Canvas const&,
                                                         Planar<float> const&,
                                                         std::vector<std::string>&);
template Result<std::vector<Planar<double>>> first_object(Measured const&, Share const&,
                                                          PtychographyOptions const&, Canvas const&,
                                                          Planar<double> const&,
                                                          std::vector<std::string>&);

}  // namespace sluice::ptycho
