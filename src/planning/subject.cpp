// A sample of a scan that is not there, as files of a detector.
// SPDX-License-Identifier: Apache-2.0
#include "planning/subject.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "format/nxmx/writer.h"
#include "format/synthetic/pattern.h"
#include "format/synthetic/synthetic.h"

namespace sluice::planning {
namespace {

namespace fs = std::filesystem;

// A folder that is removed with all that is in it.
class Folder {
  public:
    explicit Folder(std::string path) : path_(std::move(path)) {}
    Folder(Folder const&) = delete;
    Folder& operator=(Folder const&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

  private:
    std::string path_;
};

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

Result<Subject> subject_of(ScanSize const& size, std::string const& folder, int threads) {
    SLUICE_CHECK(check(size));
    SyntheticOptions simulated;
    simulated.scan = sample_scan(size);
    simulated.detector = size.detector;
    simulated.dtype = size.dtype;
    simulated.dose = size.dose;
    std::string path = folder + "/sluice-plan-XXXXXX";
    if (!::mkdtemp(path.data()))
        return Error{Code::io, "no sample can be written here; choose another folder", folder};
    Subject s;
    s.files = std::make_shared<Folder>(path);
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
