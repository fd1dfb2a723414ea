// Optics: transforms, propagators and the detector's map.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/optics.h"

#include <cmath>
#include <numbers>

#include "fft/frequency.h"
#include "optics/phase.h"

namespace sluice::ptycho {

namespace {

constexpr double pi = std::numbers::pi;

template <class Real>
void scale(Wave<Real>& wave, double factor) {
    for (auto& z : wave) z *= static_cast<Real>(factor);
}

}  // namespace

std::vector<index> detector_pixels(Model const& model) {
    index const n = model.window, seen = model.bin * model.detector;
    // Of a frequency: the pixel that holds it, where zero frequency is in the middle, and then at
    // 0. A near field is an image, with the detector in the middle.
    auto const pixel = [&](index i) -> index {
        index const from_edge = model.near() ? i - (n - seen) / 2 : fft::frequency(i, n) + seen / 2;
        if (from_edge < 0 || from_edge >= seen) return -1;
        index const at = from_edge / model.bin;
        return model.near() ? at : (at + model.detector - model.detector / 2) % model.detector;
    };
    std::vector<index> pixels(static_cast<std::size_t>(n * n), -1);
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c)
            if (pixel(r) >= 0 && pixel(c) >= 0)
                pixels[static_cast<std::size_t>(r * n + c)] = pixel(r) * model.detector + pixel(c);
    return pixels;
}

template <class Real>
Result<Optics<Real>> Optics<Real>::make(Model const& model) {
    SLUICE_TRY(auto plan, fft::Plan<Real>::make({.shape = {model.window, model.window}}));
    Optics optics(model, std::move(plan));
    if (model.slices > 1) optics.make_propagator(model);
    if (model.near()) optics.make_near_field(model);
    optics.detector_of_ = detector_pixels(model);
    if (model.blur > 0) optics.make_response(model.blur);
    return optics;
}

template <class Real>
void Optics<Real>::forward(Wave<Real>& wave) const {
    expects(plan_.forward(wave).has_value());
    scale(wave, 1 / static_cast<double>(n_));
}

template <class Real>
void Optics<Real>::inverse(Wave<Real>& wave) const {
    expects(plan_.inverse(wave).has_value());
    scale(wave, static_cast<double>(n_));
}

template <class Real>
void Optics<Real>::move_spectrum(Wave<Real>& spectrum, double row, double col, double sign) const {
    optics::move_spectrum<Real>(spectrum, n_, sign * row, sign * col);
}

template <class Real>
void Optics<Real>::ramp(Wave<Real>& wave, double row, double col, double sign) const {
    double const unit = 2 * pi * sign / static_cast<double>(n_);
    auto const along = [&](double d) {
        return [unit, d](index i) { return unit * d * static_cast<double>(i); };
    };
    optics::turn_phases<Real>(wave, n_, along(row), along(col));
}

template <class Real>
void Optics<Real>::to_detector(Wave<Real>& wave) const {
    forward(wave);
    if (near_.empty()) return;
    for (std::size_t q = 0; q < wave.size(); ++q) wave[q] *= near_[q];
    inverse(wave);
}

template <class Real>
void Optics<Real>::from_detector(Wave<Real>& wave) const {
    if (!near_.empty()) {
        forward(wave);
        for (std::size_t q = 0; q < wave.size(); ++q) wave[q] *= std::conj(near_[q]);
    }
    inverse(wave);
}

template <class Real>
void Optics<Real>::make_propagator(Model const& model) {
    rates_ = optics::propagator_of(model.wave_grid(), model.slice_nm, model.tilt_rad);
    propagator_.assign(rates_.factors.begin(), rates_.factors.end());
    rates_.factors = {};
}

// The propagator all the way to the detector; the beam is not tilted.
template <class Real>
void Optics<Real>::make_near_field(Model const& model) {
    near_.resize(static_cast<std::size_t>(n_ * n_));
    optics::each_direction(model.wave_grid(), [&](std::size_t q, double, double, double along) {
        near_[q] = static_cast<std::complex<Real>>(std::polar(1.0, model.distance_nm * along));
    });
}

template <class Real>
void Optics<Real>::propagate(Wave<Real>& wave, Wave<Real>* spectrum) const {
    forward(wave);
    if (spectrum) *spectrum = wave;
    for (std::size_t q = 0; q < wave.size(); ++q) wave[q] *= propagator_[q];
    inverse(wave);
}

template <class Real>
void Optics<Real>::propagate_back(Wave<Real>& wave, Wave<Real>* spectrum) const {
    forward(wave);
    if (spectrum) *spectrum = wave;
    for (std::size_t q = 0; q < wave.size(); ++q) wave[q] *= std::conj(propagator_[q]);
    inverse(wave);
}

template <class Real>
void Optics<Real>::make_response(double sigma) {
    auto const reach = static_cast<index>(std::ceil(5 * sigma));
    double sum = 0;
    for (index i = -reach; i <= reach; ++i) {
        response_.push_back(std::exp(-0.5 * std::pow(static_cast<double>(i) / sigma, 2)));
        sum += response_.back();
    }
    for (double& weight : response_) weight /= sum;
}

// Along rows, then along columns; around the edges. Sums of positive numbers stay positive: a
// transform would leave noise below zero where a pattern is dark.
template <class Real>
void Optics<Real>::blur(std::vector<Real>& plane) const {
    if (response_.empty()) return;
    index const reach = std::ssize(response_) / 2;
    std::vector<Real> from(plane.size());
    auto const along = [&](index stride, index other) {
        from = plane;
        for (index line = 0; line < n_; ++line)
            for (index i = 0; i < n_; ++i) {
                double sum = 0;
                for (index k = -reach; k <= reach; ++k) {
                    index const at = ((i + k) % n_ + n_) % n_;
                    sum += response_[static_cast<std::size_t>(k + reach)] *
                           static_cast<double>(
                               from[static_cast<std::size_t>(line * other + at * stride)]);
                }
                plane[static_cast<std::size_t>(line * other + i * stride)] = static_cast<Real>(sum);
            }
    };
    along(1, n_);
    along(n_, 1);
}

template class Optics<float>;
template class Optics<double>;

}  // namespace sluice::ptycho
