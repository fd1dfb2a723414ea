// fft::Plan by FFTW (SLUICE_FFT=fftw).
// SPDX-License-Identifier: Apache-2.0
#include <fftw3.h>

#include <limits>
#include <mutex>

#include "fft/fft.h"
#include "sluice/result.h"

namespace sluice::fft {
namespace {

// Of FFTW's functions only those that execute a plan may run side by side.
std::mutex& planner() {
    static std::mutex one_at_a_time;
    return one_at_a_time;
}

fftw_complex* as_fftw(Complex* data) {
    return reinterpret_cast<fftw_complex*>(data);
}

// ESTIMATE, because a measured plan, and with it the last bits of a result, depends on the load of
// the machine; UNALIGNED, so that they do not depend on the address of the data either.
fftw_plan make(index rows, index cols, int sign) {
    auto const bytes = sizeof(Complex) * static_cast<std::size_t>(rows * cols);
    std::lock_guard const lock(planner());
    void* const data = fftw_malloc(bytes);
    expects(data != nullptr);
    auto* const z = static_cast<fftw_complex*>(data);
    fftw_plan const plan = fftw_plan_dft_2d(static_cast<int>(rows), static_cast<int>(cols), z, z,
                                            sign, FFTW_ESTIMATE | FFTW_UNALIGNED);
    fftw_free(data);
    expects(plan != nullptr);
    return plan;
}

}  // namespace

struct Plan::Backend {
    index rows, cols;
    fftw_plan forward = make(rows, cols, FFTW_FORWARD);
    fftw_plan inverse = make(rows, cols, FFTW_BACKWARD);

    Backend(index r, index c) : rows(r), cols(c) {}
    Backend(Backend const&) = delete;
    Backend& operator=(Backend const&) = delete;
    ~Backend() {
        std::lock_guard const lock(planner());
        fftw_destroy_plan(forward);
        fftw_destroy_plan(inverse);
    }
};

Plan::Plan(index rows, index cols) {
    constexpr index most = std::numeric_limits<int>::max();
    expects(rows > 0 && cols > 0 && rows <= most && cols <= most);
    backend_ = std::make_unique<Backend const>(rows, cols);
}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

void Plan::forward(View<Complex, 2> data) const {
    expects(data.extent(0) == backend_->rows && data.extent(1) == backend_->cols);
    fftw_execute_dft(backend_->forward, as_fftw(data.data()), as_fftw(data.data()));
}

void Plan::inverse(View<Complex, 2> data) const {
    expects(data.extent(0) == backend_->rows && data.extent(1) == backend_->cols);
    fftw_execute_dft(backend_->inverse, as_fftw(data.data()), as_fftw(data.data()));
    double const scale = 1 / static_cast<double>(data.size());
    for (index i = 0; i < data.size(); ++i) data.data()[i] *= scale;
}

}  // namespace sluice::fft
