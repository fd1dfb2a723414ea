// Wire: how a simulated detector speaks its protocol.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/simulator.h"

namespace sluice::net {

/// A message, made: its parts in order.
struct Packet {
    using Part = std::shared_ptr<std::vector<std::byte> const>;
    std::vector<Part> parts = {};

    bool empty() const { return parts.empty(); }
    std::size_t bytes() const {
        std::size_t n = 0;
        for (Part const& part : parts) n += part->size();
        return n;
    }
};
inline Packet packet(std::vector<std::byte> bytes) {
    return {{std::make_shared<std::vector<std::byte> const>(std::move(bytes))}};
}

/// Of one thread.
class Wire {
  public:
    Wire() = default;
    Wire(Wire const&) = delete;
    Wire& operator=(Wire const&) = delete;
    virtual ~Wire() = default;

    /// Begins a series, number `number` from 0: the message that says so.
    virtual Packet start(index number, index images) = 0;
    /// Image `image` of the series, which shows that frame; empty: the frame was not measured.
    virtual Result<Packet> image(index image, index frame) = 0;
    /// Empty: the protocol has no end.
    virtual Packet end() = 0;

    /// Puts a message into the detector's buffer; false: there was no room so long.
    virtual Result<bool> send(Packet const& message, std::chrono::milliseconds wait) = 0;
    /// Waits until the buffer is empty: images that were lost in it.
    virtual index finish(std::chrono::milliseconds wait) = 0;
    /// That receivers connect to.
    virtual std::string const& address() const = 0;
    /// How many images had the bytes of the file.
    virtual index as_stored() const = 0;
};

}  // namespace sluice::net
