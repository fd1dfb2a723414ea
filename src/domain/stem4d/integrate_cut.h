// Integrates a field whose edges are only where the scan ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/cosine.h"

namespace sluice::stem4d {

/// Replaces a field row + i col by the real image whose differences between neighbours are nearest
/// to the field's integrals between them. Nothing is assumed beyond the edges. Fails only when
/// memory is short.
Status integrate_cut(View<fft::Complex<double>, 2> field);

}  // namespace sluice::stem4d
