// Pool: the things used last stay open, so that a thousand data files need no thousand handles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sluice/result.h"

namespace sluice::hdf5 {

/// At most `most` of them, the one used longest ago closing first. Threads share a pool.
template <class T>
class Pool {
  public:
    explicit Pool(std::size_t most) : most_(most) {}

    /// The thing named `key`, opened by `open()` -> Result<T> if it is not open.
    template <class Open>
    Result<std::shared_ptr<T const>> get(std::string const& key, Open open) {
        std::lock_guard lock(mutex_);
        auto const found = std::find_if(recent_.begin(), recent_.end(),
                                        [&](Entry const& e) { return e.key == key; });
        if (found != recent_.end()) {
            std::rotate(recent_.begin(), found, found + 1);
            return recent_.front().thing;
        }
        SLUICE_TRY(T thing, open());
        if (recent_.size() >= most_) recent_.pop_back();
        recent_.insert(recent_.begin(), {key, std::make_shared<T const>(std::move(thing))});
        return recent_.front().thing;
    }

  private:
    struct Entry {
        std::string key;
        std::shared_ptr<T const> thing;
    };
    std::size_t most_;
    std::mutex mutex_;
    std::vector<Entry> recent_;  // the last used first
};

}  // namespace sluice::hdf5
