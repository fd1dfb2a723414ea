// Place: memory of a device that somebody owns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "device/queue.h"

namespace sluice {

template <class T>
class Place {
  public:
    /// Nowhere, and of no size.
    Place() = default;
    static Result<Place> make(Queue& queue, index count) {
        SLUICE_TRY(void* const memory,
                   queue.backend()->allocate(static_cast<std::size_t>(count) * sizeof(T)));
        Place p;
        p.backend_ = queue.backend();
        p.data_ = static_cast<T*>(memory);
        p.count_ = p.room_ = count;
        return p;
    }
    /// The values must live until the queue's wait().
    static Result<Place> of(Queue& queue, std::span<T const> values) {
        SLUICE_TRY(Place p, make(queue, static_cast<index>(values.size())));
        SLUICE_CHECK(queue.upload(p.data_, std::as_bytes(values)));
        return p;
    }
    Place(Place&& o) noexcept { swap(o); }
    Place& operator=(Place&& o) noexcept {
        swap(o);
        return *this;
    }
    ~Place() {
        if (data_) backend_->release(data_);
    }

    /// Replaces what is here, in the same memory if that is large enough. The queue keeps the
    /// values until they are copied.
    Status put(Queue& queue, std::vector<T> values) {
        auto const count = static_cast<index>(values.size());
        if (!data_ || room_ < count) {
            SLUICE_TRY(*this, make(queue, count));
        }
        count_ = count;
        auto const held = std::make_shared<std::vector<T> const>(std::move(values));
        queue.hold(held);
        return queue.upload(data_, std::as_bytes(std::span<T const>(*held)));
    }
    /// `to` gets the elements from `first` on, and must live until the queue's wait().
    Status download(Queue& queue, std::span<T> to, index first = 0) const {
        return queue.download(std::as_writable_bytes(to), data_ + first);
    }
    /// All of it; waits.
    Result<std::vector<T>> read(Queue& queue) const {
        std::vector<T> out(static_cast<std::size_t>(count_));
        SLUICE_CHECK(download(queue, out));
        SLUICE_CHECK(queue.wait());
        return out;
    }

    /// An address on the device: for kernels only.
    T* data() const { return data_; }
    index count() const { return count_; }
    std::size_t bytes() const { return static_cast<std::size_t>(room_) * sizeof(T); }

  private:
    std::shared_ptr<Backend> backend_;
    T* data_ = nullptr;
    index count_ = 0, room_ = 0;

    void swap(Place& o) {
        std::swap(backend_, o.backend_), std::swap(data_, o.data_);
        std::swap(count_, o.count_), std::swap(room_, o.room_);
    }
};

}  // namespace sluice
