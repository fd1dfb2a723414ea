// Sums over products of delayed samples, and elimination with pivots.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/score_slow_test.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sluice::music {
namespace {

using Rows = std::vector<std::vector<double>>;

std::vector<double> channel_of(std::span<float const> all, index channels, index c) {
    std::vector<double> out;
    for (auto k = static_cast<std::size_t>(c); k < all.size();
         k += static_cast<std::size_t>(channels))
        out.push_back(all[k]);
    return out;
}

// The sum over t of x(t) y(t + lag), for silence around both.
double product(std::vector<double> const& x, std::vector<double> const& y, std::size_t lag) {
    double sum = 0;
    for (std::size_t t = 0; t + lag < y.size(); ++t) sum += x[t] * y[t + lag];
    return sum;
}

// The equations of least squares: each signal with each delay makes a row and a column. A product
// of two delayed signals depends on the difference of the delays alone.
std::vector<double> fit(Rows const& signals, std::vector<double> const& wanted) {
    auto const taps = static_cast<std::size_t>(bss_taps);
    std::size_t const n = signals.size() * taps;
    Rows m(n, std::vector<double>(n + 1));
    for (std::size_t i = 0; i < signals.size(); ++i)
        for (std::size_t lag = 0; lag < taps; ++lag) {
            m[i * taps + lag][n] = product(signals[i], wanted, lag);
            for (std::size_t j = 0; j < signals.size(); ++j) {
                double const v = product(signals[i], signals[j], lag);
                for (std::size_t b = 0; b + lag < taps; ++b)
                    m[i * taps + b + lag][j * taps + b] = m[j * taps + b][i * taps + b + lag] = v;
            }
        }
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t r = k; r < n; ++r)
            if (std::abs(m[r][k]) > std::abs(m[best][k])) best = r;
        std::swap(m[k], m[best]);
        for (std::size_t r = k + 1; r < n; ++r) {
            double const f = m[r][k] / m[k][k];
            for (std::size_t c = k; c <= n; ++c) m[r][c] -= f * m[k][c];
        }
    }
    std::vector<double> x(n);
    for (std::size_t k = n; k-- > 0;) {
        double v = m[k][n];
        for (std::size_t c = k + 1; c < n; ++c) v -= m[k][c] * x[c];
        x[k] = v / m[k][k];
    }
    return x;
}

// The signals of a window, silent around it, filtered and added up.
std::vector<double> filtered(Rows const& signals, std::vector<double> const& taps, index start,
                             index length) {
    std::vector<double> out(static_cast<std::size_t>(length + bss_taps - 1));
    for (std::size_t s = 0; s < signals.size(); ++s)
        for (index t = 0; t < length; ++t)
            for (index d = 0; d < bss_taps; ++d)
                out[static_cast<std::size_t>(t + d)] +=
                    taps[s * static_cast<std::size_t>(bss_taps) + static_cast<std::size_t>(d)] *
                    signals[s][static_cast<std::size_t>(start + t)];
    return out;
}

/// Filters do not depend on the window: they are found once for each song of a test.
std::vector<double> const& fit_once(Rows const& signals, std::vector<double> const& wanted) {
    static std::map<std::pair<Rows, std::vector<double>>, std::vector<double>> known;
    auto const [found, added] = known.try_emplace({signals, wanted});
    if (added) found->second = fit(signals, wanted);
    return found->second;
}

double energy(std::vector<double> const& v) {
    double sum = 0;
    for (double const x : v) sum += x * x;
    return sum;
}

}  // namespace

BssEval slow_window(std::span<StemPair const> stems, index channels, index stem, index start,
                    index length) {
    Rows own, all;
    for (index s = 0; s < std::ssize(stems); ++s)
        for (index c = 0; c < channels; ++c) {
            all.push_back(channel_of(stems[static_cast<std::size_t>(s)].reference, channels, c));
            if (s == stem) own.push_back(all.back());
        }
    std::vector<double> target, spatial, interference, artifacts;
    for (index c = 0; c < channels; ++c) {
        auto const estimate =
            channel_of(stems[static_cast<std::size_t>(stem)].estimate, channels, c);
        auto const by_own = filtered(own, fit_once(own, estimate), start, length);
        auto const by_all = filtered(all, fit_once(all, estimate), start, length);
        for (std::size_t t = 0; t < by_own.size(); ++t) {
            bool const inside = t < static_cast<std::size_t>(length);
            std::size_t const at = static_cast<std::size_t>(start) + t;
            double const s = inside ? own[static_cast<std::size_t>(c)][at] : 0;
            target.push_back(s);
            spatial.push_back(by_own[t] - s);
            interference.push_back(by_all[t] - by_own[t]);
            artifacts.push_back((inside ? estimate[at] : 0) - by_all[t]);
        }
    }
    auto const sum = [](std::vector<double> a, std::vector<double> const& b) {
        std::ranges::transform(a, b, a.begin(), std::plus());
        return a;
    };
    auto const db = [](double a, double b) { return 10 * std::log10(a / b); };
    auto const image = sum(target, spatial), mixed = sum(image, interference);
    return {db(energy(target), energy(sum(sum(spatial, interference), artifacts))),
            db(energy(target), energy(spatial)), db(energy(image), energy(interference)),
            db(energy(mixed), energy(artifacts))};
}

}  // namespace sluice::music
