// The engine by FFTW (SLUICE_FFT=fftw).
// SPDX-License-Identifier: Apache-2.0
#include <fftw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "fft/engine.h"

namespace sluice::fft {
namespace {

// FFTW's names for a kind of number.
template <class Real>
struct Fftw;
template <>
struct Fftw<double> {
    using Plan = fftw_plan;
    using Number = fftw_complex;
    static constexpr auto dft = fftw_plan_dft;
    static constexpr auto to_spectrum = fftw_plan_dft_r2c;
    static constexpr auto to_samples = fftw_plan_dft_c2r;
    static constexpr auto run = fftw_execute_dft;
    static constexpr auto run_to_spectrum = fftw_execute_dft_r2c;
    static constexpr auto run_to_samples = fftw_execute_dft_c2r;
    static constexpr auto take = fftw_malloc;
    static constexpr auto give = fftw_free;
    static constexpr auto destroy = fftw_destroy_plan;
};
template <>
struct Fftw<float> {
    using Plan = fftwf_plan;
    using Number = fftwf_complex;
    static constexpr auto dft = fftwf_plan_dft;
    static constexpr auto to_spectrum = fftwf_plan_dft_r2c;
    static constexpr auto to_samples = fftwf_plan_dft_c2r;
    static constexpr auto run = fftwf_execute_dft;
    static constexpr auto run_to_spectrum = fftwf_execute_dft_r2c;
    static constexpr auto run_to_samples = fftwf_execute_dft_c2r;
    static constexpr auto take = fftwf_malloc;
    static constexpr auto give = fftwf_free;
    static constexpr auto destroy = fftwf_destroy_plan;
};

// Of FFTW's functions only those that execute a plan may run side by side.
std::mutex& planner() {
    static std::mutex one_at_a_time;
    return one_at_a_time;
}

// ESTIMATE, because a measured plan, and with it the last bits of a result, depends on the load of
// the machine; UNALIGNED, so that they do not depend on the address of the data either.
constexpr unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;

template <class Real>
class ByFftw final : public Engine<Real> {
    using F = Fftw<Real>;
    using Number = typename F::Number;

  public:
    // Two arrays: FFTW ends the program where memory runs short while it plans, and what it
    // takes then is less than that.
    static EngineOr<Real> make(Sizes const& sizes) {
        auto const bytes = sizeof(Complex<Real>) * static_cast<std::size_t>(sizes.array);
        std::lock_guard const lock(planner());
        void* const data = F::take(2 * bytes);
        if (data == nullptr) return out_of_memory(sizes.shape);
        auto engine = std::unique_ptr<ByFftw>(new ByFftw(sizes));
        engine->plan(static_cast<Number*>(data),
                     reinterpret_cast<Real*>(static_cast<char*>(data) + bytes));
        F::give(data);
        if (!engine->forward_ || !engine->inverse_) return out_of_memory(sizes.shape);
        return std::unique_ptr<Engine<Real> const>(std::move(engine));
    }
    ~ByFftw() override {
        std::lock_guard const lock(planner());
        if (forward_) F::destroy(forward_);
        if (inverse_) F::destroy(inverse_);
    }
    ByFftw(ByFftw const&) = delete;
    ByFftw& operator=(ByFftw const&) = delete;

    void forward(Complex<Real>* data) const override { F::run(forward_, of(data), of(data)); }
    void inverse(Complex<Real>* data) const override {
        F::run(inverse_, of(data), of(data));
        scale(data);
    }
    void forward(Real const* samples, Complex<Real>* spectrum) const override {
        // FFTW leaves the input of this one as it is.
        F::run_to_spectrum(forward_, const_cast<Real*>(samples), of(spectrum));
    }
    void inverse(Complex<Real> const* spectrum, Real* samples) const override {
        // FFTW destroys the input of this one.
        std::vector<Complex<Real>> copy(spectrum, spectrum + sizes_.spectrum);
        F::run_to_samples(inverse_, of(copy.data()), samples);
        scale(samples);
    }

  private:
    explicit ByFftw(Sizes sizes) : sizes_(std::move(sizes)) {}

    static Number* of(Complex<Real>* data) { return reinterpret_cast<Number*>(data); }

    template <class T>
    void scale(T* data) const {
        Real const factor = 1 / static_cast<Real>(sizes_.array);
        for (index i = 0; i < sizes_.array; ++i) data[i] *= factor;
    }

    void plan(Number* z, Real* x) {
        std::vector<int> const n(sizes_.shape.begin(), sizes_.shape.end());
        int const rank = static_cast<int>(n.size());
        if (sizes_.real) {
            forward_ = F::to_spectrum(rank, n.data(), x, z, flags);
            inverse_ = F::to_samples(rank, n.data(), z, x, flags);
        } else {
            forward_ = F::dft(rank, n.data(), z, z, FFTW_FORWARD, flags);
            inverse_ = F::dft(rank, n.data(), z, z, FFTW_BACKWARD, flags);
        }
    }

    Sizes sizes_;
    typename F::Plan forward_ = nullptr, inverse_ = nullptr;
};

}  // namespace

template <class Real>
EngineOr<Real> make_engine(Sizes const& sizes) {
    if (std::ranges::max(sizes.shape) > std::numeric_limits<int>::max())
        return Error{Code::invalid_argument,
                     fmt::format("cannot plan a Fourier transform of {} (FFTW counts in 32 bits) "
                                 "give extents below 2147483648",
                                 name_of(sizes.shape))};
    return ByFftw<Real>::make(sizes);
}

template EngineOr<float> make_engine<float>(Sizes const&);
template EngineOr<double> make_engine<double>(Sizes const&);

}  // namespace sluice::fft
