// The engine of this build is the one written here (SLUICE_FFT=own).
// SPDX-License-Identifier: Apache-2.0
#include "fft/engine.h"

namespace sluice::fft {

template <class Real>
EngineOr<Real> make_engine(Sizes const& sizes) {
    return make_own_engine<Real>(sizes);
}

template EngineOr<float> make_engine<float>(Sizes const&);
template EngineOr<double> make_engine<double>(Sizes const&);

}  // namespace sluice::fft
