// The words of signals to Timepix3 readouts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/tpx3_options.h"

namespace sluice {

constexpr auto words(TdcEdge /*of_this_type*/) {
    return std::to_array<config::Word<TdcEdge>>({{"tdc1-rise", TdcEdge::tdc1_rise},
                                                 {"tdc1-fall", TdcEdge::tdc1_fall},
                                                 {"tdc2-rise", TdcEdge::tdc2_rise},
                                                 {"tdc2-fall", TdcEdge::tdc2_fall}});
}

}  // namespace sluice
