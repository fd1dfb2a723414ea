// The messages on the data port of Merlin: "MPX,0000000385," and so many bytes.
// Source: LiberTEM-live and LiberTEM-rs (MIT).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/mib/header.h"

namespace sluice::net::merlin {

/// "MPX,", ten digits, a comma; what they count begins with that comma.
constexpr std::size_t prefix_bytes = 15;
constexpr std::uint16_t data_port = 6342;

/// What begins the bytes that came.
struct Found {
    enum class Kind : std::uint8_t {
        more,   ///< a message that is not complete
        hdr,    ///< the header of an acquisition
        frame,  ///< a frame
        other,  ///< something else in a message
        noise,  ///< no message
    };
    Kind kind = Kind::more;
    std::size_t size = 0;          ///< bytes that it takes, the prefix among them
    std::size_t wanted = 0;        ///< of `more`: bytes that are needed in all
    Bytes payload = {};            ///< of a message
    mib::FrameHeader header = {};  ///< of a frame
    mib::FrameLayout layout = {};
    std::string wrong = {};  ///< of noise: why, if it looked like a message
};
/// `depth` is what the acquisition says of its counters. No length is believed that the header of a
/// frame does not confirm, so that nothing waits for bytes that never come. A frame counts when the
/// next message begins after it, or when it is `quiet`: one that was cut off, and filled up with
/// the bytes of the next, is none.
Found find_message(Bytes bytes, int depth, bool quiet);

/// The prefix of a message of so many bytes.
std::string prefix_of(std::size_t payload);

}  // namespace sluice::net::merlin
