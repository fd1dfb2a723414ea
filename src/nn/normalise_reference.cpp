// The slow twin of normalising: in double, one number after the other.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "nn/exact.h"
#include "nn/normalise_kernels.h"

namespace sluice::nn {
namespace {

template <class T>
void tally(Rows<T const> x, float*, Tally out) {
    auto const n = static_cast<double>(x.rows);
    for (index c = 0; c < x.channels; ++c) {
        double sum = 0, squares = 0;
        for (index r = 0; r < x.rows; ++r) sum += exact(x.row(r)[c]);
        double const mean = sum / n;
        for (index r = 0; r < x.rows; ++r) squares += std::pow(exact(x.row(r)[c]) - mean, 2);
        out.mean[c] = mean;
        out.squares[c] = squares;
    }
}

template <class T>
void add(Rows<T const> a, Rows<T const> b, Rows<T> sum, float* scratch, Tally out) {
    for (index r = 0; r < a.rows; ++r)
        for (index c = 0; c < a.channels; ++c)
            put(exact(a.row(r)[c]) + exact(b.row(r)[c]), sum.row(r)[c]);
    tally<T>(sum, scratch, out);
}

template <class From, class To>
void normalise(Rows<From const> x, float const* scale, float const* shift, Activation activation,
               Rows<To> y, bool) {
    for (index r = 0; r < x.rows; ++r)
        for (index c = 0; c < x.channels; ++c)
            put(activated(exact(x.row(r)[c]) * exact(scale[c]) + exact(shift[c]), activation),
                y.row(r)[c]);
}

}  // namespace

NormaliseKernels const& reference_normalise() {
    static NormaliseKernels const kernels = {tally<float>,
                                             tally<Bf16>,
                                             add<float>,
                                             add<Bf16>,
                                             normalise<float, float>,
                                             normalise<float, Bf16>,
                                             normalise<Bf16, float>,
                                             normalise<Bf16, Bf16>};
    return kernels;
}

}  // namespace sluice::nn
