// Receiver: what hears a detector, whatever its protocol.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "config/field.h"
#include "net/problems.h"
#include "net/ring.h"
#include "sluice/dataset.h"

namespace sluice::net {

enum class Protocol : std::uint8_t { by_port, dectris_v2, dectris_v1, merlin };
constexpr auto words(Protocol /*of_this_type*/) {
    return std::to_array<config::Word<Protocol>>({{"by-port", Protocol::by_port},
                                                  {"dectris-v2", Protocol::dectris_v2},
                                                  {"dectris-v1", Protocol::dectris_v1},
                                                  {"merlin", Protocol::merlin}});
}
/// What `by_port` means for an address: 9999 and 6342 have their protocols, all else is Stream V2.
Protocol protocol_of(std::string const& address);

struct StreamOptions {
    Protocol protocol = Protocol::by_port;
    std::string channel = {};  ///< by its name; empty: the only one
    /// The number of a series' first image; empty: the protocol's usual one. It is not taken from
    /// what comes first: that may be the second one, and every pattern would be at the wrong place.
    std::optional<index> first_image = {};
    int queue = 256;         ///< messages that wait in the socket, beside the ring
    double patience_s = 10;  ///< a series whose sender is silent for so long has ended
};

/// What a stream says of a series before its images.
struct Series {
    std::string name = {};  ///< "7"
    index images = 0;       ///< that are announced; 0: the stream does not say how many
    std::optional<std::array<index, 2>> scan = {};     ///< where the stream says it
    std::string scan_from = "the stream's user data";  ///< what says it
    Dataset dataset = {};                              ///< without scan, frames and source
};

/// Whether to go on waiting.
using GoOn = std::function<bool()>;

/// Of one thread at a time.
class Receiver {
  public:
    Receiver() = default;
    Receiver(Receiver const&) = delete;
    Receiver& operator=(Receiver const&) = delete;
    virtual ~Receiver() = default;

    /// The next series; empty: go_on() said no. What comes before a start is counted and left out.
    /// Errors: a series that cannot be received as it was asked for.
    virtual Result<std::optional<Series>> wait_for_series(GoOn const& go_on) = 0;
    /// Puts the images of that series into the ring until it ends, which it does in any case.
    virtual void receive(FrameRing& ring, GoOn const& go_on) = 0;

    /// What was wrong with what came. Threads may share it.
    Problems& problems() { return problems_; }

  private:
    Problems problems_ = {};
};

/// A receiver for the address: "tcp://127.0.0.1:31001".
Result<std::unique_ptr<Receiver>> connect(std::string const& address, StreamOptions options = {});

/// The scan that a series' images make, as a dataset whose frames come through the ring.
Dataset live_dataset(Series const& series, std::array<index, 2> scan, std::string const& scan_from,
                     std::shared_ptr<FrameRing> ring);

}  // namespace sluice::net
