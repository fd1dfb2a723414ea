// The pixel formats of tests/jxrlib, and the quantisers that JxrEncApp chooses for a quality.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jxrlib/jxrlib.h"

// Last, because its macros break the headers of C++.
#include <JXRGlue.h>
#undef min
#undef max

namespace sluice::jxrlib {

/// The name that libjxr knows a pixel format by.
PKPixelFormatGUID const& guid_of(Pixels pixels);

/// Sets overlap, chroma and quantisers for a quality below 1, as JxrEncApp does.
void set_quality(CWMIStrCodecParam& parameters, PKPixelInfo const& info, index width,
                 Settings const& settings);

}  // namespace sluice::jxrlib
