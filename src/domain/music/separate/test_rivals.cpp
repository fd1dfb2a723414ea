// The loops of other tools. Formulas: audio-separator 0.44.1, mdxc_separator.py; MSST ccc011a,
// utils/model_utils.py.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/music/separate/rivals_test.h"

namespace sluice::music {
namespace {

std::size_t at(index k) {
    return static_cast<std::size_t>(k);
}

// What a network makes of one chunk [2][C], as lanes.
Lanes through(ChunkSeparator& network, Lanes const& part) {
    index const c = network.samples();
    std::vector<float> in, out(at(network.stems() * 2 * c));
    for (auto const& channel : part) in.insert(in.end(), channel.begin(), channel.end());
    network.separate(in, out, 1).value();
    Lanes lanes;
    for (index k = 0; k < 2 * network.stems(); ++k)
        lanes.emplace_back(out.begin() + k * c, out.begin() + (k + 1) * c);
    return lanes;
}

// Without its first and last samples.
Lanes trimmed(Lanes const& lanes, index before, index after) {
    Lanes out;
    for (auto const& lane : lanes) out.emplace_back(lane.begin() + before, lane.end() - after);
    return out;
}

// torch's "reflect": the sample at the edge is not repeated.
std::vector<float> reflected(std::vector<float> const& x, index before, index after) {
    std::vector<float> out;
    for (index k = before; k > 0; --k) out.push_back(x[at(k)]);
    out.insert(out.end(), x.begin(), x.end());
    for (index k = 0; k < after; ++k) out.push_back(x[at(std::ssize(x) - 2 - k)]);
    return out;
}

// torch.linspace(first, last, n) in float32.
std::vector<float> linspace(float first, float last, index n) {
    float const step = (last - first) / static_cast<float>(n - 1);
    std::vector<float> out;
    for (index k = 0; k < n; ++k)
        out.push_back(k < n / 2 ? std::fma(step, static_cast<float>(k), first)
                                : std::fma(-step, static_cast<float>(n - 1 - k), last));
    return out;
}

}  // namespace

index uvr_chunks(index chunk, index overlap, index length) {
    index const hop = chunk / overlap;
    index modulo = (length - chunk) % hop;
    if (modulo < 0) modulo += hop;
    index const padded = (chunk - hop) + length + (hop - modulo + chunk - hop);
    index n = 0;
    for (index i = 0; i + chunk <= padded; i += hop) ++n;
    return n;
}

Lanes uvr_demix(ChunkSeparator& network, Lanes const& mix, index overlap) {
    index const chunk = network.samples(), hop = chunk / overlap, length = std::ssize(mix[0]);
    index modulo = (length - chunk) % hop;
    if (modulo < 0) modulo += hop;
    index const pad = hop - modulo;
    Lanes padded;
    for (auto const& channel : mix) {
        std::vector<float> p(at(chunk - hop));
        p.insert(p.end(), channel.begin(), channel.end());
        p.resize(p.size() + at(pad + chunk - hop));
        padded.push_back(p);
    }
    index const total = std::ssize(padded[0]);
    Lanes sum(at(2 * network.stems()), std::vector<float>(at(total)));
    for (index i = 0; i + chunk <= total; i += hop) {
        Lanes part;
        for (auto const& p : padded) part.emplace_back(p.begin() + i, p.begin() + i + chunk);
        Lanes const x = through(network, part);
        for (std::size_t lane = 0; lane < sum.size(); ++lane)
            for (index k = 0; k < chunk; ++k) sum[lane][at(i + k)] += x[lane][at(k)];
    }
    for (auto& lane : sum)
        for (float& v : lane) v /= static_cast<float>(overlap);
    return trimmed(sum, chunk - hop, pad + chunk - hop);
}

index msst_chunks(index chunk, index overlap, index length) {
    index const step = chunk / overlap, border = chunk - step;
    index const total = length > 2 * border && border > 0 ? length + 2 * border : length;
    index n = 0;
    for (index i = 0; i < total; i += step) ++n;
    return n;
}

Lanes msst_demix(ChunkSeparator& network, Lanes const& mix_given, index overlap) {
    index const chunk = network.samples(), step = chunk / overlap, border = chunk - step;
    index const fade = chunk / 10, length = std::ssize(mix_given[0]);
    bool const bordered = length > 2 * border && border > 0;
    Lanes mix = mix_given;
    if (bordered)
        for (auto& channel : mix) channel = reflected(channel, border, border);
    std::vector<float> window(at(chunk), 1.0f);
    std::ranges::copy(linspace(1, 0, fade), window.end() - fade);
    std::ranges::copy(linspace(0, 1, fade), window.begin());

    index const total = std::ssize(mix[0]);
    Lanes sum(at(2 * network.stems()), std::vector<float>(at(total)));
    std::vector<float> counter(at(total));
    for (index i = 0; i < total; i += step) {
        index const there = std::min(chunk, total - i);
        Lanes part;
        for (auto const& channel : mix) {
            std::vector<float> p(channel.begin() + i, channel.begin() + i + there);
            if (there > chunk / 2)
                p = reflected(p, 0, chunk - there);
            else
                p.resize(at(chunk));
            part.push_back(p);
        }
        Lanes const x = through(network, part);
        std::vector<float> w = window;
        if (i == 0)
            std::fill_n(w.begin(), fade, 1.0f);
        else if (i + step >= total)
            std::fill(w.end() - fade, w.end(), 1.0f);
        for (std::size_t lane = 0; lane < sum.size(); ++lane)
            for (index k = 0; k < there; ++k) sum[lane][at(i + k)] += x[lane][at(k)] * w[at(k)];
        for (index k = 0; k < there; ++k) counter[at(i + k)] += w[at(k)];
    }
    for (auto& lane : sum)
        for (index k = 0; k < total; ++k) {
            lane[at(k)] /= counter[at(k)];
            if (std::isnan(lane[at(k)])) lane[at(k)] = 0;
        }
    return bordered ? trimmed(sum, border, border) : sum;
}

}  // namespace sluice::music
