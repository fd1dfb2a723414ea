// Memory of a device, and the copies that give way when it is short.
// SPDX-License-Identifier: Apache-2.0
#include "device/backend.h"

#include <algorithm>

#include "device/fake.h"

namespace sluice {

Result<void*> Backend::allocate(std::size_t bytes) {
    for (;;) {
        auto memory = take(bytes);
        if (memory || memory.error().code != Code::out_of_memory) return memory;
        // A copy that is in use stays until its user is done.
        if (!longest_unused()) return memory;
    }
}

std::shared_ptr<void const> Backend::kept(void const* owner) {
    std::lock_guard const lock(mutex_);
    auto const at = kept_.find(owner);
    if (at == kept_.end()) return nullptr;
    at->second.used = ++uses_;
    return at->second.copy;
}

void Backend::keep(void const* owner, std::shared_ptr<void const> copy) {
    std::lock_guard const lock(mutex_);
    kept_[owner] = {std::move(copy), ++uses_};
}

void Backend::forget(void const* owner) {
    std::shared_ptr<void const> last;  // dies without the lock, as it gives memory back
    std::lock_guard const lock(mutex_);
    auto const at = kept_.find(owner);
    if (at == kept_.end()) return;
    last = std::move(at->second.copy);
    kept_.erase(at);
}

std::shared_ptr<void const> Backend::longest_unused() {
    std::lock_guard const lock(mutex_);
    auto const at = std::min_element(kept_.begin(), kept_.end(), [](auto const& a, auto const& b) {
        return a.second.used < b.second.used;
    });
    if (at == kept_.end()) return nullptr;
    auto last = std::move(at->second.copy);
    kept_.erase(at);
    return last;
}

Result<std::shared_ptr<Backend>> backend_of(Device const& device) {
    switch (device.kind()) {
        case Device::Kind::cuda:
            return cuda_backend(device.ordinal());
        case Device::Kind::fake:
            return std::shared_ptr<Backend>(fake_backend());
        default:
            return host_backend();
    }
}

}  // namespace sluice
