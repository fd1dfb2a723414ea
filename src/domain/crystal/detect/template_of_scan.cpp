// fit_template() of a scan: pooled over frames about the disk's centre in each.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/detect/sample.h"
#include "domain/crystal/detect/scan_setup.h"
#include "domain/crystal/probe/fit_template.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

using namespace crystal;

// The sum of a sample's patterns, 0 where pixels are bad.
std::vector<float> sum_of(Sample const& sample, std::span<std::uint8_t const> bad) {
    std::vector<float> sum(static_cast<std::size_t>(sample.pixels()));
    for (std::size_t p = 0; p < sum.size(); ++p) {
        if (!bad.empty() && bad[p]) continue;
        double all = 0;
        for (index i = 0; i < std::ssize(sample.frames); ++i)
            all += static_cast<double>(sample.pattern(i)[p]);
        sum[p] = static_cast<float>(all);
    }
    return sum;
}

// Each frame's disk that is nearest to the place where it is in the sum.
std::vector<DiskImage> tracked(Sample const& sample, std::span<FoundPattern const> found,
                               Point const& center, double farthest) {
    std::vector<DiskImage> images;
    double heights = 0;
    for (index i = 0; i < std::ssize(found); ++i) {
        auto const& disks = found[static_cast<std::size_t>(i)].disks;
        auto const away = [&](FoundDisk const& d) {
            return std::hypot(static_cast<double>(d.row) - center.row,
                              static_cast<double>(d.col) - center.col);
        };
        auto const nearest = std::ranges::min_element(disks, {}, away);
        if (nearest == disks.end() || away(*nearest) > farthest) continue;
        images.push_back({sample.pattern(i),
                          {static_cast<double>(nearest->row), static_cast<double>(nearest->col)},
                          static_cast<double>(nearest->intensity)});
        heights += images.back().scale;
    }
    for (DiskImage& image : images) image.scale *= static_cast<double>(images.size()) / heights;
    return images;
}

// How far centres lie from their mean, rms.
double wander(std::vector<DiskImage> const& images, double bin) {
    Point mean;
    for (DiskImage const& i : images) mean.row += i.center.row, mean.col += i.center.col;
    auto const n = static_cast<double>(images.size());
    double squares = 0;
    for (DiskImage const& i : images)
        squares +=
            std::pow(i.center.row - mean.row / n, 2) + std::pow(i.center.col - mean.col / n, 2);
    return bin * std::sqrt(squares / n);
}

Error in_file(Error error, Scan const& scan) {
    if (error.file.empty()) error.file = scan.dataset().path;
    return error;
}

}  // namespace

Result<FittedTemplate> fit_template(Scan const& scan, TemplateOptions const& options,
                                    Options const& run) {
    SLUICE_CHECK(check(options));
    SLUICE_TRY(Sample const sample, read_sample(scan, run));
    auto const bad = weightless(scan);
    auto const sum = sum_of(sample, bad);
    Array<double> const image{{sample.shape[0], sample.shape[1]}, {sum.begin(), sum.end()}};
    auto const disk = find_disk(image, bad);
    if (!disk) return in_file(disk.error(), scan);
    index const bin = scan.plan().det_bin;
    auto const width = static_cast<double>(bin);
    DiskImages images{sample.shape, bad, bin, {{sum.data(), disk->center}}};
    auto const summed = fit_edge(images, disk->radius * width, 0);
    if (!summed) return in_file(summed.error(), scan);
    if (Status uncut = check_uncut(images, *summed); !uncut) return in_file(uncut.error(), scan);
    // The disks of single frames, found by the blurred one: its centres are right, its edge is not.
    SLUICE_TRY(FinderSetup const own,
               setup_for(scan, {.probe = summed->probe, .options = {}, .background = {}}, bad));
    SLUICE_TRY(auto const found, find_in(sample, own, run.device.host()));
    auto const each = tracked(sample, found, summed->center, 1.5 * summed->probe.radius / width);
    bool const pooled = 2 * each.size() >= sample.frames.size() && each.size() > 1;
    if (pooled)
        images.images = each;
    else
        images.images[0].center = summed->center;
    auto fit = fit_edge(images, summed->probe.radius, options.harmonics);
    if (!fit) return in_file(fit.error(), scan);
    if (!pooled) images.images[0].center = fit->center;
    SLUICE_TRY(
        FittedTemplate out,
        finish_template(images, *fit, options,
                        pooled ? fmt::format("{} patterns about their own centres", each.size())
                               : fmt::format("the sum of {} patterns", sample.frames.size())));
    if (pooled)
        out.notes.push_back(fmt::format("The disk wanders by {:.2f} px (rms) over the sample.",
                                        wander(each, width)));
    else
        out.notes.push_back(
            "Single patterns are too weak to follow the disk, so that the edge is "
            "as blurred as their sum.");
    out.disk = to_detector(Disk{summed->center, fit->probe.radius / width, disk->quality},
                           pixel_grid(scan));
    return out;
}

}  // namespace sluice::stem4d
