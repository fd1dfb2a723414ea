// Stream2: receives DECTRIS' Stream V2.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/dectris/messages.h"
#include "net/listen.h"
#include "net/socket.h"

namespace sluice::net::dectris {

class Stream2 final : public Receiver {
  public:
    static Result<std::unique_ptr<Receiver>> connect(std::string const& address,
                                                     StreamOptions options = {});

    Result<std::optional<Series>> wait_for_series(GoOn const& go_on) override;
    void receive(FrameRing& ring, GoOn const& go_on) override;

  private:
    Stream2(Socket socket, StreamOptions options);
    std::string channel() const;
    Status take_start(cbor::Reader& reader, cbor::Items items);
    Came take_message(Message const& message, FrameRing& ring);
    void take_image(Message const& message, cbor::Reader& reader, cbor::Items items,
                    FrameRing& ring);
    void put(Message const& message, Image const& image, std::shared_ptr<void const> owner,
             FrameRing& ring);
    bool fits(Image const& image);
    Status check_channel() const;

    Socket socket_;
    StreamOptions options_;
    Start start_ = {};                ///< of the series that is received
    std::optional<Start> next_ = {};  ///< came while a series was received
};

}  // namespace sluice::net::dectris
