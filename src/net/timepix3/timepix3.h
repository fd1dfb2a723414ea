// Timepix3: receives the hits of a readout, and makes images of them by their times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "format/tpx3/believed.h"
#include "format/tpx3/chips.h"
#include "format/tpx3/scan_clock.h"
#include "net/inbox.h"
#include "net/listen.h"
#include "net/tcp.h"

namespace sluice::net::timepix3 {

using tpx3::ChipLayout;
using tpx3::ScanClock;

class Timepix3 final : public Receiver {
  public:
    static Result<std::unique_ptr<Receiver>> connect(std::string const& address,
                                                     StreamOptions options = {});

    Result<bool> reach(GoOn const& go_on) override;
    Result<std::optional<Series>> wait_for_series(GoOn const& go_on) override;
    void receive(FrameRing& ring, GoOn const& go_on) override;

  private:
    Timepix3(std::string address, StreamOptions options, ChipLayout const& layout);
    Result<bool> next_chunk();
    Result<bool> counts(int chip);
    Result<bool> fill(std::size_t wanted);
    std::optional<tpx3::Sent> packet();
    void hear(tpx3::Sent const& sent, ScanClock& clock);
    Result<Came> listen_once(ScanClock& clock);
    void report(tpx3::ClockCounts const& counts);

    std::string address_;
    StreamOptions options_;
    Tpx3Options how_;
    ChipLayout layout_;
    tpx3::Chips chips_{layout_};
    std::optional<TcpStream> stream_ = {};
    Inbox inbox_ = {};
    std::string ended_ = {};  ///< why the connection is no more
    Bytes packets_ = {};      ///< of the chunk that is read, which still lies in the inbox
    std::size_t chunk_ = 0;   ///< its bytes
    int its_chip_ = 0;        ///< that of the chunk
    bool damaged_ = false;    ///< bytes were left out
    tpx3::Believed believed_ = {};
    std::vector<tpx3::Sent> early_ = {};  ///< packets before the first start was sure
    index number_ = 0;
};

}  // namespace sluice::net::timepix3
