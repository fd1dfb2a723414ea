// Correlations by Fourier transforms of blocks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/score_correlations.h"

#include <algorithm>

#include "device/share_out.h"
#include "fft/fft.h"

namespace sluice::music {
namespace {

using Spectrum = std::vector<fft::Complex<double>>;

// A block of x, and y from its start to the last lag behind it, fit in one transform: no lag that
// counts comes around its end.
constexpr index size = 8192;
constexpr index step = size - bss_taps + 1;
constexpr index bins = size / 2 + 1;

/// Of one block: first the references alone, then with what is behind them, then the estimates.
class Spectra {
  public:
    explicit Spectra(Channels const& song)
        : song_(song), all_(static_cast<std::size_t>(3 * song.count() * bins)) {}

    Status transform(fft::Plan<double> const& plan, index start, int threads) {
        index const n = song_.count(), kinds = 3;
        return share_out(kinds * n, threads, [&](index k, int) {
            std::vector<double> samples(static_cast<std::size_t>(size));
            index const length = std::min(k < n ? step : size, song_.frames() - start);
            for (index t = 0; t < length; ++t)
                samples[static_cast<std::size_t>(t)] = k < 2 * n ? song_.reference(k % n, start + t)
                                                                 : song_.estimate(k % n, start + t);
            return plan.forward(samples,
                                std::span(all_).subspan(static_cast<std::size_t>(k * bins), bins));
        });
    }
    fft::Complex<double> const* of(index number) const { return all_.data() + number * bins; }

  private:
    Channels song_;
    Spectrum all_;
};

// to += conj(x) y, without the tests for infinity of std::complex.
void accumulate(Spectrum& to, fft::Complex<double> const* x, fft::Complex<double> const* y) {
    for (index k = 0; k < bins; ++k) {
        double const a = x[k].real(), b = x[k].imag(), c = y[k].real(), d = y[k].imag();
        to[static_cast<std::size_t>(k)] += fft::Complex<double>(a * c + b * d, a * d - b * c);
    }
}

}  // namespace

Result<Correlations> correlate(Channels const& song, int threads,
                               std::function<Status(double)> const& tell) {
    index const n = song.count(), pairs = 2 * n * n;
    SLUICE_TRY(auto const plan,
               fft::Plan<double>::make({.shape = {size}, .numbers = fft::Numbers::real}));
    std::vector<Spectrum> sums(static_cast<std::size_t>(pairs), Spectrum(bins));
    Spectra spectra(song);
    for (index start = 0; start < song.frames(); start += step) {
        SLUICE_CHECK(spectra.transform(plan, start, threads));
        parallel_for(pairs, threads, 4, [&](index k, int) {
            index const i = k / (2 * n), j = k % (2 * n);
            accumulate(sums[static_cast<std::size_t>(k)], spectra.of(i), spectra.of(n + j));
        });
        SLUICE_CHECK(tell(static_cast<double>(start) / static_cast<double>(song.frames())));
    }
    Correlations out{n, {}, {}};
    out.references.resize(static_cast<std::size_t>(n * n * bss_taps));
    out.estimates.resize(out.references.size());
    std::vector<double> lags(static_cast<std::size_t>(size));
    for (index k = 0; k < pairs; ++k) {
        index const i = k / (2 * n), j = k % (2 * n);
        SLUICE_CHECK(plan.inverse(sums[static_cast<std::size_t>(k)], lags));
        auto& to = j < n ? out.references : out.estimates;
        std::copy_n(lags.begin(), bss_taps, to.begin() + (i * n + j % n) * bss_taps);
    }
    return out;
}

}  // namespace sluice::music
