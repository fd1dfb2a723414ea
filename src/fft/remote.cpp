// A transform as launches: load, a pass per factor of each axis, store.
// SPDX-License-Identifier: Apache-2.0
#include "fft/remote.h"

#include <algorithm>
#include <new>
#include <utility>

#include "fft/kernels.h"
#include "launch/map.h"

namespace sluice::fft {
namespace {

// How many numbers Bluestein's needs for an axis; 0 where it is not used.
template <class Real>
index padded_numbers(Sizes const& sizes, Axis<Real> const& axis) {
    auto const* const chirp = axis.lines.chirp();
    return chirp ? sizes.batch * axis.outer * axis.width * chirp->padded : 0;
}

}  // namespace

template <class Real>
Result<RemotePlan<Real>> RemotePlan<Real>::make(Queue& queue, Layout const& layout) {
    SLUICE_TRY(Sizes sizes, checked(layout));
    RemotePlan plan(std::move(sizes));
    try {
        SLUICE_CHECK(plan.place(queue));
    } catch (std::bad_alloc const&) {
        return out_of_memory(plan.sizes_.shape);
    }
    return plan;
}

template <class Real>
index RemotePlan<Real>::bytes_of(Layout const& layout) {
    Sizes const sizes = checked(layout).value();
    constexpr auto each = static_cast<index>(sizeof(N));
    index tables = 0, most_padded = 0;
    for (Axis<Real> const& axis : axes_of<Real>(sizes.shape)) {
        if (axis.lines.length() == 1) continue;
        if (auto const* const chirp = axis.lines.chirp()) {
            tables += std::ssize(chirp->lines.roots()) + std::ssize(chirp->wave) +
                      std::ssize(chirp->spectrum);
            most_padded = std::max(most_padded, padded_numbers(sizes, axis));
        } else {
            tables += std::ssize(axis.lines.roots());
        }
    }
    return each * (tables + 2 * (sizes.batch * sizes.array + most_padded));
}

template <class Real>
index RemotePlan<Real>::bytes() const {
    std::size_t sum = tables_.bytes();
    for (auto const* place : {&here_, &other_, &padded_, &other_padded_}) sum += place->bytes();
    return static_cast<index>(sum);
}

template <class Real>
auto RemotePlan<Real>::passes_of(Queue& queue, Lines<Real> const& lines) -> Result<Passes> {
    Passes p{lines.length(), lines.factors()};
    SLUICE_CHECK(tables_.carry(queue, p.roots, lines.roots()));
    return p;
}

template <class Real>
Status RemotePlan<Real>::place(Queue& queue) {
    index most_padded = 0;
    for (Axis<Real> const& axis : axes_of<Real>(sizes_.shape)) {
        index const length = axis.lines.length();
        if (length == 1) continue;
        Step step{{}, sizes_.batch * axis.outer, length, axis.width};
        if (auto const* const chirp = axis.lines.chirp()) {
            SLUICE_TRY(step.passes, passes_of(queue, chirp->lines));
            SLUICE_CHECK(tables_.carry(queue, step.wave, chirp->wave));
            SLUICE_CHECK(tables_.carry(queue, step.spectrum, chirp->spectrum));
            most_padded = std::max(most_padded, padded_numbers(sizes_, axis));
        } else {
            SLUICE_TRY(step.passes, passes_of(queue, axis.lines));
        }
        steps_.push_back(std::move(step));
    }
    SLUICE_TRY(here_, Place<N>::make(queue, numbers()));
    SLUICE_TRY(other_, Place<N>::make(queue, numbers()));
    if (most_padded > 0) {
        SLUICE_TRY(padded_, Place<N>::make(queue, most_padded));
        SLUICE_TRY(other_padded_, Place<N>::make(queue, most_padded));
    }
    return queue.wait();
}

template <class Real>
Status RemotePlan<Real>::run(Queue& queue, Passes const& passes, index outer, index width,
                             Place<N>& here, Place<N>& other) {
    index left = passes.length, done = 1;
    for (index const p : passes.factors) {
        left /= p;
        Pass<Real> const pass{p, left, done * width, passes.roots, done, passes.length};
        SLUICE_CHECK(launch::map(queue, outer * left * pass.s,
                                 PassOnAll<Real>{pass, here.data(), other.data()}));
        done *= p;
        std::swap(here, other);
    }
    return {};
}

template <class Real>
Status RemotePlan<Real>::bluestein(Queue& queue, Step const& step) {
    index const padded = step.passes.length, lines = step.outer * step.width;
    SLUICE_CHECK(launch::map(
        queue, lines * padded,
        Spread<Real>{step.wave, step.length, step.width, padded, here_.data(), padded_.data()}));
    SLUICE_CHECK(run(queue, step.passes, lines, 1, padded_, other_padded_));
    SLUICE_CHECK(
        launch::map(queue, lines * padded, Convolve<Real>{step.spectrum, padded, padded_.data()}));
    SLUICE_CHECK(run(queue, step.passes, lines, 1, padded_, other_padded_));
    return launch::map(
        queue, numbers(),
        Collect<Real>{step.wave, step.length, step.width, padded, padded_.data(), here_.data()});
}

template <class Real>
Status RemotePlan<Real>::transform(Queue& queue) {
    for (Step const& step : steps_)
        SLUICE_CHECK(step.wave ? bluestein(queue, step)
                               : run(queue, step.passes, step.outer, step.width, here_, other_));
    return {};
}

template <class Real>
Status RemotePlan<Real>::forward(Queue& queue, Complex<Real>* data) {
    expects(!sizes_.real);
    auto* const z = reinterpret_cast<N*>(data);
    SLUICE_CHECK(launch::map(queue, numbers(),
                             Load<Real>{z, sizes_.array, sizes_.step, false, here_.data()}));
    SLUICE_CHECK(transform(queue));
    return launch::map(queue, numbers(),
                       Store<Real>{here_.data(), sizes_.array, sizes_.step, false, 1, z});
}

template <class Real>
Status RemotePlan<Real>::inverse(Queue& queue, Complex<Real>* data) {
    expects(!sizes_.real);
    auto* const z = reinterpret_cast<N*>(data);
    SLUICE_CHECK(launch::map(queue, numbers(),
                             Load<Real>{z, sizes_.array, sizes_.step, true, here_.data()}));
    SLUICE_CHECK(transform(queue));
    return launch::map(queue, numbers(),
                       Store<Real>{here_.data(), sizes_.array, sizes_.step, true, scale(), z});
}

template <class Real>
Status RemotePlan<Real>::forward(Queue& queue, Real const* samples, Complex<Real>* spectra) {
    expects(sizes_.real);
    SLUICE_CHECK(launch::map(queue, numbers(),
                             LoadSamples<Real>{samples, sizes_.array, sizes_.step, here_.data()}));
    SLUICE_CHECK(transform(queue));
    return launch::map(
        queue, sizes_.batch * sizes_.spectrum,
        StoreHalf<Real>{half_of(sizes_.shape), here_.data(), sizes_.array, sizes_.spectrum,
                        sizes_.spectrum_step, reinterpret_cast<N*>(spectra)});
}

template <class Real>
Status RemotePlan<Real>::inverse(Queue& queue, Complex<Real> const* spectra, Real* samples) {
    expects(sizes_.real && !sizes_.overlaps());
    SLUICE_CHECK(
        launch::map(queue, numbers(),
                    LoadHalf<Real>{half_of(sizes_.shape), reinterpret_cast<N const*>(spectra),
                                   sizes_.array, sizes_.spectrum_step, here_.data()}));
    SLUICE_CHECK(transform(queue));
    return launch::map(
        queue, numbers(),
        StoreSamples<Real>{here_.data(), sizes_.array, sizes_.step, scale(), samples});
}

template class RemotePlan<float>;
template class RemotePlan<double>;

}  // namespace sluice::fft
