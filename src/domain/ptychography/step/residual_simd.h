// The weights of a residual, a register of pixels at a time; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/step/fast_kernels.h"
#include "domain/ptychography/step/poisson.h"
#include "fft/squares/lane_math.h"

namespace sluice::ptycho::SLUICE_ISA {
namespace {

using fft::SLUICE_ISA::all_of;
using fft::SLUICE_ISA::Floats;
using fft::SLUICE_ISA::fused;
using fft::SLUICE_ISA::fused_less;
using fft::SLUICE_ISA::inverse;
using fft::SLUICE_ISA::inverse_root;
using fft::SLUICE_ISA::lanes;
using fft::SLUICE_ISA::larger;
using fft::SLUICE_ISA::load;
using fft::SLUICE_ISA::logarithm;
using fft::SLUICE_ISA::save;

[[gnu::always_inline, maybe_unused]] inline Floats load_counts(float const* p) {
    return load(p);
}
template <class T>
[[gnu::always_inline]] inline Floats load_counts(T const* p) {
    typedef T Small __attribute__((vector_size(sizeof(T) * lanes)));
    Small v;
    std::memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, Floats);
}

/// What poisson_pixel() has before it comes to the loss.
struct PoissonLanes {
    Floats m, i, bend, apart, factor;

    [[gnu::always_inline]] PoissonLanes(Floats const& model, Floats const& counts, float count) {
        float const by = added_counts<float> * count;
        m = model + by;
        i = counts + by;
        bend = larger(m, larger((counts - 4 * count) * (1.0F / 9), Floats{}) + by);
        apart = 1 - i * inverse_root(i * m);
        factor = i * inverse_root(i * bend);
    }
    [[gnu::always_inline]] Floats weight() const { return apart * (1 + factor); }
};

/// Gathers the sums as it goes. Intensities are those of transforms that were not scaled. A plain
/// one is of amplitudes, where all pixels are valid: it has the same bits with less work.
template <bool plain>
class Residual {
  public:
    [[gnu::always_inline]] Residual(Pixels const& pixels, index side)
        : likelihood_(pixels.likelihood),
          valid_(pixels.valid),
          with_slopes_(pixels.slopes),
          scale_(1 / static_cast<float>(side * side)),
          count_(pixels.count) {}

    /// dL/dM over side^2, for the way back, of pixels from i on; 0 where they are bad.
    [[gnu::always_inline]] Floats weight(Floats const& intensity, Floats const& counts, index i) {
        // The term that prevents divisions by 0 is small enough for the root, too.
        constexpr float dark = 1e-9f, nothing = 1e-20f;
        Floats const model = intensity * scale_;
        Floats const m = model + dark, c = counts + nothing;
        // sqrt(c / m), and (sqrt m - sqrt c)^2 = m (1 - that)^2.
        Floats const part = c * inverse_root(c * m);
        Floats const apart = 1 - part;
        if constexpr (plain) {
            Floats const difference = model - counts;
            amplitude_ = amplitude_ + m * apart * apart;
            model_ = model_ + model;
            difference_ = fused(difference, difference, difference_);
            return apart * scale_;
        }
        Floats const valid = valid_ ? load(valid_ + i) : all_of(1);
        Floats const amplitude = m * apart * apart * valid;
        Floats const difference = (model - counts) * valid;
        amplitude_ = amplitude_ + amplitude;
        model_ = fused(model, valid, model_);
        difference_ = fused(difference, difference, difference_);
        Floats w;
        if (likelihood_ == stem4d::Likelihood::amplitude) {
            w = apart;
            loss_ = loss_ + amplitude;
        } else if (likelihood_ == stem4d::Likelihood::poisson) {
            w = poisson(model, counts, valid);
            if (with_slopes_) add_slopes(w, model, counts, valid);
        } else {
            Floats const by = 1 / (counts + 1);
            w = 2 * (model - counts) * by;
            loss_ = fused(difference * difference, by, loss_);
        }
        return w * valid * scale_;
    }

    [[gnu::always_inline]] PixelSums sums() const {
        PixelSums all;
        for (index i = 0; i < lanes; ++i) {
            all.amplitude += amplitude_[i];
            all.model += model_[i];
            all.difference += difference_[i];
            all.loss += plain ? amplitude_[i] : loss_[i];
            for (std::size_t k = 0; k < all.slopes.size(); ++k) all.slopes[k] += slopes_[k][i];
        }
        return all;
    }

  private:
    // As poisson_pixel().
    [[gnu::always_inline]] Floats poisson(Floats const& model, Floats const& counts,
                                          Floats const& valid) {
        PoissonLanes const p(model, counts, count_);
        Floats const beyond =
            fused_less(p.bend * (1 - p.factor), 1 - p.factor, p.m * p.apart * p.apart);
        Floats const loss = fused(1 + p.factor, beyond, fused_less(p.i, logarithm(p.bend), p.bend));
        loss_ = fused(loss, valid, loss_);
        return p.weight();
    }

    // As slope_at().
    [[gnu::always_inline]] void add_slopes(Floats const& w, Floats const& model,
                                           Floats const& counts, Floats const& valid) {
        for (index k = 0; k < parts_of_residual; ++k) {
            Floats const f = fused_less(all_of(residual_part(k)), w, all_of(1));
            Floats const pull = fused_less(counts, inverse(f), model * f);
            slopes_[k] = fused(w * pull, valid, slopes_[k]);
        }
    }

    stem4d::Likelihood likelihood_;
    float const* valid_;
    bool with_slopes_;
    float scale_, count_;
    Floats amplitude_{}, model_{}, difference_{}, loss_{};
    Floats slopes_[parts_of_residual] = {};
};

/// work(plain, first count), with what pixels are at hand.
template <class Work>
[[gnu::always_inline]] inline PixelSums with_residual(Pixels const& pixels, Work const& work) {
    bool const plain = !pixels.valid && pixels.likelihood == stem4d::Likelihood::amplitude;
    return std::visit(
        [&](auto const* counts) {
            return plain ? work(std::true_type{}, counts) : work(std::false_type{}, counts);
        },
        pixels.counts);
}

}  // namespace
}  // namespace sluice::ptycho::SLUICE_ISA
