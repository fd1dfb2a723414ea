// ReplyReader: the bytes of an answer by HTTP, as they come, and the reply that they make.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "net/http/message.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::net::http {

class ReplyReader {
  public:
    /// A longer body is an error.
    explicit ReplyReader(std::size_t most_bytes);
    ReplyReader(ReplyReader const&) = delete;
    ReplyReader& operator=(ReplyReader const&) = delete;
    ~ReplyReader();

    /// The next bytes; those after the reply are left out. Nothing may follow an error.
    Status put(Bytes bytes);
    /// No more bytes come. False: the reply lacks some.
    bool end();
    bool done() const;
    /// Of a reader that is done.
    Reply reply() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::net::http
