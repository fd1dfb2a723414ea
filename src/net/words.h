// The words of what streams are asked for with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/stream.h"

namespace sluice {

constexpr auto words(StreamProtocol /*of_this_type*/) {
    return std::to_array<config::Word<StreamProtocol>>({{"by-port", StreamProtocol::by_port},
                                                        {"dectris-v2", StreamProtocol::dectris_v2},
                                                        {"dectris-v1", StreamProtocol::dectris_v1},
                                                        {"merlin", StreamProtocol::merlin}});
}
constexpr auto words(ScanOrder /*of_this_type*/) {
    return std::to_array<config::Word<ScanOrder>>(
        {{"raster", ScanOrder::raster}, {"serpentine", ScanOrder::serpentine}});
}

}  // namespace sluice
