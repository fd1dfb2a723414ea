// Mirror: what views point at, once more on a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/place.h"

namespace sluice {

/// A struct of views becomes one of a device view by view: carry() copies what a view points at and
/// lets it point there. The copies live as long as the mirror.
class Mirror {
  public:
    /// The copied data must live until the queue's wait().
    template <class T>
    Status carry(Queue& queue, T const*& view, index count) {
        Bytes const all = std::as_bytes(std::span(view, static_cast<std::size_t>(count)));
        SLUICE_TRY(Place<std::byte> copy, Place<std::byte>::of(queue, all));
        view = reinterpret_cast<T const*>(copy.data());
        copies_.push_back(std::move(copy));
        return {};
    }
    /// The queue keeps the values until they are copied.
    template <class T>
    Status carry(Queue& queue, T const*& view, std::vector<T> values) {
        auto const held = std::make_shared<std::vector<T> const>(std::move(values));
        queue.hold(held);
        view = held->data();
        return carry(queue, view, std::ssize(*held));
    }
    std::size_t bytes() const {
        std::size_t sum = 0;
        for (auto const& copy : copies_) sum += copy.bytes();
        return sum;
    }

  private:
    std::vector<Place<std::byte>> copies_;
};

}  // namespace sluice
