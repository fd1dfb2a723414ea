// Timepix3: receives the hits of a readout, and makes images of them by their times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "net/inbox.h"
#include "net/listen.h"
#include "net/tcp.h"
#include "net/timepix3/chip_layout.h"
#include "net/timepix3/packets.h"
#include "net/timepix3/scan_clock.h"

namespace sluice::net::timepix3 {

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
    /// Whether the hits of a chip count. Errors: several send hits, and nobody says where they lie.
    Result<bool> counts(int chip);
    Result<bool> fill(std::size_t wanted);
    /// A packet of 64 bits, and the chip that sent it.
    struct Sent {
        std::uint64_t bits = 0;
        int chip = 0;
    };
    std::optional<Sent> packet();
    void take(Sent const& sent, ScanClock& clock);
    std::optional<Times::Heard> hear(std::uint64_t packet);
    Result<Came> listen_once(ScanClock& clock);
    void report(ClockCounts const& counts);

    std::string address_;
    StreamOptions options_;
    ChipLayout layout_;
    std::optional<TcpStream> stream_ = {};
    Inbox inbox_ = {};
    std::string ended_ = {};  ///< why the connection is no more
    Bytes packets_ = {};      ///< of the chunk that is read, which still lies in the inbox
    std::size_t chunk_ = 0;   ///< its bytes
    int its_chip_ = 0;        ///< that of the chunk
    bool damaged_ = false;    ///< bytes were left out
    Times times_ = {};
    std::vector<Sent> early_ = {};   ///< packets before the first start was sure
    std::optional<Sent> held_ = {};  ///< whose time may be damaged
    index number_ = 0;
    std::optional<int> chip_ = {};        ///< the one whose hits count
    std::array<index, 256> chunks_ = {};  ///< of each chip
};

}  // namespace sluice::net::timepix3
