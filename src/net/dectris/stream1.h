// Stream1: receives DECTRIS' Stream V1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/dectris/parts.h"
#include "net/listen.h"
#include "net/socket.h"

namespace sluice::net::dectris {

class Stream1 final : public Receiver {
  public:
    static Result<std::unique_ptr<Receiver>> connect(std::string const& address,
                                                     StreamOptions options = {});

    Result<std::optional<Series>> wait_for_series(GoOn const& go_on) override;
    void receive(FrameRing& ring, GoOn const& go_on) override;

  private:
    /// A message, whose parts live with it.
    struct Whole {
        std::vector<Message> messages = {};
        std::vector<Bytes> parts = {};
    };

    Stream1(Socket socket, StreamOptions options);
    Result<bool> receive(Whole& whole);
    Result<std::optional<OpenedParts>> open(Whole& whole);
    Result<std::optional<OpenedParts>> hear(Whole& whole);
    void take_header(Whole const& whole, OpenedParts const& opened);
    Result<bool> complete_header(GoOn const& go_on);
    Came take(Whole& whole, FrameRing& ring);
    void take_image(Whole const& whole, OpenedParts const& opened, FrameRing& ring);
    std::optional<Packed> fits(ImageParts const& image);
    bool has_hash(ImageParts const& image, std::string const& said);

    Socket socket_;
    StreamOptions options_;
    Header header_ = {};               ///< of the series that is received
    std::optional<Header> next_ = {};  ///< came while a series was received
    std::optional<Whole> first_ = {};  ///< the image that told what the header does not
    std::optional<Whole> begun_ = {};  ///< a header whose configuration is the next message
};

}  // namespace sluice::net::dectris
