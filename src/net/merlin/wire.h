// Merlin's data port, as a simulated detector speaks on it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "net/wire.h"

namespace sluice::net::merlin {

enum class Chips : std::uint8_t { one, quad };
constexpr auto words(Chips /*of_this_type*/) {
    return std::to_array<config::Word<Chips>>({{"1x1", Chips::one}, {"2x2", Chips::quad}});
}

struct WireOptions {
    bool raw = false;  ///< counters as the chips send them, and not integers
    int depth = 0;     ///< bits of a raw counter: 1, 6, 12 or 24; 0: by the dataset's type
    Chips chips = Chips::one;
};
config::Fields<WireOptions> wire_fields();

/// Bound to the address. The dataset and the options live as long as the wire. Errors: the address,
/// a dataset of another type, or one that such counters do not hold.
Result<std::unique_ptr<Wire>> wire(std::string const& address, Dataset const& dataset,
                                   SimulatorOptions const& options, WireOptions const& how);

}  // namespace sluice::net::merlin
