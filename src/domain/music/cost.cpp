// What one chunk costs: multiplications by the shapes, and what is kept at once.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/music.h"

namespace sluice::music {
namespace {

// In double, where numbers of this size are exact and absurd ones do not overflow.
double block_macs(double in, double c, double points, double inner) {
    // Two 3x3 convolutions, two layers along frequency, the shortcut.
    return points * (9 * in * c + 9 * c * c + 2 * c * inner + in * c);
}

}  // namespace

Cost cost_of(Network const& n, index frames) {
    Cost cost;
    auto const number = [](index i) { return static_cast<double>(i); };
    index bins = n.bins, time = frames;
    double const c0 = number(n.channels), first = number(frames) * number(n.bins);
    double const blocks = number(n.blocks), in = number(n.inputs());
    cost.macs += first * (c0 * in + c0 * (c0 + in) + c0 * in * number(n.stems));
    for (index i = 0; i < n.scales; ++i) {
        double const c = number(n.channels_of(i)), below = number(n.channels_of(i + 1));
        double const points = number(time) * number(bins);
        double const inner = number(bins / n.bottleneck);
        // Encoder and decoder; the decoder's first block has twice the channels before it.
        cost.macs += (2 * blocks - 1) * block_macs(c, c, points, inner);
        cost.macs += block_macs(2 * c, c, points, inner);
        // Down, by which each point is read once, and up, by which each is written once.
        cost.macs += 2 * points * c * below;
        cost.elements += points * c;
        time /= n.scale[0];
        bins /= n.scale[1];
    }
    double const c = number(n.channels_of(n.scales));
    cost.macs +=
        blocks * block_macs(c, c, number(time) * number(bins), number(bins / n.bottleneck));
    // The gate, and the maps that a block of the outermost level reads and writes.
    cost.elements += 5 * first * c0;
    return cost;
}

}  // namespace sluice::music
