// The options of arming, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "net/control_fields.h"

namespace sluice::net {

using config::field;

config::Fields<ArmOptions> arm_fields() {
    using O = ArmOptions;
    static constexpr config::Field<ArmOptions> all[] = {
        field<&O::control>("control",
                           "the detector's control port, as http://dcu or tcp://merlin:6341; "
                           "without it, that of the stream's host"),
        field<&O::trigger>("trigger",
                           "what takes the images: a signal for each point, one that lasts as long "
                           "as the image, one for each line, or the program once"),
        field<&O::dwell_s>("dwell_s", "seconds from image to image; without it, as the detector is",
                           config::positive),
        field<&O::exposure_s>("exposure_s",
                              "seconds of each image; without it, --dwell-s, or as the detector is",
                              config::positive),
        field<&O::take_over>("take_over", "cancel what the detector is armed for already"),
    };
    return all;
}

}  // namespace sluice::net
