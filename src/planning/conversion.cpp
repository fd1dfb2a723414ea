// Bands of a scan are converted as the whole would be.
// SPDX-License-Identifier: Apache-2.0
#include "planning/conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/stopwatch.h"
#include "domain/conversion/work.h"
#include "planning/folder.h"
#include "planning/measure.h"
#include "sluice/measured.h"
#include "store/plan.h"

namespace sluice::planning {
namespace {

constexpr int samples = 5;
// Values of a band: some blocks for each thread.
constexpr double band_bytes = 96e6;
// What a conversion takes however small it is shows in one of so much.
constexpr double least_bytes = 4e6;

// Endings by which formats are known.
std::string name_of_output(stem4d::ScanFormat format) {
    using stem4d::ScanFormat;
    switch (format) {
        case ScanFormat::nxmx:
            return "band_master.h5";
        case ScanFormat::emd:
            return "band.emd";
        case ScanFormat::hspy:
            return "band.hspy";
        case ScanFormat::zspy:
            return "band.zspy";
        case ScanFormat::npy:
            return "band.npy";
        case ScanFormat::mib:
            return "band.mib";
        case ScanFormat::raw:
            return "band.raw";
        case ScanFormat::automatic:
        case ScanFormat::zarr:
            break;
    }
    return "band.zarr";
}

stem4d::ScanConvertOptions options_of(PlanOptions const& options) {
    stem4d::ScanConvertOptions o = options.convert;
    if (o.to == stem4d::ScanFormat::automatic) o.to = stem4d::ScanFormat::zarr;
    o.resume = false;
    o.overwrite = true;
    o.progress = {};
    return o;
}

// Rows of the scan that hold about so many bytes, and what loads them.
LoadOptions band_of(Subject const& subject, PlanOptions const& options, int number, double bytes) {
    LoadOptions load = stem4d::convert_load_options(options.load);
    Region band =
        load.scan_region.value_or(Region{0, 0, subject.dataset.scan[0], subject.dataset.scan[1]});
    index const pitch = std::max<index>(1, load.scan_bin * load.scan_step);
    double const row = static_cast<double>(band.cols * subject.dataset.pixels() *
                                           index{size_of(subject.dataset.dtype)});
    index const wanted = std::max<index>(1, static_cast<index>(bytes / row)) * pitch;
    index const rows = std::clamp<index>(wanted, std::min(pitch, band.rows), band.rows);
    band.row += (band.rows - rows) * number / (samples - 1) / pitch * pitch;
    band.rows = rows;
    load.scan_region = band;
    load.progress = {};
    return load;
}

}  // namespace

Result<ConversionPlan> plan_conversion(Subject const& subject, PlanOptions const& options,
                                       std::vector<std::string>& notes) {
    if (options.convert.to == stem4d::ScanFormat::automatic)
        notes.emplace_back("no format is named: the plan is of Zarr (--format names another one)");
    LoadOptions const load = stem4d::convert_load_options(options.load);
    SLUICE_TRY(Scan const scan, Scan::load(subject.dataset, load));
    stem4d::ScanConvertOptions const how = options_of(options);
    SLUICE_TRY(auto const work, conversion::Work::plan(scan, name_of_output(how.to), how));
    // What is encoded takes as much as in the files that are read, of which some have no codec.
    store::Plan const& plan = scan.plan();
    double const values = static_cast<double>(plan.frames() * plan.pixels()) *
                          static_cast<double>(size_of(plan.dtype));
    double const stored = static_cast<double>(plan.bytes_to_read(subject.dataset, plan.tiles()));
    ConversionPlan out;
    SLUICE_TRY(auto const row, conversion::format_row(how.to, name_of_output(how.to)));
    out.format = row.name;
    out.work_bytes = work.bytes(std::min(1.0, stored / std::max(1.0, values)));
    bool const compressed = work.compresses();
    out.holes = compressed ? 0.2 : 0.25;
    return out;
}

Result<ConversionRates> measure_conversion(Subject const& subject, PlanOptions const& options) {
    SLUICE_TRY(auto const folder, Folder::make(options.folder));
    stem4d::ScanConvertOptions const how = options_of(options);
    index frames = 0;
    auto const seconds = [&](int number, double bytes) -> Result<double> {
        // Each goes to a place of its own: what replaces a file waits for the disk.
        SLUICE_TRY(auto const inside, Folder::make(folder->path()));
        LoadOptions const load = band_of(subject, options, number, bytes);
        double const since = bench::system_clock().wall();
        SLUICE_TRY(Scan const scan, Scan::load(subject.dataset, load));
        SLUICE_TRY([[maybe_unused]] auto const report,
                   stem4d::convert(scan, inside->path() + "/" + name_of_output(how.to), how));
        frames = scan.plan().frames();
        return bench::system_clock().wall() - since;
    };
    // The first one makes what is made once.
    SLUICE_TRY([[maybe_unused]] double const first, seconds(0, band_bytes));
    std::vector<double> least;
    for (int i = 0; i < 3; ++i) {
        SLUICE_TRY(double const s, seconds(i, least_bytes));
        least.push_back(s);
    }
    auto const few = static_cast<double>(frames);
    std::vector<double> bands;
    for (int i = 0; i < samples; ++i) {
        SLUICE_TRY(double const s, seconds(i, band_bytes));
        bands.push_back(s);
    }
    Line const line = line_through({few, spread_of(least).median},
                                   {static_cast<double>(frames), spread_of(bands).median});
    ConversionRates rates;
    rates.fixed_s = line.fixed;
    for (double const s : bands)
        rates.frame_s.push_back(std::max(0.0, s - line.fixed) / static_cast<double>(frames));
    return rates;
}

}  // namespace sluice::planning
