// Whether work fits into this machine and how long it takes, before it is done.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sluice/disks.h"
#include "sluice/match_orientations.h"
#include "sluice/music_separate.h"
#include "sluice/plan_devices.h"
#include "sluice/proton_dose.h"
#include "sluice/ptychography.h"
#include "sluice/scan.h"
#include "sluice/stem4d.h"
#include "sluice/stem4d_convert.h"

namespace sluice {

/// What is to be done with a scan.
enum class PlanTask : std::uint8_t {
    load,          ///< into memory
    images,        ///< of virtual detectors, after loading
    disks,         ///< of all patterns, into a file as they are found
    strain,        ///< out of the disks of all patterns
    orientation,   ///< likewise, of known crystals
    ptychography,  ///< of its patterns
    convert,       ///< into a file of another format
    dose,          ///< of a plan of spots on a CT: plan_dose()
    separate,      ///< songs into stems: plan_separation()
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

/// A way that data take, or work on them: how long all of it takes by itself.
struct PlanFlow {
    std::string name;         ///< "the disk, nothing cached", "decoding", "PCIe 4 x16" ...
    std::uint64_t bytes = 0;  ///< that pass; 0: it is work, and its time is known
    double per_s = 0;         ///< bytes a second
    double s = 0;
    std::string basis = {};
    std::string not_taken = {};  ///< why there is no time; empty: there is
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
    std::vector<PlanFlow> flows = {};       ///< of scans; empty: it was not measured
    /// What takes longest, in words: with an empty cache, with a full one, and with a GPU.
    std::vector<std::string> bottlenecks = {};
    std::optional<GpuWork> gpu = {};  ///< for plan_gpus(); empty: it cannot run there
    std::string no_gpu = {};          ///< why not
    std::vector<std::string> advice, notes;
};

/// Of disks, strain and orientation.
struct PlanCrystal {
    std::optional<stem4d::ProbeTemplate> probe = {};  ///< empty: of the scan's own direct disk
    stem4d::TemplateOptions fit = {};                 ///< of that disk
    stem4d::DiskOptions disks = {};
    std::vector<stem4d::UnitCell> cells = {};  ///< of orientation
    stem4d::LibraryOptions library = {};
    stem4d::MatchOptions match = {};
    /// Empty: one crystal is its own measure.
    std::optional<stem4d::Calibration> calibration = {};
};

struct PlanOptions {
    PlanTask task = PlanTask::load;
    LoadOptions load = {};
    std::vector<stem4d::Detector> detectors = {};  ///< of images
    PlanCrystal crystal = {};
    stem4d::PatternsOptions patterns = {};
    stem4d::PtychographyOptions ptychography = {};
    stem4d::ScanConvertOptions convert = {};
    /// A folder for what is written to be measured, and removed; empty: the system's.
    std::string folder = {};
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

/// What plans of doses and songs measure.
struct PlanRun {
    bool measure = true;     ///< on a part of the work, some seconds; else only memory is planned
    double begun_s = 0;      ///< seconds that the program took to begin and to read what is planned
    Progress progress = {};  ///< in steps
};
/// Plans proton::dose(). The patient counts as part of this process. Errors: those of
/// proton::dose_cost().
Result<WorkPlan> plan_dose(std::string subject, proton::IonPlan const& plan,
                           proton::Patient const& patient, proton::Machine const* machine,
                           proton::DoseOptions const& options, PlanRun const& run = {});

/// The file of a model, and how it is loaded.
struct PlanModel {
    std::string path;
    music::ModelOptions options = {};
};
/// Plans the separation of a song of so many seconds. Errors: those of music::model_cost().
Result<WorkPlan> plan_separation(std::string subject, double song_s,
                                 std::span<PlanModel const> models,
                                 music::SeparateOptions const& options, PlanRun const& run = {});

}  // namespace sluice
