// Virtual detectors over a scan.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include "device/workers.h"
#include "domain/stem4d/remote_scan.h"
#include "domain/stem4d/sum_frames.h"
#include "scan/describe.h"
#include "scan/fold.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

// What a mean divides by: sums of bins are sums over the stored pixels, means of bins are not.
double pixels_counted(Array<float> const& weights, store::Plan const& plan) {
    std::uint64_t n = 0;
    bool const sums = plan.mode == BinMode::sum;
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        std::uint32_t const pixels = sums ? plan.valid[i] : plan.valid[i] != 0;
        n += weights.values[i] != 0 ? pixels : 0;
    }
    return static_cast<double>(n);
}

/// A detector on a scan: its mask, and what is to be said of it.
struct Placed {
    Compiled compiled = {};
    double pixels = 0;
    std::vector<std::string> notes = {};
    std::optional<Error> error = {};
};

Placed place(Scan const& scan, Detector const& d, Disk const& disk,
             std::span<std::uint8_t const> bad) {
    Placed p;
    auto const weights = rasterize(scan, d, disk, &p.notes);
    if (!weights) {
        p.error = weights.error();
        return p;
    }
    p.compiled = compile(*weights, bad);
    if (auto s = check_valid(p.compiled, d.name); !s) {
        p.error = s.error();
        return p;
    }
    p.pixels = pixels_counted(*weights, scan.plan());
    return p;
}

Status remote_sums(RemoteScan& remote, std::span<Compiled const> detectors, Array<double>& out) {
    std::size_t const frames = out.values.size() / detectors.size();
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
    std::vector<std::uint8_t> const bad = scan.bad_pixels();
    std::vector<Placed> placed(detectors.size());
    parallel_for(std::ssize(detectors), options.device.threads(), 1, [&](index i, int) {
        auto const d = static_cast<std::size_t>(i);
        placed[d] = place(scan, detectors[d], out.disk.value_or(Disk{}), bad);
    });
    std::vector<Compiled> compiled;
    for (Placed& p : placed) {
        if (p.error) return *p.error;
        compiled.push_back(std::move(p.compiled));
        out.valid_pixels.push_back(p.pixels);
        out.notes.insert(out.notes.end(), p.notes.begin(), p.notes.end());
    }
    out.values.shape = {std::ssize(detectors), shape[0], shape[1]};
    store::Tally tally;
    SLUICE_TRY(auto remote, RemoteScan::on(scan, options.device));
    if (remote) {
        Step const step(options.trace, Phase::fold, 0);
        out.values = Array<double>::zeros(out.values.shape);
        SLUICE_CHECK(remote_sums(*remote, compiled, out.values));
    } else {
        SumFrames const analysis{compiled, options.device, scan.plan().frames()};
        stream::FoldOptions fold_options{
            .device = options.device, .progress = options.progress, .trace = options.trace};
        bool const all =
            std::ranges::any_of(compiled, [](Compiled const& c) { return c.weighted; });
        if (!all) fold_options.need = blocks_needed(compiled, scan.plan().grid());
        fold_options.tally = &tally;
        fold_options.batch = SumFrames::batch;
        SLUICE_TRY(out.values.values, stream::fold(scan, analysis, fold_options));
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
