// The windows of BSS Eval, each on a thread.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/score_windows.h"

#include <algorithm>

#include "device/share_out.h"
#include "fft/fft.h"

namespace sluice::music {
namespace {

using Spectrum = std::vector<fft::Complex<double>>;

/// The next number from n on that has no prime factors but 2, 3 and 5.
index smooth_from(index n) {
    for (;; ++n) {
        index rest = n;
        for (index const p : {2, 3, 5})
            while (rest % p == 0) rest /= p;
        if (rest == 1) return n;
    }
}

/// Filters as spectra, of the length of a window and their tail.
struct FilterSpectra {
    index first = 0;
    std::vector<Spectrum> each;
};

class Windows {
  public:
    static Result<Windows> make(Channels const& song, SongFilters const& filters, index length) {
        index const size = smooth_from(length + bss_taps - 1);
        SLUICE_TRY(auto plan,
                   fft::Plan<double>::make({.shape = {size}, .numbers = fft::Numbers::real}));
        Windows w(song, length, size, std::move(plan));
        SLUICE_CHECK(w.add(w.own_, filters.own));
        SLUICE_CHECK(w.add(w.all_, filters.all));
        return w;
    }

    /// Whether a reference or an estimate is 0 in all of a window.
    bool silent(index start) const {
        auto const from = static_cast<std::size_t>(start * song_.channels);
        auto const count = static_cast<std::size_t>(length_ * song_.channels);
        auto const still = [&](std::span<float const> all) {
            return std::ranges::all_of(all.subspan(from, count), [](float v) { return v == 0; });
        };
        return std::ranges::any_of(
            song_.stems, [&](auto const& s) { return still(s.estimate) || still(s.reference); });
    }

    /// The values of all stems in the window that begins at frame `start`.
    Status measure(index start, std::span<BssEval> out) const {
        std::vector<Spectrum> x(static_cast<std::size_t>(song_.count()));
        for (index k = 0; k < song_.count(); ++k) {
            std::vector<double> samples(static_cast<std::size_t>(size_));
            for (index t = 0; t < length_; ++t)
                samples[static_cast<std::size_t>(t)] = song_.reference(k, start + t);
            auto& to = x[static_cast<std::size_t>(k)];
            to.resize(static_cast<std::size_t>(size_ / 2 + 1));
            SLUICE_CHECK(plan_.forward(samples, to));
        }
        for (std::size_t s = 0; s < out.size(); ++s) {
            Energies sum;
            for (index c = 0; c < song_.channels; ++c)
                SLUICE_CHECK(
                    add_channel(sum, x, static_cast<index>(s) * song_.channels + c, start));
            out[s] = sum.ratios(song_.stems.size() > 1);
        }
        return {};
    }

  private:
    /// Energies of the parts that an estimate is split into, over channels and frames.
    struct Energies {
        double target = 0, all_errors = 0, spatial = 0;
        double with_spatial = 0, interference = 0;
        double with_interference = 0, artifacts = 0;

        BssEval ratios(bool others) const {
            auto const db = [](double above, double below) {
                return below == 0 ? std::numeric_limits<double>::infinity()
                                  : 10 * std::log10(above / below);
            };
            BssEval e{db(target, all_errors), db(target, spatial), db(with_spatial, interference),
                      db(with_interference, artifacts)};
            // Without other references there is no interference.
            if (!others) e.sir = std::numeric_limits<double>::quiet_NaN();
            return e;
        }
    };

    Windows(Channels const& song, index length, index size, fft::Plan<double> plan)
        : song_(song), length_(length), size_(size), plan_(std::move(plan)) {}

    Status add(std::vector<FilterSpectra>& to, std::vector<Filters> const& filters) const {
        for (Filters const& f : filters) {
            FilterSpectra spectra{f.first, {}};
            for (index k = 0; k < f.count; ++k) {
                std::vector<double> samples(static_cast<std::size_t>(size_));
                std::copy_n(f.taps.begin() + k * bss_taps, bss_taps, samples.begin());
                Spectrum& s = spectra.each.emplace_back(static_cast<std::size_t>(size_ / 2 + 1));
                SLUICE_CHECK(plan_.forward(samples, s));
            }
            to.push_back(std::move(spectra));
        }
        return {};
    }

    /// The references of a window, filtered and added up: `length_` frames and the filters' tail.
    Result<std::vector<double>> project(std::vector<Spectrum> const& x,
                                        FilterSpectra const& filters) const {
        Spectrum sum(static_cast<std::size_t>(size_ / 2 + 1));
        for (std::size_t k = 0; k < filters.each.size(); ++k) {
            Spectrum const& a = x[static_cast<std::size_t>(filters.first) + k];
            Spectrum const& b = filters.each[k];
            for (std::size_t f = 0; f < sum.size(); ++f)
                sum[f] +=
                    fft::Complex<double>(a[f].real() * b[f].real() - a[f].imag() * b[f].imag(),
                                         a[f].real() * b[f].imag() + a[f].imag() * b[f].real());
        }
        std::vector<double> out(static_cast<std::size_t>(size_));
        SLUICE_CHECK(plan_.inverse(sum, out));
        return out;
    }

    Status add_channel(Energies& to, std::vector<Spectrum> const& x, index number,
                       index start) const {
        auto const at = static_cast<std::size_t>(number);
        SLUICE_TRY(auto const own, project(x, own_[at]));
        SLUICE_TRY(auto const all, project(x, all_[at]));
        for (index t = 0; t < length_ + bss_taps - 1; ++t) {
            auto const k = static_cast<std::size_t>(t);
            bool const inside = t < length_;
            double const target = inside ? song_.reference(number, start + t) : 0;
            double const estimate = inside ? song_.estimate(number, start + t) : 0;
            double const spatial = own[k] - target, interference = all[k] - own[k];
            double const artifacts = estimate - all[k], error = estimate - target;
            to.target += target * target;
            to.all_errors += error * error;
            to.spatial += spatial * spatial;
            to.with_spatial += own[k] * own[k];
            to.interference += interference * interference;
            to.with_interference += all[k] * all[k];
            to.artifacts += artifacts * artifacts;
        }
        return {};
    }

    Channels song_;
    index length_, size_;
    fft::Plan<double> plan_;
    std::vector<FilterSpectra> own_, all_;
};

std::uint64_t thousandths(double part) {
    return static_cast<std::uint64_t>(1000 * part);
}

void add_medians(Score& score) {
    for (StemScore& s : score.stems) {
        auto const middle = [&](double BssEval::*value) {
            std::vector<double> all;
            for (BssEval const& w : s.windows) all.push_back(w.*value);
            return median_of(std::move(all));
        };
        s.median = {middle(&BssEval::sdr), middle(&BssEval::isr), middle(&BssEval::sir),
                    middle(&BssEval::sar)};
    }
}

}  // namespace

double median_of(std::vector<double> values) {
    std::erase_if(values, [](double v) { return std::isnan(v); });
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(values);
    std::size_t const half = values.size() / 2;
    if (values.size() % 2) return values[half];
    // Equal ones may be infinite.
    double const a = values[half - 1], b = values[half];
    return a == b ? a : (a + b) / 2;
}

Status add_bss(Score& score, std::span<StemPair const> stems, index channels, int rate,
               ScoreOptions const& options) {
    Channels const song{stems, channels};
    index const length = std::min<index>(rate, song.frames());
    // Progress is reported in thousandths. Correlating, solving and measuring take roughly these
    // parts of the time.
    constexpr double correlated = 0.3, solved = 0.5;
    SLUICE_TRY(auto const correlations, correlate(song, options.threads, [&](double part) {
                   return tell_progress(options.progress, thousandths(correlated * part), 1000);
               }));
    SongFilters const filters = find_filters(correlations, channels, options.threads);
    SLUICE_CHECK(tell_progress(options.progress, thousandths(solved), 1000));
    SLUICE_TRY(Windows const windows, Windows::make(song, filters, length));

    score.windows = song.frames() / length;
    auto const count = static_cast<std::size_t>(score.windows);
    std::vector<std::vector<BssEval>> values(count, std::vector<BssEval>(stems.size()));
    std::vector<char> silent(count);
    Run run([&](index w) {
        double const part = static_cast<double>(w) / static_cast<double>(score.windows);
        return !options.progress ||
               options.progress(thousandths(solved + (1 - solved) * part), 1000);
    });
    share_out(score.windows, options.threads, &run, [&](index w, int) -> Status {
        auto const k = static_cast<std::size_t>(w);
        silent[k] = windows.silent(w * length);
        if (!silent[k]) SLUICE_CHECK(windows.measure(w * length, values[k]));
        run.done();
        return {};
    });
    SLUICE_CHECK(run.status());
    for (std::size_t k = 0; k < count; ++k) {
        score.silent += silent[k];
        for (std::size_t s = 0; s < stems.size(); ++s)
            score.stems[s].windows.push_back(values[k][s]);
    }
    add_medians(score);
    return {};
}

}  // namespace sluice::music
