// How all receivers take the messages of a series, and put its images into the ring.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/receiver.h"

namespace sluice::net {

/// How long a receiver waits at most before it looks whether to go on.
constexpr std::chrono::milliseconds glance{50};

/// What came within a glance.
enum class Came : std::uint8_t { nothing, message, end };

/// How the messages of a protocol are taken.
struct Listening {
    index images = 0;        ///< that are announced; 0: nobody said how many
    double patience_s = 10;  ///< of silence
    std::string_view without = "an end of the series";  ///< what a sender that falls silent owes
    std::function<Result<Came>()> next = {};            ///< takes a message
    /// Why the series ended, though it is not complete; empty: it goes on.
    std::function<std::string()> cut_short = {};
    /// Why nothing comes any more, where that is known.
    std::function<std::string()> broken = {};
    /// All images were sent, though the protocol has no end: a moment of silence is one.
    std::function<bool()> all_sent = {};
};
void listen(FrameRing& ring, GoOn const& go_on, Listening const& how);

struct PixelForm {
    DType dtype = DType::u16;
    index rows = 0, cols = 0;
};
/// Whether an image has the type and the size of its series; else the problems hear of it.
bool fits(Problems& problems, std::uint64_t number, PixelForm its, PixelForm series);

/// An image as the stream numbers it; `first` is the number of a series' first one.
void put_image(FrameRing& ring, Problems& problems, std::uint64_t number, index first,
               EncodedFrame const& frame, std::shared_ptr<void const> owner);

}  // namespace sluice::net
