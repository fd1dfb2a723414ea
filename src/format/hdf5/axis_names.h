// Which axis is which, by their names, units and HyperSpy's flags.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/boxes/axes.h"

namespace sluice::hdf5 {

/// What a file says of an axis.
struct AxisWords {
    std::string name = {}, unit = {};
    std::optional<bool> navigate = {};  ///< HyperSpy: it is one of those that number the signals
    bool labels = false;                ///< its places have names: it numbers images of a stack
};

/// "ky" in 1/nm, "kx" in 1/nm, ...
std::string words_text(std::vector<AxisWords> const& words);

/// The order that the words name; nothing if they say nothing, or the usual order. An error if they
/// name an order but not all of it, with an example of --axis-order that follows the names.
Result<std::optional<boxes::FrameAxes>> axes_named(std::vector<AxisWords> const& words);

}  // namespace sluice::hdf5
