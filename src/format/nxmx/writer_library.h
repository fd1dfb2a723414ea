// libhdf5 behind handles that close themselves and a lock, for writers and for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <mutex>
#include <utility>

namespace sluice::hdf5 {

/// While one lives, this thread alone calls libhdf5 (many builds of it are not thread-safe) and
/// libhdf5 prints nothing. May be nested.
class LibraryLock {
  public:
    LibraryLock();

  private:
    std::unique_lock<std::recursive_mutex> lock_;
};

/// An identifier of libhdf5, closed at the end.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);
    Handle() = default;
    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    Handle(Handle&& o) noexcept : id_(std::exchange(o.id_, -1)), close_(o.close_) {}
    Handle& operator=(Handle&& o) noexcept {
        std::swap(id_, o.id_);
        std::swap(close_, o.close_);
        return *this;
    }
    ~Handle();

    explicit operator bool() const { return id_ >= 0; }
    hid_t id() const { return id_; }

  private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

}  // namespace sluice::hdf5
