// Constraints: what object and probe must obey after each iteration's update, in a fixed order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/archive.h"
#include "domain/ptychography/constraints/total_variation.h"
#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// Of a stage. What the stage fixes keeps its bits.
template <class Real>
class Constraints {
  public:
    /// Total variation, neighbours, slices; window, aperture and power of the probe; phases, moduli
    /// and support of the object; orthogonal modes. What smooths comes first, and what gives
    /// exact values last, so that the answer has them. Solvers that remember waves or moments
    /// of the modes as they are (`remembers`) keep modes and power.
    Status apply(Job<Real>& job, bool remembers);
    /// Shows all that one call leaves to the next.
    void keep(Job<Real>& job, Archive<Real>& archive) {
        auto& dual = total_variation_.dual;
        bool begun = !dual.empty();
        archive.number("total variation", begun);
        if (!begun) return;
        auto const [rows, cols] = job.canvas();
        dual.resize(job.state.object.size());
        std::vector<Planar<Real>*> by_row, by_col;
        for (auto& d : dual) {
            if (d.by_row.rows() == 0) d = {Planar<Real>(rows, cols), Planar<Real>(rows, cols)};
            by_row.push_back(&d.by_row);
            by_col.push_back(&d.by_col);
        }
        archive.stack("dual by rows", by_row);
        archive.stack("dual by columns", by_col);
    }

  private:
    TotalVariation<Real> total_variation_;
};

/// Whether a stage's constraints move object or probe beyond what changes no pattern.
bool constrains(stem4d::PtychographyStage const& stage);

/// Radius of the stage's aperture in pixels of a pattern; 0: it has none.
double aperture_of(stem4d::PtychographyStage const& stage, Model const& model);

extern template class Constraints<float>;
extern template class Constraints<double>;

}  // namespace sluice::ptycho
