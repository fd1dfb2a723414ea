// RemoteDevice: memory the host cannot touch, and work that is done when wait() returns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "sluice/device.h"
#include "sluice/view.h"

namespace sluice {

/// Work on a device happens in the order it was given, by one thread at a time, and is done only
/// after wait().
class RemoteDevice {
  public:
    virtual ~RemoteDevice() = default;
    virtual Result<void*> allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) = 0;
    /// `from` and `to` must live until wait().
    virtual Status upload(void* to, Bytes from) = 0;
    virtual Status download(std::span<std::byte> to, void const* from) = 0;
    virtual Status wait() = 0;
};

/// Owns memory of a remote device.
template <class T>
class Buffer {
  public:
    static Result<Buffer> allocate(RemoteDevice& device, index count) {
        SLUICE_TRY(void* memory, device.allocate(static_cast<std::size_t>(count) * sizeof(T)));
        return Buffer(device, static_cast<T*>(memory), count);
    }
    static Result<Buffer> of(RemoteDevice& device, std::span<T const> values) {
        SLUICE_TRY(Buffer b, allocate(device, static_cast<index>(values.size())));
        SLUICE_CHECK(device.upload(b.data_, std::as_bytes(values)));
        return b;
    }
    Buffer(Buffer&& o) noexcept
        : device_(o.device_), data_(std::exchange(o.data_, nullptr)), count_(o.count_) {}
    Buffer& operator=(Buffer&& o) noexcept {
        std::swap(device_, o.device_), std::swap(data_, o.data_), std::swap(count_, o.count_);
        return *this;
    }
    ~Buffer() {
        if (data_) device_->release(data_);
    }

    /// An address on the device: for kernels only.
    T* data() const { return data_; }
    index count() const { return count_; }
    Status download(std::span<T> to) const {
        return device_->download(std::as_writable_bytes(to), data_);
    }

  private:
    Buffer(RemoteDevice& device, T* data, index count)
        : device_(&device), data_(data), count_(count) {}
    RemoteDevice* device_;
    T* data_;
    index count_;
};

/// A device for machines without a GPU. Its memory cannot be read or written outside of its own
/// work (the pages are protected), nothing happens before wait(), and the elements of a launch run
/// in an order nobody would choose: a forgotten copy or wait fails in every test.
class FakeDevice : public RemoteDevice {
  public:
    virtual void submit(std::function<void()> work) = 0;
};
FakeDevice& fake_device();

/// The first NVIDIA GPU, or why there is none.
Result<RemoteDevice*> cuda_device();

/// The RemoteDevice behind a Device of a remote kind.
Result<RemoteDevice*> remote_device(Device const& device);

}  // namespace sluice
