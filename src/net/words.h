// The words of what streams are asked for with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "format/tpx3/words.h"
#include "sluice/detector_control.h"
#include "sluice/stream.h"

namespace sluice {

constexpr auto words(StreamProtocol /*of_this_type*/) {
    return std::to_array<config::Word<StreamProtocol>>({{"by-port", StreamProtocol::by_port},
                                                        {"dectris-v2", StreamProtocol::dectris_v2},
                                                        {"dectris-v1", StreamProtocol::dectris_v1},
                                                        {"merlin", StreamProtocol::merlin},
                                                        {"timepix3", StreamProtocol::timepix3}});
}
constexpr auto words(ScanOrder /*of_this_type*/) {
    return std::to_array<config::Word<ScanOrder>>(
        {{"raster", ScanOrder::raster}, {"serpentine", ScanOrder::serpentine}});
}
constexpr auto words(ControlKind /*of_this_type*/) {
    return std::to_array<config::Word<ControlKind>>({{"by-address", ControlKind::by_address},
                                                     {"simplon", ControlKind::simplon},
                                                     {"merlin", ControlKind::merlin}});
}
constexpr auto words(DetectorState /*of_this_type*/) {
    return std::to_array<config::Word<DetectorState>>({{"unknown", DetectorState::unknown},
                                                       {"idle", DetectorState::idle},
                                                       {"armed", DetectorState::armed},
                                                       {"busy", DetectorState::busy},
                                                       {"error", DetectorState::error}});
}
constexpr auto words(DetectorTrigger /*of_this_type*/) {
    return std::to_array<config::Word<DetectorTrigger>>({{"point", DetectorTrigger::point},
                                                         {"gate", DetectorTrigger::gate},
                                                         {"line", DetectorTrigger::line},
                                                         {"software", DetectorTrigger::software}});
}

}  // namespace sluice
