// Batches: the arrays of a plan, shared among threads.
// SPDX-License-Identifier: Apache-2.0
#include "fft/fft.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "device/workers.h"

namespace sluice::fft {
namespace {

// Each array is transformed by one thread, so that the bits do not depend on how many there are.
template <class Work>
Status each_array(Sizes const& sizes, int threads, Work const& work) {
    std::atomic<bool> is_short = false;
    auto const guarded = [&](index i, int) {
        try {
            work(i);
        } catch (std::bad_alloc const&) {
            is_short = true;
        }
    };
    index const grain = std::max<index>(1, sizes.batch / (index{8} * std::max(1, threads)));
    if (threads > 1 && sizes.batch > 1)
        parallel_for(sizes.batch, threads, grain, guarded);
    else
        for (index i = 0; i < sizes.batch; ++i) guarded(i, 0);
    if (is_short) return out_of_memory(sizes.shape);
    return {};
}

}  // namespace

template <class Real>
Result<Plan<Real>> Plan<Real>::make_with(Layout const& layout, Maker make) {
    SLUICE_TRY(Sizes sizes, checked(layout));
    try {
        SLUICE_TRY(auto engine, make(sizes));
        return Plan(std::move(sizes), std::move(engine));
    } catch (std::bad_alloc const&) {
        return out_of_memory(sizes.shape);
    }
}

template <class Real>
Result<Plan<Real>> Plan<Real>::make(Layout const& layout) {
    return make_with(layout, make_engine<Real>);
}

template <class Real>
Result<Plan<Real>> Plan<Real>::make_own(Layout const& layout) {
    return make_with(layout, make_own_engine<Real>);
}

template <class Real>
Status Plan<Real>::forward(std::span<Complex<Real>> data, int threads) const {
    expects(!sizes_.real && std::ssize(data) == sizes_.data_extent());
    return each_array(sizes_, threads,
                      [&](index i) { engine_->forward(data.data() + i * sizes_.step); });
}

template <class Real>
Status Plan<Real>::inverse(std::span<Complex<Real>> data, int threads) const {
    expects(!sizes_.real && std::ssize(data) == sizes_.data_extent());
    return each_array(sizes_, threads,
                      [&](index i) { engine_->inverse(data.data() + i * sizes_.step); });
}

template <class Real>
Status Plan<Real>::forward(std::span<Real const> samples, std::span<Complex<Real>> spectra,
                           int threads) const {
    expects(sizes_.real && std::ssize(samples) == sizes_.data_extent() &&
            std::ssize(spectra) == sizes_.spectrum_extent());
    return each_array(sizes_, threads, [&](index i) {
        engine_->forward(samples.data() + i * sizes_.step,
                         spectra.data() + i * sizes_.spectrum_step);
    });
}

template <class Real>
Status Plan<Real>::inverse(std::span<Complex<Real> const> spectra, std::span<Real> samples,
                           int threads) const {
    expects(sizes_.real && !sizes_.overlaps() && std::ssize(samples) == sizes_.data_extent() &&
            std::ssize(spectra) == sizes_.spectrum_extent());
    return each_array(sizes_, threads, [&](index i) {
        engine_->inverse(spectra.data() + i * sizes_.spectrum_step,
                         samples.data() + i * sizes_.step);
    });
}

template class Plan<float>;
template class Plan<double>;

}  // namespace sluice::fft
