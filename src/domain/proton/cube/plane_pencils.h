// Pencils through the planes of a slab: what they leave there, and how wide.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/cube/pencil_states.h"

namespace sluice::proton::cube {

/// Rows `block` of the coarse grid, and the fine rows in it, of all planes of a slab.
class PencilSteps {
  public:
    PencilSteps(Fan const& fan, RaySlab const& rays, CubeOptions const& options);

    /// Room for the pencils of a plane, all zero.
    void clear(PlanePencils& plane) const;
    /// Takes the pencils of some rows through the slab, and says whether any goes on.
    bool through(index block, PencilState& state, std::vector<PlanePencils>& planes) const;
    /// Puts the parts that went aside into their pixels.
    void gather(PlanePencils& plane) const;
    /// What splitting changes, before gather().
    void finish_changes(PlanePencils& plane) const;
    /// How far rows of Gaussians go; what does not fit is counted as cut.
    void reaches(PlanePencils& plane, index margin, index coarse_margin) const;

  private:
    Fan const& fan_;
    RaySlab const& rays_;
    CubeOptions const& options_;
    index coarse_columns_, coarse_rows_;

    struct PlaneNumbers;
    struct Step;
    PlaneNumbers numbers_of(PencilState const& state, index k) const;
    bool advance(PlaneNumbers const& n, index k, PencilState& state, Step& step) const;
    void look_beside(PencilState& state, index k, Step& step) const;
    bool take_parts(PencilState const& state, Step& step) const;
    void leave(Step const& step, PlanePencils& to) const;
    void leave_aside(Step const& step, int side, PlanePencils& to) const;
    void leave_coarse(PlaneNumbers const& n, DepthKernel const& kernel, Step const& step,
                      PlanePencils& to) const;
    void leave_change(Step const& step, std::size_t block, PlanePencils& to) const;
    void finish_coarse(index block, PlanePencils& to) const;
};

}  // namespace sluice::proton::cube
