// The engine written here: an axis at a time; real samples go through complex ones.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>

#include "fft/axes.h"
#include "fft/engine.h"

namespace sluice::fft {
namespace {

template <class Real>
class Own final : public Engine<Real> {
    using N = Number<Real>;
    using Z = Complex<Real>;

  public:
    explicit Own(Sizes const& sizes)
        : axes_(axes_of<Real>(sizes.shape)),
          half_(half_of(sizes.shape)),
          array_(sizes.array),
          spectrum_(sizes.spectrum) {}

    void forward(Z* data) const override { transform(reinterpret_cast<N*>(data)); }
    void inverse(Z* data) const override { transform_back(reinterpret_cast<N*>(data)); }
    void forward(Real const* samples, Z* spectrum) const override {
        std::vector<N> all(static_cast<std::size_t>(array_));
        std::ranges::transform(samples, samples + array_, all.begin(), [](Real x) {
            return N{x, 0};
        });
        transform(all.data());
        N* const to = reinterpret_cast<N*>(spectrum);
        for (index i = 0; i < spectrum_; ++i) to[i] = all[static_cast<std::size_t>(half_.whole(i))];
    }
    void inverse(Z const* spectrum, Real* samples) const override {
        N const* const from = reinterpret_cast<N const*>(spectrum);
        std::vector<N> all(static_cast<std::size_t>(array_));
        for (index i = 0; i < array_; ++i) {
            auto const [at, is_conjugate] = half_.spot(i);
            all[static_cast<std::size_t>(i)] = is_conjugate ? from[at].conjugate() : from[at];
        }
        transform_back(all.data());
        std::ranges::transform(all, samples, [](N z) { return z.re; });
    }

  private:
    void transform(N* x) const {
        for (Axis<Real> const& axis : axes_)
            for (index o = 0; o < axis.outer; ++o)
                axis.lines.forward(x + o * axis.lines.length() * axis.width, axis.width);
    }
    void transform_back(N* x) const {
        Real const scale = 1 / static_cast<Real>(array_);
        for (index i = 0; i < array_; ++i) x[i] = x[i].conjugate();
        transform(x);
        for (index i = 0; i < array_; ++i) x[i] = x[i].conjugate() * scale;
    }

    std::vector<Axis<Real>> axes_;
    Half half_;
    index array_, spectrum_;
};

}  // namespace

template <class Real>
EngineOr<Real> make_own_engine(Sizes const& sizes) {
    // Where there is no memory for a transform's work, its tables would be made for nothing.
    ::operator delete(
        ::operator new(2 * sizeof(Complex<Real>) * static_cast<std::size_t>(sizes.array)));
    return std::unique_ptr<Engine<Real> const>(std::make_unique<Own<Real>>(sizes));
}

template EngineOr<float> make_own_engine<float>(Sizes const&);
template EngineOr<double> make_own_engine<double>(Sizes const&);

}  // namespace sluice::fft
