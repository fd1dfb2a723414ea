// The slow twin of normalising: in double, one number after the other.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "nn/normalise_kernels.h"

namespace sluice::nn {
namespace {

double exact(float value) {
    return static_cast<double>(value);
}
double exact(Bf16 value) {
    return static_cast<double>(static_cast<float>(value));
}

void put(double value, float& to) {
    to = static_cast<float>(value);
}
void put(double value, Bf16& to) {
    to = Bf16::of(static_cast<float>(value));
}

double activated(double x, Activation activation) {
    switch (activation.kind) {
        case Activation::Kind::identity:
            return x;
        case Activation::Kind::relu:
            return x < 0 ? 0 : x;
        case Activation::Kind::elu:
            return x < 0 ? static_cast<double>(activation.alpha) * std::expm1(x) : x;
        case Activation::Kind::gelu:
            return x / 2 * std::erfc(-x / std::sqrt(2.0));
    }
    return x;
}

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
