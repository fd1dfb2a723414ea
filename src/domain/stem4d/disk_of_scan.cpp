// The bright-field disk of a scan, from a sample of its points that everybody takes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "scan/scan_tables.h"
#include "sluice/stem4d.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

constexpr double most_points = 4096;

// Printed with three digits, a disk that is given back is the one that was measured.
double rounded(double v) {
    return std::round(v * 1000) / 1000;
}

Result<Disk> find_among(Scan const& scan, std::span<std::uint8_t const> take,
                        Device const& device) {
    Options options;
    options.device = device;
    SLUICE_TRY(DiffractionPattern const mean,
               diffraction_pattern(scan, Pattern::mean, take, options));
    auto found = find_disk(mean.values, scan.bad_pixels());
    if (!found) {
        Error error = std::move(found).error();
        error.file = scan.dataset().path;
        return error;
    }
    Disk const disk = to_detector(*found, pixel_grid(scan));
    return Disk{
        {rounded(disk.center.row), rounded(disk.center.col)}, rounded(disk.radius), disk.quality};
}

// Only the sample's frames are read from the files; which pixels count is decided already.
Result<Disk> find_streamed(Scan const& scan, index step) {
    store::Plan const& plan = scan.plan();
    LoadOptions load = scan.options();
    load.residency = Residency::stream;
    load.progress = {};
    load.tables = Tables::none;
    load.det_bin = plan.det_bin;
    load.scan_step *= step;
    load.hot_pixels = load.pixel_mask = false;
    load.user_mask = Array<std::uint8_t>::zeros({plan.stored.rows, plan.stored.cols});
    for (std::uint32_t const pixel : plan.rules.bad) load.user_mask.values[pixel] = 1;
    SLUICE_TRY(Scan const sample, Scan::load(scan.dataset(), load));
    return find_disk_of_sample(sample, load.device);
}

// Measured by this function when the file of tables was made.
std::optional<Disk> disk_of_tables(Scan const& scan) {
    TablesOnDisk const* const file = scan.tables() ? scan.tables()->file() : nullptr;
    if (!file || !file->head().disk) return {};
    auto const [row, col, radius, quality] = *file->head().disk;
    Disk disk{{row, col}, radius, {}};
    if (!std::isnan(quality)) disk.quality = quality;
    return disk;
}

}  // namespace

index disk_sample_step(std::array<index, 2> scan_shape) {
    double const points = static_cast<double>(scan_shape[0]) * static_cast<double>(scan_shape[1]);
    return std::max<index>(1, static_cast<index>(std::ceil(std::sqrt(points / most_points))));
}

Result<Disk> find_disk_of_sample(Scan const& sample, Device const& device) {
    return find_among(sample, {}, device);
}

Result<Disk> find_disk(Scan const& scan, Device const& device) {
    auto const shape = scan.scan_shape();
    index const step = disk_sample_step(shape);
    if (scan.dataset().feed)
        return Error{Code::unsupported,
                     "the bright-field disk cannot be measured while the scan is (its frames are "
                     "not there yet) give it, as measured on the first frames",
                     scan.dataset().path};
    if (auto const known = disk_of_tables(scan)) return *known;
    if (step == 1) return find_disk_of_sample(scan, device);
    if (!scan.resident() && scan.options().scan_bin == 1) return find_streamed(scan, step);
    std::vector<std::uint8_t> take(static_cast<std::size_t>(shape[0] * shape[1]));
    for (index r = 0; r < shape[0]; r += step)
        for (index c = 0; c < shape[1]; c += step)
            take[static_cast<std::size_t>(r * shape[1] + c)] = 1;
    return find_among(scan, take, device);
}

std::string describe(Disk const& disk) {
    return fmt::format(
        "bright-field disk: centre row {:.3f}, column {:.3f}, radius {:.3f} pixels of the full "
        "detector{}",
        disk.center.row, disk.center.col, disk.radius,
        disk.quality ? fmt::format(" (measured, quality {:.2f} of 1)", *disk.quality) : " (given)");
}

}  // namespace sluice::stem4d
