// Virtual detectors over a scan.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/stem4d/remote_scan.h"
#include "domain/stem4d/sum_frames.h"
#include "scan/describe.h"
#include "scan/fold.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

// What a mean divides by: sums of bins are sums over the stored pixels, means of bins are not.
double pixels_counted(Array<float> const& weights, store::Plan const& plan) {
    double n = 0;
    for (std::size_t i = 0; i < weights.values.size(); ++i)
        if (weights.values[i] != 0)
            n += plan.mode == BinMode::sum ? plan.valid[i] : plan.valid[i] != 0;
    return n;
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
    std::vector<Compiled> compiled;
    std::vector<std::uint8_t> const bad = scan.bad_pixels();
    for (Detector const& d : detectors) {
        SLUICE_TRY(Array<float> const weights,
                   rasterize(scan, d, out.disk.value_or(Disk{}), &out.notes));
        compiled.push_back(compile(weights, bad));
        SLUICE_CHECK(check_valid(compiled.back(), d.name));
        out.valid_pixels.push_back(pixels_counted(weights, scan.plan()));
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
