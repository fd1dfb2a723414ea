// Receiver: what hears a detector, whatever its protocol.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/problems.h"
#include "net/ring.h"
#include "sluice/dataset.h"
#include "sluice/stream.h"

namespace sluice::net {

using Protocol = StreamProtocol;
/// What `by_port` means for an address: 9999 and 6342 have their protocols, all else is Stream V2.
Protocol protocol_of(std::string const& address);

/// What a stream says of a series before its images.
struct Series {
    std::string name = {};  ///< "7"
    index images = 0;       ///< that are announced; 0: the stream does not say how many
    std::optional<std::array<index, 2>> scan = {};     ///< where the stream says it
    std::string scan_from = "the stream's user data";  ///< what says it
    Dataset dataset = {};                              ///< without scan, frames and source
    /// The message that said so, as it came; empty: `dataset` has all of it.
    std::vector<std::byte> description = {};
};

/// Of one thread at a time.
class Receiver {
  public:
    Receiver() = default;
    Receiver(Receiver const&) = delete;
    Receiver& operator=(Receiver const&) = delete;
    virtual ~Receiver() = default;

    /// Connects, where what is sent before is lost: to a detector that is armed next. False:
    /// go_on() said no.
    virtual Result<bool> reach(GoOn const& /*go_on*/) { return true; }
    /// The next series; empty: go_on() said no. What comes before a start is counted and left out.
    /// Errors: a series that cannot be received as it was asked for.
    virtual Result<std::optional<Series>> wait_for_series(GoOn const& go_on) = 0;
    /// Puts the images of that series into the ring until it ends, which it does in any case.
    virtual void receive(FrameRing& ring, GoOn const& go_on) = 0;

    /// What was wrong with what came since count_anew(). Threads may share it.
    Problems& problems() { return *problems_; }
    std::shared_ptr<Problems> share_problems() const { return problems_; }
    void count_anew() { problems_ = std::make_shared<Problems>(); }

  private:
    std::shared_ptr<Problems> problems_ = std::make_shared<Problems>();
};

/// A receiver for the address: "tcp://127.0.0.1:31001", or the path of files that grow.
Result<std::unique_ptr<Receiver>> connect(std::string const& address, StreamOptions options = {});

/// The scan that a series' images make, as a dataset whose frames come through the ring.
Dataset live_dataset(Series const& series, std::array<index, 2> scan, std::string const& scan_from,
                     std::shared_ptr<FrameRing> ring);

}  // namespace sluice::net
