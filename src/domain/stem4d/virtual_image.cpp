// Virtual detectors over a scan.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/stem4d/remote_scan.h"
#include "kernel/dense/cpu.h"
#include "kernel/planes/cpu.h"
#include "launch/map.h"
#include "store/plan.h"
#include "stream/describe.h"
#include "stream/fold.h"

namespace sluice::stem4d {
namespace {

using planes::tile_frames;
using store::Unit;

// Every frame's result has its own place, so that there is nothing to merge.
struct SumFrames {
    static constexpr index batch = 16;  // tiles at a time, so that the next one is fetched ahead
    struct Partial {};
    using Result = bool;
    std::span<Compiled const> detectors;
    Device device;
    index frames;
    double* out;  // [detector][frame]

    Partial begin() const { return {}; }
    void merge(Partial&, Partial const&) const {}
    bool finish(Partial const&) const { return true; }
    void add(Partial&, std::span<Unit const> units) const {
        for (std::size_t d = 0; d < detectors.size(); ++d) {
            double* const to = out + static_cast<index>(d) * frames;
            if (device.kind() == Device::Kind::cpu && units.front().is_tile &&
                !detectors[d].weighted) {
                tiles(units, detectors[d], to);
                continue;
            }
            for (Unit const& u : units) {
                if (!u.is_tile)
                    values(u, detectors[d], to + u.first_frame);
                else if (device.kind() == Device::Kind::reference)
                    tile_slowly(u, detectors[d], to + u.first_frame);
                else
                    weighted_tile(u, detectors[d], to + u.first_frame);
            }
        }
    }
    void tiles(std::span<Unit const> units, Compiled const& d, double* to) const {
        planes::Tile list[batch];
        std::uint64_t sums[batch][tile_frames] = {};
        for (std::size_t i = 0; i < units.size(); ++i) list[i] = units[i].tile;
        if (!d.words.empty())
            planes::cpu_kernels(device.isa()).virtual_sum({list, units.size()}, d.split(), sums);
        for (std::size_t i = 0; i < units.size(); ++i)
            for (index f = 0; f < units[i].frames; ++f)
                to[units[i].first_frame + f] = static_cast<double>(sums[i][f]);
    }
    void weighted_tile(Unit const& u, Compiled const& d, double* to) const {
        double sums[tile_frames];
        planes::cpu_kernels(device.isa()).weighted_sum(u.tile, d.block_weights.data(), sums);
        for (index f = 0; f < u.frames; ++f) to[f] = sums[f];
    }
    void tile_slowly(Unit const& u, Compiled const& d, double* to) const {
        std::uint64_t const offset = 0;
        planes::TileSet const set{u.tile.base,
                                  &offset,
                                  1,
                                  u.frames,
                                  {planes::block_edge, u.tile.blocks * planes::block_edge}};
        if (d.weighted) {
            launch::map(u.frames, planes::WeightedSum{set, d.block_weights.data(), to});
            return;
        }
        index const first[] = {0, std::ssize(d.words)};
        std::uint64_t sums[tile_frames];
        launch::map(u.frames, planes::VirtualSum{set, d.words.data(), first, 1, sums});
        for (index f = 0; f < u.frames; ++f) to[f] = static_cast<double>(sums[f]);
    }
    void values(Unit const& u, Compiled const& d, double* to) const {
        auto const& kernels = dense::cpu_kernels(device.isa());
        if (d.weighted) {
            kernels.weighted_sum({u.values, d.pixel_weights.data(), to}, 0, u.frames);
            return;
        }
        index const first[] = {0, std::ssize(d.runs)};
        kernels.virtual_sum({u.values, d.runs.data(), first, 1, to}, 0, u.frames);
    }
};

// What a mean divides by: sums of bins are sums over the stored pixels, means of bins are not.
double pixels_counted(Array<float> const& weights, store::Plan const& plan) {
    double n = 0;
    for (std::size_t i = 0; i < weights.values.size(); ++i)
        if (weights.values[i] != 0)
            n += plan.mode == BinMode::sum ? plan.valid[i] : plan.valid[i] != 0;
    return n;
}

Status remote_sums(Scan const& scan, std::span<Compiled const> detectors, Device const& device,
                   Array<double>& out) {
    SLUICE_TRY(RemoteScan remote, RemoteScan::on(scan, device));
    auto const frames = static_cast<std::size_t>(scan.plan().frames());
    for (std::size_t d = 0; d < detectors.size(); ++d) {
        std::span const to(out.values.data() + d * frames, frames);
        SLUICE_CHECK(detectors[d].weighted ? remote.weighted_sums(detectors[d], to)
                                           : remote.virtual_sums(detectors.subspan(d, 1), to));
    }
    return {};
}

}  // namespace

Result<VirtualImages> virtual_image(Scan const& scan, std::span<Detector const> detectors,
                                    Options const& options) {
    if (detectors.empty())
        return Error{Code::invalid_argument, "no detector given; try --detector bf"};
    VirtualImages out;
    for (Detector const& d : detectors) {
        out.names.push_back(d.name);
        if (!needs_disk(d) || out.disk) continue;
        out.disk = options.disk;
        if (!out.disk) {
            SLUICE_TRY(out.disk, find_disk(scan, options.device));
        }
    }
    auto const shape = scan.scan_shape();
    std::vector<Compiled> compiled;
    std::vector<std::uint8_t> const bad = scan.bad_pixels();
    for (Detector const& d : detectors) {
        SLUICE_TRY(Array<float> const weights,
                   rasterize(scan, d, out.disk.value_or(Disk{}), &out.notes));
        compiled.push_back(compile(weights, bad));
        SLUICE_CHECK(check_valid(compiled.back(), d.name));
        out.valid_pixels.push_back(pixels_counted(weights, scan.plan()));
    }
    out.values = Array<double>::zeros({std::ssize(detectors), shape[0], shape[1]});
    store::Tally tally;
    if (options.device.remote()) {
        SLUICE_CHECK(remote_sums(scan, compiled, options.device, out.values));
    } else {
        SumFrames const analysis{compiled, options.device, scan.plan().frames(),
                                 out.values.values.data()};
        stream::FoldOptions fold_options{.device = options.device, .progress = options.progress};
        bool const all =
            std::ranges::any_of(compiled, [](Compiled const& c) { return c.weighted; });
        if (!all) fold_options.need = blocks_needed(compiled, scan.plan().grid());
        fold_options.tally = &tally;
        fold_options.batch = SumFrames::batch;
        SLUICE_TRY([[maybe_unused]] bool const done, stream::fold(scan, analysis, fold_options));
    }
    std::vector<std::string> const of_scan = scan.notes();
    out.notes.insert(out.notes.end(), of_scan.begin(), of_scan.end());
    stream::describe(tally, scan.dataset(), out.notes);
    if (!options.mean) return out;
    auto const frames = static_cast<std::size_t>(shape[0] * shape[1]);
    for (std::size_t i = 0; i < out.values.values.size(); ++i)
        out.values.values[i] /= out.valid_pixels[i / frames];
    return out;
}

}  // namespace sluice::stem4d
