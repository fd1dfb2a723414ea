// DECTRIS' streams, as a simulated detector speaks them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "net/dectris/parts.h"
#include "net/wire.h"

namespace sluice::net::dectris {

enum class Packing : std::uint8_t { bslz4, lz4, none };
constexpr auto words(Packing /*of_this_type*/) {
    return std::to_array<config::Word<Packing>>(
        {{"bslz4", Packing::bslz4}, {"lz4", Packing::lz4}, {"none", Packing::none}});
}
constexpr auto words(HeaderDetail /*of_this_type*/) {
    return std::to_array<config::Word<HeaderDetail>>(
        {{"none", HeaderDetail::none}, {"basic", HeaderDetail::basic}, {"all", HeaderDetail::all}});
}

struct WireOptions {
    Packing compression = Packing::bslz4;
    // Of Stream V1 only.
    HeaderDetail header_detail = HeaderDetail::all;
    bool header_appendix = false;  ///< the scan, as users put it there
};
/// The options of Stream V2 are the first one.
config::Fields<WireOptions> wire_fields();

/// Bound to the address. The dataset and the options live as long as the wire. Errors: the address,
/// or a dataset of another type.
Result<std::unique_ptr<Wire>> stream1_wire(std::string const& address, Dataset const& dataset,
                                           SimulatorOptions const& options, WireOptions const& how);
Result<std::unique_ptr<Wire>> stream2_wire(std::string const& address, Dataset const& dataset,
                                           SimulatorOptions const& options, WireOptions const& how);

}  // namespace sluice::net::dectris
