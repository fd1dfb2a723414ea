// Whether work fits into this machine and how long it takes, before it is done.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sluice/ptychography.h"
#include "sluice/scan.h"
#include "sluice/stem4d.h"

namespace sluice {

/// What is to be done with a scan.
enum class PlanTask : std::uint8_t {
    load,          ///< into memory
    images,        ///< of virtual detectors, after loading
    ptychography,  ///< of its patterns
};

/// A scan that is not there: it is planned by a simulated sample.
struct ScanSize {
    std::array<index, 2> scan{}, detector{};  ///< (rows, columns)
    DType dtype = DType::u16;
    double dose = 2000;  ///< mean electrons of a frame
};

/// One form of a scan, or one part of what work takes.
struct PlanMemory {
    std::string name;
    std::uint64_t bytes = 0;
    std::string basis;  ///< "exact", "a sample of 192 frames" ...
    bool fits = true;   ///< into what is free
};

/// Seconds, and how far off they may be.
struct PlanTime {
    double s = 0, low_s = 0, high_s = 0;
    std::string basis;
};

struct WorkPlan {
    PlanTask task = PlanTask::load;
    std::string subject;                    ///< a path, or "512x512 frames of 192x192 uint16"
    std::vector<PlanMemory> forms;          ///< of the scan, bins included
    std::vector<PlanMemory> parts;          ///< of the peak
    std::string layout;                     ///< that loading chooses
    std::uint64_t peak = 0, available = 0;  ///< bytes of the process; bytes that are free
    bool fits = true;                       ///< as planned, in memory
    int passes = 1;                         ///< over the files
    std::vector<PlanTime> steps;            ///< reading, images ...; the basis names them
    std::optional<PlanTime> time;           ///< of all; empty: it was not measured
    std::vector<std::string> advice, notes;
};

struct PlanOptions {
    PlanTask task = PlanTask::load;
    LoadOptions load = {};
    std::vector<stem4d::Detector> detectors = {};  ///< of images
    stem4d::PatternsOptions patterns = {};
    stem4d::PtychographyOptions ptychography = {};
    /// Measures on a part of the data, some seconds; else only memory is planned.
    bool measure = true;
    double begun_s = 0;      ///< seconds that the program took to begin and to open the scan
    Progress progress = {};  ///< in steps
};

/// Plans work on a scan. Fails where the work itself would fail before it begins.
Result<WorkPlan> plan_work(Dataset dataset, PlanOptions const& options = {});
/// The same of a scan that is not there. A sample of it is written into `folder` and removed.
Result<WorkPlan> plan_work(ScanSize const& size, std::string const& folder,
                           PlanOptions const& options = {});

}  // namespace sluice
