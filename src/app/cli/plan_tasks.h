// The options of planned work, beside those of scans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/proton/plan_inputs.h"
#include "app/cli/stem4d/template_options.h"
#include "sluice/plan.h"

namespace sluice::cli {

/// Of disks, strain and orientation.
struct CrystalPlanning {
    TemplateSource source;
    PlanCrystal crystal;
    std::vector<std::string> crystals;  // CIFs
    std::string calibration;

    void add(Verb const& app);
    /// `energy` is that of the electrons, in kV; 0: not given.
    Status read(PlanTask task, DataOptions const& data, double energy);
};

/// Of a plan of spots on a CT.
struct DosePlanning {
    PlanFiles files;
    proton::DoseOptions options;

    void add(Verb const& app);
    Result<WorkPlan> plan(std::string const& path, Device const& device, int threads,
                          PlanRun const& run);
};

/// Of songs.
struct SongPlanning {
    std::vector<std::string> models, configs;
    music::ModelOptions model;
    music::SeparateOptions separate;

    void add(Verb const& app);
    /// `path` is a sound file, or seconds as in "240s".
    Result<WorkPlan> plan(std::string const& path, Device const& device, int threads,
                          PlanRun const& run);
};

}  // namespace sluice::cli
