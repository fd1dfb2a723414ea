// Copies for pages, and the powers of modes.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/ptychography/snapshot.h"

namespace sluice::app {
namespace {

std::vector<double> powers_of(std::vector<Snapshot::Wave> const& modes) {
    std::vector<double> powers;
    double all = 0;
    for (auto const& mode : modes) {
        double sum = 0;
        for (auto const& z : mode.values) sum += static_cast<double>(std::norm(z));
        powers.push_back(sum);
        all += sum;
    }
    for (double& p : powers) p = all > 0 ? p / all : 0;
    return powers;
}

Snapshot::Wave plane_of(Array<std::complex<float>> const& planes, index number) {
    index const rows = planes.shape[1], cols = planes.shape[2];
    auto const first = planes.values.begin() + number * rows * cols;
    return {{rows, cols}, {first, first + rows * cols}};
}

}  // namespace

Snapshot snapshot_of(stem4d::PtychographyView const& view, std::set<index> const& slices) {
    Snapshot s;
    s.iteration = std::ssize(view.rounds);
    for (index const slice : slices)
        if (slice < view.slices) s.slices.emplace(slice, view.slice(slice));
    for (index k = 0; k < view.modes; ++k) s.modes.push_back(view.mode(k));
    s.powers = powers_of(s.modes);
    s.positions.assign(view.positions.begin(), view.positions.end());
    s.started.assign(view.started.begin(), view.started.end());
    return s;
}

Snapshot snapshot_of(stem4d::PtychographyResult const& result, std::set<index> const& slices) {
    Snapshot s;
    s.iteration = std::ssize(result.rounds);
    for (index slice = 0; slice < result.object.shape[0]; ++slice)
        if (slices.empty() || slices.contains(slice))
            s.slices.emplace(slice, plane_of(result.object, slice));
    for (index k = 0; k < result.probe.shape[0]; ++k) s.modes.push_back(plane_of(result.probe, k));
    s.powers = result.mode_powers;
    s.positions = result.positions;
    s.started = result.started;
    return s;
}

}  // namespace sluice::app
