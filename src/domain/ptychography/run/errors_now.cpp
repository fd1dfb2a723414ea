// How patterns are modelled now, and the errors that this leaves.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/grid.h"
#include "domain/ptychography/run/reconstruction.h"
#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/step/step.h"

namespace sluice::ptycho {

template <class Real>
Model model_now(Reconstruction<Real> const& r) {
    auto const& stage = r.stage_options();
    Model model = model_of(r.patterns(), r.options);
    model.likelihood = fitted(stage);
    if (r.count > 0) model.count = r.count;
    // The overlap of stored waves is that of whole pixels.
    model.sub_pixel = r.options.sub_pixel && !projects(stage);
    model.slice_nm = r.state.slice_nm;
    model.tilt_rad = r.state.tilt_rad;
    return model;
}

template <class Real>
Result<Errors> errors_now(Reconstruction<Real> const& r, bool of_all) {
    Model const model = model_now(r);
    SLUICE_TRY(auto const step, make_plain_step<Real>(model, r.measured));
    std::vector<index> some;
    index const by = r.patterns().count() / 200 + 1;
    for (index j = 0; j < r.patterns().count(); j += by) some.push_back(j);
    Errors sum;
    for (index const& j : r.share.own(some)) {
        auto out = reserve(model, r.state, 1);
        step->gradients(r.state, {&j, 1}, {.noise = true}, out, 1);
        sum += out.front().errors;
    }
    double unused = 0;
    if (of_all) SLUICE_CHECK(r.share.meet({}, sum, unused));
    return sum;
}

double floor_of(Errors const& errors) {
    return errors.counts > 0 ? std::sqrt(errors.noise / errors.counts) : 0;
}

template Model model_now(Reconstruction<float> const&);
template Model model_now(Reconstruction<double> const&);
template Result<Errors> errors_now(Reconstruction<float> const&, bool);
template Result<Errors> errors_now(Reconstruction<double> const&, bool);

}  // namespace sluice::ptycho
