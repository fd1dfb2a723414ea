// Merlin: receives what Quantum Detectors' Merlin sends on its data port.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/as_planes.h"
#include "net/inbox.h"
#include "net/listen.h"
#include "net/merlin/messages.h"
#include "net/tcp.h"

namespace sluice::net::merlin {

class Merlin final : public Receiver {
  public:
    static Result<std::unique_ptr<Receiver>> connect(std::string const& address,
                                                     StreamOptions options = {});

    Result<bool> reach(GoOn const& go_on) override;
    Result<std::optional<Series>> wait_for_series(GoOn const& go_on) override;
    void receive(FrameRing& ring, GoOn const& go_on) override;

  private:
    Merlin(std::string address, StreamOptions options);
    Result<std::optional<Found>> next();
    Result<bool> fill(std::size_t wanted);
    void forget_rest();
    std::optional<Found> looked_at(Found found);
    Result<Came> take(FrameRing& ring);
    void put(Found const& found, FrameRing& ring);
    Series series() const;
    std::uint64_t first() const;

    std::string address_;
    StreamOptions options_;
    std::optional<TcpStream> stream_ = {};
    Inbox inbox_ = {};
    AsPlanes as_planes_ = {};
    bool in_noise_ = false;
    bool drained_ = false;    ///< all that had come was taken
    std::string ended_ = {};  ///< why the connection is no more

    mib::AcquisitionHeader acquisition_ = {};  ///< of the series that is received
    mib::FrameLayout layout_ = {};
    double exposure_s_ = 0;
    std::optional<mib::AcquisitionHeader> next_ = {};  ///< came while a series was received
    bool pending_ = false;                             ///< the first frame still lies in the inbox
    std::uint64_t newest_ = 0;                         ///< sequence number
    std::uint64_t expected_ = 0;
    index number_ = 0;  ///< series so far
};

}  // namespace sluice::net::merlin
