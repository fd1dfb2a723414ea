// A sample of a scan that is not there, as files of a detector.
// SPDX-License-Identifier: Apache-2.0
#include "planning/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "format/nxmx/writer.h"
#include "format/synthetic/pattern.h"
#include "format/synthetic/synthetic.h"
#include "planning/folder.h"

namespace sluice::planning {
namespace {

// A square of frames: enough to measure, and no more than some ten megabytes of values.
std::array<index, 2> sample_scan(ScanSize const& size) {
    constexpr double most_values = 48e6;
    double const pixels = static_cast<double>(size.detector[0] * size.detector[1]);
    auto const side = static_cast<index>(std::sqrt(most_values / pixels));
    index const edge = std::clamp<index>(side, 4, 64);
    return {std::min(edge, size.scan[0]), std::min(edge, size.scan[1])};
}

Status check(ScanSize const& size) {
    // As many as a scan may have anywhere here.
    constexpr index most_scan = 1 << 20, most_detector = 1 << 14;
    for (index const n : size.scan)
        if (n < 1 || n > most_scan)
            return Error{Code::invalid_argument,
                         fmt::format("a scan has 1 to {} rows and columns (not {})", most_scan, n)};
    for (index const n : size.detector)
        if (n < 8 || n > most_detector)
            return Error{
                Code::invalid_argument,
                fmt::format("a detector has 8 to {} rows and columns (not {})", most_detector, n)};
    if (!(size.dose > 0 && size.dose < 1e9))
        return Error{Code::invalid_argument, "the dose is a number of electrons above 0"};
    return {};
}

}  // namespace

Subject subject_of(Dataset dataset) {
    Subject s;
    s.name = dataset.path;
    s.scan = dataset.scan;
    s.dataset = std::move(dataset);
    return s;
}

LoadOptions square_of(Subject const& subject, LoadOptions load, index edge,
                      std::array<double, 2> place) {
    Region const all =
        load.scan_region.value_or(Region{0, 0, subject.dataset.scan[0], subject.dataset.scan[1]});
    index const pitch = std::max<index>(1, load.scan_bin * load.scan_step);
    index const rows = std::min(all.rows, edge * pitch), cols = std::min(all.cols, edge * pitch);
    auto const at = [pitch](index room, double part) {
        return static_cast<index>(static_cast<double>(room) * part) / pitch * pitch;
    };
    load.scan_region = Region{all.row + at(all.rows - rows, place[0]),
                              all.col + at(all.cols - cols, place[1]), rows, cols};
    load.residency = Residency::memory;
    load.memory = 0;
    load.progress = {};
    return load;
}

Result<Subject> subject_of(ScanSize const& size, std::string const& folder, int threads) {
    SLUICE_CHECK(check(size));
    SyntheticOptions simulated;
    simulated.scan = sample_scan(size);
    simulated.detector = size.detector;
    simulated.dtype = size.dtype;
    simulated.dose = size.dose;
    SLUICE_TRY(auto const files, Folder::make(folder));
    std::string const& path = files->path();
    Subject s;
    s.files = files;
    SLUICE_TRY(Dataset const truth, synthetic::make(simulated));
    nxmx::Acquisition file;
    file.prefix = path + "/sample";
    file.scan = truth.scan;
    file.rows = truth.rows;
    file.cols = truth.cols;
    file.dtype = truth.dtype;
    file.pixel_mask = truth.pixel_mask;
    file.saturation = truth.saturation.value_or(0);
    file.scan_step_nm = truth.scan_step_nm;
    file.threads = threads;
    Simulator const simulator(simulated);
    SLUICE_TRY(auto const written,
               nxmx::write(file, [&](index frame, std::span<std::byte> values) -> Status {
                   std::vector<std::uint32_t> counts(static_cast<std::size_t>(truth.pixels()));
                   simulator.values(frame, counts, values);
                   return {};
               }));
    SLUICE_TRY(s.dataset, open(file.prefix + "_master.h5"));
    s.scan = size.scan;
    s.times = static_cast<double>(size.scan[0] * size.scan[1]) /
              static_cast<double>(truth.scan[0] * truth.scan[1]);
    s.name = fmt::format("{}x{} frames of {}x{} {}", size.scan[0], size.scan[1], size.detector[0],
                         size.detector[1], name_of(size.dtype));
    return s;
}

}  // namespace sluice::planning
