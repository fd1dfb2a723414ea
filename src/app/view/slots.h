// Slots: which request in each slot of each client is the newest. Its owner locks it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <map>

#include "server/server.h"
#include "sluice/result.h"

namespace sluice::app {

using server::ClientId;

class Slots {
  public:
    /// Slots of one client that may wait for an answer.
    static constexpr std::ptrdiff_t most = 128;

    /// The number of a new request, which is the newest of its slot now.
    Result<std::uint64_t> take(ClientId client, std::string const& slot) {
        auto const first = newest_.lower_bound({client, ""});
        auto const past = newest_.lower_bound({client + 1, ""});
        if (!newest_.contains({client, slot}) && std::distance(first, past) >= most)
            return Error{Code::invalid_argument,
                         fmt::format("{} slots wait for an answer already (that is the most); "
                                     "wait for one of them",
                                     most)};
        return newest_[{client, slot}] = ++number_;
    }
    bool is_newest(ClientId client, std::string const& slot, std::uint64_t number) const {
        auto const it = newest_.find({client, slot});
        return it != newest_.end() && it->second == number;
    }
    bool waits(ClientId client, std::string const& slot) const {
        return newest_.contains({client, slot});
    }
    void forget(ClientId client, std::string const& slot) { newest_.erase({client, slot}); }
    void forget(ClientId client) {
        std::erase_if(newest_, [&](auto const& entry) { return entry.first.first == client; });
    }

  private:
    std::map<std::pair<ClientId, std::string>, std::uint64_t> newest_;
    std::uint64_t number_ = 0;
};

}  // namespace sluice::app
