// The options of simulated detectors, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "net/simulator_fields.h"

namespace sluice::net {

using config::between;
using config::field;

config::Fields<SimulatorOptions> simulator_fields() {
    using O = SimulatorOptions;
    static constexpr config::Field<SimulatorOptions> all[] = {
        field<&O::rate>("rate", "images a second", between(0.001, 1e7)),
        field<&O::buffer>("buffer", "images that wait in the detector; those without room are lost",
                          between(1, 1e6)),
        field<&O::repeat>("repeat", "series, one after the other", between(1, 1e6)),
        field<&O::order>("order", "in which the points of the scan are visited"),
        field<&O::flyback>("flyback", "images after each row that belong to no point",
                           between(0, 1e6)),
        field<&O::drop>("drop", "probability that an image is never sent", between(0, 1)),
        field<&O::duplicate>("duplicate", "probability that an image comes twice", between(0, 1)),
        field<&O::reorder>("reorder", "probability that an image comes after the next one",
                           between(0, 1)),
        field<&O::corrupt>("corrupt", "probability that a message is damaged", between(0, 1)),
        field<&O::stop_at>("stop_at", "the image at which the detector falls silent",
                           between(0, 1e12)),
        field<&O::seed>("seed", "of these probabilities"),
        field<&O::wait_s>("wait_s", "seconds to wait for a receiver", between(0, 1e6)),
    };
    return all;
}

}  // namespace sluice::net
