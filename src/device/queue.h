// Queue: a device's ordered work, the same for every kind of device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "device/backend.h"

namespace sluice {

/// Copies and kernels happen in the order they were given, by one thread at a time, and are done
/// only after wait(). A device has as many queues as are asked for; they know nothing of each
/// other.
class Queue {
  public:
    static Result<Queue> of(Device const& device);
    Queue(Queue&&) noexcept = default;
    Queue& operator=(Queue&&) = delete;
    /// Forgets work that nobody waited for.
    ~Queue();

    /// `from` and `to` must live until wait().
    Status upload(void* to, Bytes from);
    Status download(std::span<std::byte> to, void const* from);
    /// Keeps alive what the work before the next wait() reads.
    void hold(std::shared_ptr<void const> what) { held_.push_back(std::move(what)); }
    /// For launch::map().
    Status run(Work const& work);
    Status wait();

    /// What run() is given from here to end_recording() is noted and not done. Neither uploads nor
    /// downloads are possible between them.
    Status begin_recording() { return stream_->begin_recording(); }
    Result<std::unique_ptr<Recording const>> end_recording() { return stream_->end_recording(); }
    /// Does it, where all that was recorded still has its memory. The recording lives until wait().
    Status replay(Recording const& recording);
    /// As Stream's.
    void* native() { return stream_->native(); }

    Device const& device() const { return device_; }
    std::shared_ptr<Backend> const& backend() const { return backend_; }

  private:
    Queue(Device const& device, std::shared_ptr<Backend> backend, std::unique_ptr<Stream> stream)
        : device_(device), backend_(std::move(backend)), stream_(std::move(stream)) {}

    Device device_;
    std::shared_ptr<Backend> backend_;
    std::unique_ptr<Stream> stream_;
    std::vector<std::shared_ptr<void const>> held_;
};

/// What all queues of a device have moved so far.
Result<Traffic> traffic_of(Device const& device);

}  // namespace sluice
