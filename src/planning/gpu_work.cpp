// Bytes, FLOP and launches of the kernels that run on devices, counted by their sources.
// SPDX-License-Identifier: Apache-2.0
#include "planning/gpu_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "domain/ptychography/grid.h"
#include "domain/ptychography/remote/plan.h"
#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/start/start.h"
#include "fft/lines.h"
#include "kernel/planes/tile.h"

namespace sluice::planning {
namespace {

constexpr double wave_bytes = 8;  // of a complex number

// Launches of a transform of a square, each of which reads and writes all numbers.
double transform_passes(index n) {
    fft::Lines<float> const lines(n);
    // Bluestein's goes there and back on twice the length.
    if (lines.factors().empty() && n > 1) return 2 * 4 * std::log2(2.0 * static_cast<double>(n));
    return 2 * static_cast<double>(std::max<std::size_t>(1, lines.factors().size()));
}

/// A stage, as remote/remote_step.cpp runs it.
struct StageCost {
    double bytes = 0, flop = 0, launches = 0, exchanges = 0;
};

StageCost cost_of(ptycho::remote::Sizes const& s, index iterations) {
    double const n = static_cast<double>(s.n()), area = n * n;
    double const slices = static_cast<double>(s.canvas.slices);
    // There and back behind each slice, and twice more where the probe moves by parts of a pixel.
    double const transforms = 2 * (2 * slices - 1) + (s.moves ? 2 : 0);
    double const passes = transform_passes(s.n());
    // Kernels beside them read or write a wave eight times a slice (remote_step.cpp).
    constexpr double touches = 8, arithmetic = 40;
    double const rounds = static_cast<double>(iterations);
    double const waves = rounds * static_cast<double>(s.patterns * s.modes);
    double const pieces = rounds * static_cast<double>(s.groups) *
                          std::ceil(static_cast<double>(s.group) / static_cast<double>(s.piece));
    constexpr double kernels = 12;
    StageCost c;
    c.bytes = waves * area * wave_bytes * (2 * transforms * passes + touches * slices) +
              rounds * static_cast<double>(s.patterns * s.measured()) * 2;
    c.flop = waves * area * (transforms * 5 * std::log2(area) + arithmetic * slices);
    c.launches = pieces * (transforms * passes + kernels * slices);
    c.exchanges = rounds * static_cast<double>(s.groups);
    return c;
}

}  // namespace

GpuWork gpu_images(LoadedScan const& scan, std::size_t detectors) {
    double const frames = static_cast<double>(scan.frames);
    double const bytes = scan.tile_bytes > 0
                             ? frames / double{planes::tile_frames} * scan.tile_bytes
                             : frames * static_cast<double>(scan.pixels * scan.value_bytes);
    GpuWork w;
    w.up = static_cast<std::uint64_t>(bytes);
    w.shared = w.up + static_cast<std::uint64_t>(scan.frames) * sizeof(double);
    w.bytes = static_cast<double>(std::max<std::size_t>(1, detectors)) * bytes;
    w.launches = static_cast<double>(detectors);
    w.basis =
        fmt::format("{}, each of which reads the scan as {} once", plural(detectors, "detector"),
                    scan.tile_bytes > 0 ? "bit planes" : "plain values");
    return w;
}

Result<GpuWork> gpu_ptychography(stem4d::Patterns const& patterns, std::uint64_t counts,
                                 stem4d::PtychographyOptions options) {
    namespace remote = ptycho::remote;
    options.device = Device::fake();  // the plan of any GPU, also where none is
    SLUICE_CHECK(remote::check_known(options));
    SLUICE_TRY(std::uint64_t const there, stem4d::ptychography_memory(patterns, options));
    auto const grid = ptycho::grid_of(patterns, options);
    SLUICE_TRY(auto const canvas, ptycho::make_canvas(ptycho::positions_on_grid(patterns, options),
                                                      grid.window, options.margin));
    GpuWork w;
    w.up = counts;
    w.shared = counts;
    std::uint64_t waves = 0;
    for (auto const& stage : options.stages) {
        remote::Sizes const s =
            remote::sizes_of(patterns, options, stage, canvas, remote::usual_waves);
        StageCost const c = cost_of(s, stage.iterations);
        w.bytes += c.bytes, w.flop += c.flop, w.launches += c.launches, w.exchanges += c.exchanges;
        // Projections keep a wave of each pattern: of several GPUs each has its own.
        if (s.projects)
            waves = std::max(waves, static_cast<std::uint64_t>(s.patterns * s.probe()) * 8);
    }
    waves = std::min(waves, there);
    w.shared += waves;
    w.whole = there - waves;
    // Gradients and powers of the object, and gradients of the probe, all in float.
    constexpr std::uint64_t of_pixel = 8 + 4;
    auto const slices = static_cast<std::uint64_t>(options.slices);
    auto const window = static_cast<std::uint64_t>(grid.window);
    std::uint64_t const probe = window * window * static_cast<std::uint64_t>(options.modes) * 8;
    w.all_reduce =
        static_cast<std::uint64_t>(canvas.rows * canvas.cols) * slices * of_pixel + probe;
    w.halo = static_cast<std::uint64_t>(canvas.cols) * window * slices * of_pixel + probe;
    w.basis = fmt::format(
        "each transform of {0}x{0} reads and writes its waves {1:.0f} times, "
        "other kernels 8 times; 5 n log2 n FLOP of each n numbers, and 40 a "
        "number; GPUs meet after each group",
        grid.window, transform_passes(grid.window));
    return w;
}

GpuWork gpu_separation(std::span<music::ModelCost const> models, std::span<double const> passes) {
    GpuWork w;
    for (std::size_t i = 0; i < models.size(); ++i) {
        w.whole += models[i].bytes;
        w.up += models[i].bytes;
        w.flop += passes[i] * models[i].flop;
        w.bytes += passes[i] * static_cast<double>(models[i].bytes);
    }
    w.basis =
        "convolutions and linear layers as they are written down; weights and maps are "
        "touched once in each pass";
    return w;
}

}  // namespace sluice::planning
