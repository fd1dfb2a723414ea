// Copies: an owner's data once more on devices, made once and kept while there is memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/queue.h"

namespace sluice {

/// Belongs to the owner of the data, and ends with it. Any thread may ask.
class Copies {
  public:
    Copies() = default;
    Copies(Copies const&) = delete;
    Copies& operator=(Copies const&) = delete;
    ~Copies() {
        for (auto const& device : where_) device->forget(this);
    }

    /// The copy on the queue's device. `make` makes the first one, and one after memory ran short;
    /// it must be there when that returns. The device keeps the copy until then, and whoever holds
    /// it keeps it longer.
    template <class T, class Make>
    Result<std::shared_ptr<T const>> on(Queue& queue, Make const& make) {
        std::lock_guard const lock(mutex_);
        auto const& device = queue.backend();
        if (auto copy = device->kept(this)) return std::static_pointer_cast<T const>(copy);
        SLUICE_TRY(std::shared_ptr<T const> copy, make());
        device->keep(this, copy);
        where_.push_back(device);
        return copy;
    }

  private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<Backend>> where_;
};

}  // namespace sluice
