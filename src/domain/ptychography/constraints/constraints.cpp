// The order of the constraints; each has a file of its own.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/constraints.h"

#include "domain/ptychography/constraints/object_values.h"
#include "domain/ptychography/constraints/probe_limits.h"
#include "domain/ptychography/constraints/probe_power.h"
#include "domain/ptychography/constraints/probe_support.h"
#include "domain/ptychography/constraints/smoothing.h"
#include "domain/ptychography/illumination.h"
#include "domain/ptychography/modes.h"
#include "domain/ptychography/solvers/pace.h"

namespace sluice::ptycho {

namespace {

using Moduli = PtychographyStage::Moduli;

template <class Real>
void keep_values(Job<Real>& job) {
    auto const& stage = job.stage;
    std::vector<Real> light;
    if (stage.object_support > 0 || stage.positive_phase > 0) light = illumination(job);
    if (stage.positive_phase > 0) raise_phases(job, light, stage.positive_phase, job.moves_probe());
    if (stage.moduli != Moduli::any)
        limit_moduli(job.state.object, stage.moduli == Moduli::one, job.threads);
    if (stage.object_support > 0) keep_to_support(job, light, stage.object_support);
}

}  // namespace

bool constrains(PtychographyStage const& stage) {
    bool const object = stage.tv_weight > 0 || stage.tikhonov > 0 || stage.slice_blur > 0 ||
                        stage.object_support > 0 || stage.positive_phase > 0 ||
                        stage.moduli != Moduli::any;
    bool const probe = gives_support(stage) || stage.probe_aperture_mrad > 0;
    return (object && !stage.fix_object) || (probe && !stage.fix_probe);
}

double aperture_of(PtychographyStage const& stage, Model const& model) {
    return stage.probe_aperture_mrad * 1e-3 * static_cast<double>(model.window) * model.pixel_nm /
           model.wavelength_nm;
}

template <class Real>
Status Constraints<Real>::apply(Job<Real>& job, bool remembers) {
    auto const& stage = job.stage;
    bool const object = job.moves_object(), probe = job.moves_probe();
    if (object) {
        if (stage.tv_weight > 0 && job.iteration % stage.tv_every == 0)
            total_variation_.apply(job.state.object, stage.tv_weight, stage.tv_steps, job.threads);
        if (stage.tikhonov > 0) smooth_neighbours(job.state.object, stage.tikhonov, job.threads);
        if (stage.slice_blur > 0) smooth_slices(job.state.object, stage.slice_blur, job.threads);
    }
    if (probe) {
        keep_support(job);
        if (stage.probe_aperture_mrad > 0)
            for (auto* planes : {&job.state.probe, &job.state.opr_modes})
                SLUICE_CHECK(keep_in_aperture(*planes, aperture_of(stage, job.step.model())));
    }
    // Moduli of at most 1 already decide how power is shared.
    if (stage.probe_power && object && probe && !remembers && stage.moduli != Moduli::at_most_one)
        keep_power(job, stage.moduli == Moduli::any);
    if (object) keep_values(job);
    // Variations belong to the first mode as it is, and a velocity belongs to all modes.
    if (probe && !remembers && !job.state.varies() && !has_momentum(job))
        make_orthogonal(job.state.probe);
    return {};
}

template class Constraints<float>;
template class Constraints<double>;

}  // namespace sluice::ptycho
