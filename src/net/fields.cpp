// The options of receivers, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "net/fields.h"

namespace sluice::net {

using config::between;
using config::field;

config::Fields<StreamOptions> stream_fields() {
    using O = StreamOptions;
    static constexpr config::Field<StreamOptions> all[] = {
        field<&O::protocol>("protocol", "in which the detector speaks"),
        field<&O::channel>("channel", "the channel, as threshold_1 [the only one that there is]"),
        field<&O::first_image>("first_image",
                               "number of the first image of a series [the protocol's]",
                               between(0, 1e12)),
        field<&O::patience_s>("patience_s",
                              "seconds of silence after which a series without an end has ended",
                              between(0.05, 1e6)),
        field<&O::verify>("verify",
                          "leave out images whose bytes have another MD5 than Stream V1 says"),
        field<&O::existing>("existing",
                            "of a folder that is watched: take what is in it already, too"),
    };
    return all;
}

}  // namespace sluice::net
