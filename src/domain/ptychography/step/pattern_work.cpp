// PatternWork: forward through the slices, the residual's weights, and the adjoint of it all.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/pattern_work.h"

#include <numbers>

#include "domain/ptychography/poisson_floor.h"
#include "domain/ptychography/step/rate_sums.h"
#include "domain/ptychography/step/weight.h"
#include "fft/frequency.h"

namespace sluice::ptycho {

template <class Real>
void PatternWork<Real>::run(State<Real> const& state, index j, std::span<Real const> counts,
                            std::span<std::uint8_t const> bad, Wanted wanted,
                            Gradients<Real>& out) {
    auto const at = static_cast<std::size_t>(j);
    place_ = place_of(state.positions[at], model_.sub_pixel);
    descan_ = state.descan.empty() ? stem4d::Position{} : state.descan[at];
    take_probe(state, j);
    take_patches(state);
    through_object();
    to_detector();
    out.object_peak = 0;
    for (auto const& patch : patches_)
        for (auto const& z : patch)
            out.object_peak = std::max(out.object_peak, static_cast<double>(std::norm(z)));
    out.errors = weigh_pixels(state, counts, bad, out);
    if (wanted.slopes) out.slopes = slopes(counts);
    if (wanted.noise) out.errors.noise = noise();
    if (wanted.errors_only) return;
    from_detector(wanted, out);
    back_through_object(wanted, out);
    back_to_probe(wanted, out);
}

template <class Real>
void PatternWork<Real>::take_probe(State<Real> const& state, index j) {
    waves_.resize(state.probe.size());
    probe_spectra_.resize(state.probe.size());
    for (std::size_t k = 0; k < waves_.size(); ++k) {
        to_wave(state.probe[k], waves_[k]);
        if (state.varies()) vary_wave(state, j, k, waves_[k]);
        if (!model_.sub_pixel) continue;
        optics_.forward(waves_[k]);
        optics_.move_spectrum(waves_[k], place_.row_part, place_.col_part);
        probe_spectra_[k] = waves_[k];
        optics_.inverse(waves_[k]);
    }
}

// The pattern's own probe: all modes times a factor, and the first one plus what is added to it.
template <class Real>
void PatternWork<Real>::vary_wave(State<Real> const& state, index j, std::size_t k,
                                  Wave<Real>& wave) {
    auto const weights = state.weights_of(j);
    for (auto& z : wave) z *= static_cast<Real>(weights[0]);
    for (std::size_t m = 0; k == 0 && m < state.opr_modes.size(); ++m) {
        auto const by = static_cast<Real>(weights[m + 1]);
        index const n = optics_.n();
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c)
                wave[static_cast<std::size_t>(r * n + c)] += by * state.opr_modes[m].at(r, c);
    }
}

template <class Real>
void PatternWork<Real>::take_patches(State<Real> const& state) {
    index const n = optics_.n();
    patches_.resize(state.object.size());
    for (std::size_t s = 0; s < patches_.size(); ++s) {
        patches_[s].resize(static_cast<std::size_t>(n * n));
        auto z = patches_[s].begin();
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c) *z++ = state.object[s].at(place_.row + r, place_.col + c);
    }
}

template <class Real>
void PatternWork<Real>::through_object() {
    std::size_t const slices = patches_.size();
    entries_.resize(slices);
    exits_.resize(slices);
    for (std::size_t s = 0; s < slices; ++s) {
        entries_[s] = waves_;
        exits_[s].resize(waves_.size());
        for (std::size_t k = 0; k < waves_.size(); ++k) {
            for (std::size_t i = 0; i < waves_[k].size(); ++i) waves_[k][i] *= patches_[s][i];
            if (s + 1 < slices) optics_.propagate(waves_[k], &exits_[s][k]);
        }
    }
}

template <class Real>
void PatternWork<Real>::to_detector() {
    intensity_.assign(waves_.front().size(), 0);
    for (auto& wave : waves_) {
        if (descan_.row != 0 || descan_.col != 0) optics_.ramp(wave, descan_.row, descan_.col);
        optics_.to_detector(wave);
        for (std::size_t q = 0; q < wave.size(); ++q) intensity_[q] += std::norm(wave[q]);
    }
}

// Blur, bins, background; then back: each pixel's weight goes to what it was added up from.
template <class Real>
Errors PatternWork<Real>::weigh_pixels(State<Real> const& state, std::span<Real const> counts,
                                       std::span<std::uint8_t const> bad, Gradients<Real>& out) {
    optics_.blur(intensity_);
    expected_.assign(counts.size(), 0);
    modelled_.resize(counts.size());
    auto const& pixel_of = optics_.detector_of();
    for (std::size_t q = 0; q < intensity_.size(); ++q)
        if (pixel_of[q] >= 0) expected_[static_cast<std::size_t>(pixel_of[q])] += intensity_[q];
    Errors errors;
    for (std::size_t p = 0; p < counts.size(); ++p) {
        Real const model =
            expected_[p] + (state.background.empty() ? Real{0} : state.background[p]);
        modelled_[p] = !bad.empty() && bad[p] ? Real{0} : model;
        expected_[p] = !bad.empty() && bad[p] ? Real{0}
                                              : weigh(model_.likelihood, model, counts[p], errors,
                                                      static_cast<Real>(model_.count));
    }
    if (!out.background.empty()) {
        out.background = expected_;
        out.model = modelled_;
    }
    weights_.assign(intensity_.size(), 0);
    for (std::size_t q = 0; q < weights_.size(); ++q)
        if (pixel_of[q] >= 0) weights_[q] = expected_[static_cast<std::size_t>(pixel_of[q])];
    optics_.blur(weights_);
    return errors;
}

template <class Real>
ResidualSlopes PatternWork<Real>::slopes(std::span<Real const> counts) const {
    ResidualSlopes sums{};
    for (std::size_t p = 0; p < counts.size(); ++p)
        for (std::size_t k = 0; k < sums.size(); ++k)
            sums[k] += static_cast<double>(slope_at(residual_part(static_cast<index>(k)),
                                                    expected_[p], modelled_[p], counts[p]));
    return sums;
}

template <class Real>
double PatternWork<Real>::noise() const {
    double sum = 0;
    for (Real const model : modelled_) sum += root_noise(static_cast<double>(model) / model_.count);
    return sum * model_.count;
}

template <class Real>
void PatternWork<Real>::from_detector(Wanted wanted, Gradients<Real>& out) {
    out.descan = {};
    bool const moved = descan_.row != 0 || descan_.col != 0;
    Wave<Real> ramped;
    for (auto& wave : waves_) {
        if (wanted.descan) ramped = wave;
        for (std::size_t q = 0; q < wave.size(); ++q) wave[q] *= weights_[q];
        optics_.from_detector(wave);
        if (wanted.descan) {
            optics_.from_detector(ramped);
            add_descan(ramped, wave, out);
        }
        if (moved) optics_.ramp(wave, descan_.row, descan_.col, -1);
    }
}

template <class Real>
void PatternWork<Real>::add_descan(Wave<Real> const& ramped, Wave<Real> const& gradient,
                                   Gradients<Real>& out) const {
    index const n = optics_.n();
    double by_row = 0, by_col = 0;
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) {
            auto const i = static_cast<std::size_t>(r * n + c);
            auto const turned = static_cast<double>((std::conj(ramped[i]) * gradient[i]).imag());
            by_row += static_cast<double>(r) * turned;
            by_col += static_cast<double>(c) * turned;
        }
    double const unit = 4 * std::numbers::pi / static_cast<double>(n);
    out.descan[0] += unit * by_row;
    out.descan[1] += unit * by_col;
}

template <class Real>
void PatternWork<Real>::back_through_object(Wanted wanted, Gradients<Real>& out) {
    out.slice = out.slice_reach = 0;
    out.tilt = out.tilt_reach = {};
    Wave<Real> gradient, spectrum;
    for (std::size_t s = patches_.size(); s-- > 0;) {
        gradient.assign(patches_[s].size(), Complex{});
        for (std::size_t k = 0; k < waves_.size(); ++k) {
            for (std::size_t i = 0; i < gradient.size(); ++i) {
                gradient[i] += std::conj(entries_[s][k][i]) * waves_[k][i];
                waves_[k][i] *= std::conj(patches_[s][i]);
            }
            if (s == 0) continue;
            optics_.propagate_back(waves_[k], &spectrum);
            if (!wanted.slice_and_tilt) continue;
            add_slice(spectrum, exits_[s - 1][k], out);
        }
        from_wave(gradient, out.object[s]);
    }
}

template <class Real>
void PatternWork<Real>::add_slice(Wave<Real> const& gradient, Wave<Real> const& exit,
                                  Gradients<Real>& out) const {
    optics::Propagator const& all = optics_.rates();
    std::vector<double> const* const rates[] = {&all.by_distance, &all.by_tilt[0], &all.by_tilt[1]};
    RateSums sums;
    for (std::size_t q = 0; q < gradient.size(); ++q) {
        auto const turned = -static_cast<double>(
            (std::conj(gradient[q]) * optics_.propagator()[q] * exit[q]).imag());
        auto const here = static_cast<double>(std::norm(exit[q]));
        sums.power += here;
        for (int i = 0; i < 3; ++i) {
            double const rate = (*rates[i])[q];
            sums.slope[i] += 2 * turned * rate;
            sums.mean[i] += here * rate;
            sums.square[i] += here * rate * rate;
        }
    }
    add_rates(sums, std::ssize(patches_) - 1, out);
}

template <class Real>
void PatternWork<Real>::back_to_probe(Wanted wanted, Gradients<Real>& out) {
    out.position = {};
    index const n = optics_.n();
    double const unit = 2 * std::numbers::pi / static_cast<double>(n);
    for (std::size_t k = 0; k < waves_.size(); ++k) {
        Wave<Real>& wave = waves_[k];
        if (!model_.sub_pixel) {
            from_wave(wave, out.probe[k]);
            continue;
        }
        optics_.forward(wave);
        // The moved spectrum's derivative by d is -i unit frequency times itself.
        if (wanted.position)
            for (index r = 0; r < n; ++r)
                for (index c = 0; c < n; ++c) {
                    auto const q = static_cast<std::size_t>(r * n + c);
                    auto const turned =
                        static_cast<double>((std::conj(wave[q]) * probe_spectra_[k][q]).imag());
                    out.position[0] +=
                        2 * unit * static_cast<double>(fft::frequency(r, n)) * turned;
                    out.position[1] +=
                        2 * unit * static_cast<double>(fft::frequency(c, n)) * turned;
                }
        optics_.move_spectrum(wave, place_.row_part, place_.col_part, -1);
        optics_.inverse(wave);
        from_wave(wave, out.probe[k]);
    }
}

// The errors of waves_, which are spectra of probe times object; and the moduli of `spectra` set. A
// pattern whose mean squared error is below the bound is left as it is; of the others as much is
// taken off as leads there (P. Thibault and A. Menzel's bound, as in the difference map).
template <class Real>
Errors PatternWork<Real>::set_moduli(std::span<Real const> counts,
                                     std::span<std::uint8_t const> bad,
                                     Projection const& projection,
                                     std::vector<Wave<Real>>& spectra) {
    std::size_t const pixels = counts.size();
    intensity_.assign(pixels, 0);
    expected_.assign(pixels, 0);
    for (std::size_t k = 0; k < spectra.size(); ++k)
        for (std::size_t q = 0; q < pixels; ++q) {
            expected_[q] += std::norm(waves_[k][q]);
            intensity_[q] += std::norm(spectra[k][q]);
        }
    Errors errors, own;
    for (std::size_t q = 0; q < pixels; ++q) {
        if (!bad.empty() && bad[q]) continue;
        weigh(stem4d::Likelihood::amplitude, expected_[q], counts[q], errors);
        weigh(stem4d::Likelihood::amplitude, intensity_[q], counts[q], own);
    }
    double const mean = own.amplitude / static_cast<double>(pixels);
    if (mean <= projection.power_bound) return errors;
    auto const rest = static_cast<Real>(std::sqrt(projection.power_bound / mean));
    for (std::size_t q = 0; q < pixels; ++q) {
        Real const now = std::sqrt(intensity_[q]), measured = std::sqrt(counts[q]);
        if (now == 0 || (!bad.empty() && bad[q])) continue;
        Real const factor = (measured + (now - measured) * rest) / now;
        for (auto& spectrum : spectra) spectrum[q] *= factor;
    }
    return errors;
}

template <class Real>
Errors PatternWork<Real>::project(State<Real> const& state, index j, std::span<Real const> counts,
                                  std::span<std::uint8_t const> bad, Projection const& projection,
                                  std::span<Planar<Real>> waves) {
    place_ = place_of(state.positions[static_cast<std::size_t>(j)], model_.sub_pixel);
    take_probe(state, j);
    take_patches(state);
    for (auto& wave : waves_)
        for (std::size_t i = 0; i < wave.size(); ++i) wave[i] *= patches_.front()[i];
    std::vector<Wave<Real>> const views = waves_;
    std::vector<Wave<Real>> states(waves.size()), mixed(waves.size());
    auto const c = static_cast<Real>(projection.c);
    for (std::size_t k = 0; k < waves.size(); ++k) {
        to_wave(waves[k], states[k]);
        mixed[k].resize(states[k].size());
        for (std::size_t i = 0; i < states[k].size(); ++i)
            mixed[k][i] = (1 - c) * states[k][i] + c * views[k][i];
        optics_.to_detector(mixed[k]);
        optics_.to_detector(waves_[k]);
    }
    Errors const errors = set_moduli(counts, bad, projection, mixed);
    auto const a = static_cast<Real>(projection.a), b = static_cast<Real>(projection.b);
    for (std::size_t k = 0; k < waves.size(); ++k) {
        optics_.from_detector(mixed[k]);
        for (std::size_t i = 0; i < states[k].size(); ++i)
            mixed[k][i] = (1 - a - b) * states[k][i] + a * views[k][i] + b * mixed[k][i];
        from_wave(mixed[k], waves[k]);
    }
    return errors;
}

template class PatternWork<float>;
template class PatternWork<double>;

}  // namespace sluice::ptycho
