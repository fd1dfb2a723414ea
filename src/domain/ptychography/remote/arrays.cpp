// Gives each array its place.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/arrays.h"

#include <algorithm>

#include "fft/remote.h"

namespace sluice::ptycho::remote {

namespace {

using S = stem4d::PtychographyStage::Solver;

void take_lists(Sizes const& sizes, Arena& arena, Arrays& a) {
    index const touched = most_touched(sizes.n());
    index const all = tiles_of(sizes.canvas.rows, sizes.canvas.cols);
    a.order = arena.take<std::int32_t>(sizes.patterns);
    a.begins = arena.take<std::int32_t>(sizes.groups + 1);
    a.windows = arena.take<std::int32_t>(sizes.patterns * touched);
    a.tiles = arena.take<Tile>(std::min(sizes.patterns * touched, sizes.groups * all));
    a.of_tiles = arena.take<float>(std::min(sizes.group * touched, all) * Tile::area);
}

void take_waves(Sizes const& sizes, Arena& arena, Arrays& a) {
    index const waves = sizes.piece * sizes.probe();
    // The probe itself enters the first slice where it does not move.
    index const slices = sizes.canvas.slices - (sizes.moves ? 0 : 1);
    if (slices > 0) a.entries = arena.take<Z>(slices * waves);
    a.waves = arena.take<Z>(waves);
    if (sizes.moves) {
        a.spectra = arena.take<Z>(sizes.probe());
        a.factors = arena.take<Z>(sizes.piece * 2 * sizes.n());
    }
    if (sizes.canvas.slices > 1) {
        a.propagator = arena.take<Z>(sizes.window());
        a.spread_probe = arena.take<Z>(sizes.probe());
    }
    if (sizes.pixels.near) a.near = arena.take<Z>(sizes.window());
    a.weights = arena.take<float>(sizes.piece * sizes.measured());
    a.columns = arena.take<float>(sizes.piece *
                                  std::max(quantities * sizes.pixels.detector, 5 * sizes.n()));
    a.errors = arena.take<double>(sizes.patterns * quantities);
    if (sizes.refines_positions) a.position_gradients = arena.take<double>(sizes.patterns * 2);
    a.group_errors = arena.take<double>(sizes.groups * (errors_of_groups + 1));
}

void take_solver(Sizes const& sizes, Arena& arena, Arrays& a) {
    if (sizes.solver == S::adam) {
        a.object_first = arena.take<Z>(sizes.object());
        a.object_second = arena.take<float>(sizes.object());
        a.probe_first = arena.take<Z>(sizes.probe());
        a.probe_second = arena.take<float>(sizes.probe());
    }
    if (sizes.projects) {
        a.kept = arena.take<Z>(sizes.patterns * sizes.probe());
        a.views = arena.take<Z>(sizes.piece * sizes.probe());
        a.own_errors = arena.take<double>(sizes.piece * quantities);
        a.fit_moved = arena.take<float>(2 * sizes.probe());
        a.fit_sums = arena.take<double>(2 * sizes.modes * sizes.n());
    }
    if (sizes.solver == S::mpie || (sizes.solver == S::lsqml && sizes.modes > 1)) {
        a.object_before = arena.take<Z>(sizes.object());
        a.object_speed = arena.take<Z>(sizes.object());
        a.probe_before = arena.take<Z>(sizes.probe());
        a.probe_speed = arena.take<Z>(sizes.probe());
    }
    if (sizes.solver == S::lsqml) {
        a.object_way = arena.take<Z>(sizes.object());
        a.probe_way = arena.take<Z>(sizes.probe());
        a.turned_way = sizes.moves ? arena.take<Z>(sizes.probe()) : a.probe_way;
        a.object_gradients = arena.take<Z>(sizes.group * sizes.window());
        a.probe_gradients = arena.take<Z>(sizes.group * sizes.probe());
        a.systems = arena.take<double>(sizes.group * 5);
    }
}

}  // namespace

Arrays Arrays::of(Sizes const& sizes, Arena& arena) {
    Arrays a;
    a.object = arena.take<Z>(sizes.object());
    a.probe = arena.take<Z>(sizes.probe());
    a.object_sum = arena.take<Z>(sizes.object());
    a.probe_sum = arena.take<Z>(sizes.probe());
    if (sizes.goes_back) {
        a.best_object = arena.take<Z>(sizes.object());
        a.best_probe = arena.take<Z>(sizes.probe());
        a.candidate_object = arena.take<Z>(sizes.object());
        a.candidate_probe = arena.take<Z>(sizes.probe());
    }
    take_lists(sizes, arena, a);
    take_waves(sizes, arena, a);
    a.probe_power = arena.take<float>(sizes.window());
    a.object_power = arena.take<float>(sizes.window());
    a.maxima = arena.take<float>(1024 + 32);
    a.peaks = arena.take<float>(3 + sizes.canvas.slices);
    take_solver(sizes, arena, a);
    return a;
}

index bytes_of(Sizes const& sizes) {
    Arena counted;
    Arrays::of(sizes, counted);
    index plans = fft::RemotePlan<float>::bytes_of(sizes.waves());
    if (sizes.modes_travel()) plans += fft::RemotePlan<float>::bytes_of(sizes.modes_alone());
    return counted.used() + plans;
}

}  // namespace sluice::ptycho::remote
