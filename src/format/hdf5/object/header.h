// Header: the messages of an object header, versions 1 and 2, continuations included.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/source.h"

namespace sluice::hdf5::object {

/// Numbered as in the file.
enum class MessageType : std::uint8_t {
    nil = 0,
    dataspace = 1,
    link_info = 2,
    datatype = 3,
    old_fill = 4,
    fill = 5,
    link = 6,
    external_files = 7,
    layout = 8,
    filters = 11,
    attribute = 12,
    shared_table = 15,
    continuation = 16,
    symbol_table = 17,
    driver = 20,
    attribute_info = 21,
};

struct Message {
    MessageType type = MessageType::nil;
    unsigned flags = 0;
    std::uint64_t address = 0;  ///< of the body
    Bytes body = {};            ///< held by the header

    bool shared() const { return (flags & 2) != 0; }
};

/// Moved but never copied: its messages view its blocks.
class Header {
  public:
    Header() = default;
    Header(Header&&) = default;
    Header& operator=(Header&&) = default;
    std::vector<Message> const& messages() const { return messages_; }
    /// The first message of a type, or null.
    Message const* find(MessageType type) const;

    friend Result<Header> read_header(Source const& source, std::uint64_t address);

  private:
    std::vector<std::vector<std::byte>> blocks_;  // what the messages view
    std::vector<Message> messages_;
};

/// Reads the object header at an address.
Result<Header> read_header(Source const& source, std::uint64_t address);

/// The body of a message, wherever it is stored: a shared one is in another object's header or in
/// the file's heap of shared messages.
Result<std::vector<std::byte>> body_of(Source const& source, Message const& message);
/// The body of what an attribute shares: `reference` is the field that stands for it.
Result<std::vector<std::byte>> shared_body(Source const& source, MessageType type, Bytes reference,
                                           std::uint64_t address);

}  // namespace sluice::hdf5::object
