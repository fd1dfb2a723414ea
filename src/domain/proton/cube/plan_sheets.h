// A plan's beams as sheets of spots: what a machine makes of its layers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "domain/proton/cube/fan.h"
#include "domain/proton/cube/spot_sheets.h"

namespace sluice::proton::cube {

/// A layer as the machine delivers it.
struct Delivered {
    MachineEnergy energy;
    double protons_per_unit = 1;  ///< of the plan's meterset
    WayIn way = {};               ///< `to` is not set
};

/// What plans leave to machines.
class Machinery {
  public:
    Machinery(IonPlan const& plan, Machine const* machine, DoseOptions const& options)
        : plan_(plan), machine_(machine), options_(options) {}

    Result<Delivered> deliver(IonBeam const& beam, PlanLayer const& layer,
                              std::vector<std::string>& notes);
    /// What is to be said of all that it delivered.
    std::vector<std::string> notes() const;

  private:
    IonPlan const& plan_;
    Machine const* machine_;
    DoseOptions const& options_;
    std::set<double> between_ = {};  // energies

    Result<Delivered> by_plan(IonBeam const& beam, PlanLayer const& layer) const;
};

/// A beam, ready to be computed.
struct PreparedBeam {
    Fan fan;
    double bottom = 0;
    std::vector<Sheet> sheets = {};   ///< without kernels
    double protons = 0, brought = 0;  ///< brought: MeV
};

Result<PreparedBeam> prepare(IonPlan const& plan, IonBeam const& beam, Patient const& patient,
                             Machinery& machinery, DoseOptions const& options,
                             std::vector<std::string>& notes);

}  // namespace sluice::proton::cube
