// Hands the work of a queue to its device, and counts it.
// SPDX-License-Identifier: Apache-2.0
#include "device/queue.h"

namespace sluice {

Result<Queue> Queue::of(Device const& device) {
    SLUICE_TRY(std::shared_ptr<Backend> backend, backend_of(device));
    SLUICE_TRY(std::unique_ptr<Stream> stream, backend->open(device));
    return Queue(device, std::move(backend), std::move(stream));
}

Queue::~Queue() {
    if (!stream_) return;
    stream_->abandon();
    backend_->close(std::move(stream_));
}

Status Queue::upload(void* to, Bytes from) {
    backend_->uploaded += from.size();
    return from.empty() ? Status{} : stream_->upload(to, from);
}

Status Queue::download(std::span<std::byte> to, void const* from) {
    backend_->downloaded += to.size();
    return to.empty() ? Status{} : stream_->download(to, from);
}

Status Queue::run(Work const& work) {
    ++backend_->launches;
    return work.n > 0 ? stream_->run(work) : Status{};
}

Status Queue::replay(Recording const& recording) {
    ++backend_->launches;
    return stream_->replay(recording);
}

Status Queue::wait() {
    ++backend_->waits;
    Status done = stream_->wait();
    held_.clear();
    return done;
}

Result<Traffic> traffic_of(Device const& device) {
    SLUICE_TRY(std::shared_ptr<Backend> const backend, backend_of(device));
    return backend->traffic();
}

}  // namespace sluice
