// fft::Plan by the transform written here (SLUICE_FFT=own).
// SPDX-License-Identifier: Apache-2.0
#include "fft/fft.h"
#include "fft/own.h"
#include "sluice/result.h"

namespace sluice::fft {

struct Plan::Backend {
    own::Plan plan;
};

Plan::Plan(index rows, index cols) {
    expects(rows > 0 && cols > 0);
    backend_ = std::make_unique<Backend const>(Backend{own::Plan(rows, cols)});
}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

void Plan::forward(View<Complex, 2> data) const {
    backend_->plan.forward(data);
}
void Plan::inverse(View<Complex, 2> data) const {
    backend_->plan.inverse(data);
}

}  // namespace sluice::fft
