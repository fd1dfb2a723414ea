// Stream2: receives DECTRIS' Stream V2.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "net/dectris/messages.h"
#include "net/problems.h"
#include "net/ring.h"
#include "net/socket.h"

namespace sluice::net::dectris {

struct StreamOptions {
    std::string channel = {};  ///< by its name; empty: the only one
    /// The number of a series' first image. It is not taken from what comes first: that may be the
    /// second one, and every pattern would be at the wrong place.
    index first_image = 0;
    int queue = 256;         ///< messages that wait in the socket, beside the ring
    double patience_s = 10;  ///< a series whose sender is silent for so long has ended
};

/// Whether to go on waiting.
using GoOn = std::function<bool()>;

class Stream2 {
  public:
    static Result<Stream2> connect(std::string const& address, StreamOptions options = {});

    /// The next series; empty: go_on() said no. What comes before a start is counted and left out.
    /// Errors: a channel that the series does not have, or several and none was asked for.
    Result<std::optional<Start>> wait_for_start(GoOn const& go_on);
    /// Puts the images of the series into the ring until it ends, which it does in any case.
    void receive(Start const& start, FrameRing& ring, GoOn const& go_on);

    /// The channel of a series that is received.
    std::string channel_of(Start const& start) const;
    Problems& problems() { return *problems_; }
    std::uint64_t bytes() const { return bytes_; }

  private:
    Stream2(Socket socket, StreamOptions options);
    Status take_start(cbor::Reader& reader, cbor::Items items);
    void take_message(Message const& message, Start const& start, FrameRing& ring);
    void take_image(Message const& message, cbor::Reader& reader, cbor::Items items,
                    Start const& start, FrameRing& ring);
    void put(Message const& message, Image const& image, std::shared_ptr<void const> owner,
             FrameRing& ring);
    bool fits(Image const& image, Start const& start);
    Status check_channel(Start const& start) const;

    Socket socket_;
    StreamOptions options_;
    std::unique_ptr<Problems> problems_ = std::make_unique<Problems>();
    std::optional<Start> next_ = {};  ///< came while a series was received
    std::uint64_t bytes_ = 0;
};

/// How the points of a scan are visited.
enum class Order : std::uint8_t { raster, serpentine };
struct ScanPath {
    std::array<index, 2> scan = {};
    Order order = Order::raster;
    index flyback = 0;               ///< images after each row that belong to no point
    std::vector<index> points = {};  ///< instead of both: [image] the number of its point, or -1
};
/// [image] the frame of the scan, -1: none; empty: image i is frame i.
std::vector<index> frame_of(ScanPath const& path);

/// The scan of a series as a dataset whose frames come through the ring.
Dataset live_dataset(Start const& start, std::string const& channel, std::string const& address,
                     std::array<index, 2> scan, std::string const& scan_from,
                     std::shared_ptr<FrameRing> ring);

}  // namespace sluice::net::dectris
