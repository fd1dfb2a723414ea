// The fake device: protected pages and work put off until wait().
// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <cstring>
#include <map>
#include <vector>

#include "device/remote.h"

namespace sluice {
namespace {

class PagedFake final : public FakeDevice {
  public:
    Result<void*> allocate(std::size_t bytes) override {
        std::size_t const size = (bytes / 4096 + 1) * 4096;
        void* p = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) return Error{Code::out_of_memory, "the fake device is out of memory"};
        sizes_[p] = size;
        return p;
    }
    void release(void* memory) override {
        (void)wait();
        ::munmap(memory, sizes_[memory]);
        sizes_.erase(memory);
    }
    Status upload(void* to, Bytes from) override {
        if (!from.empty()) submit([=] { std::memcpy(to, from.data(), from.size()); });
        return {};
    }
    Status download(std::span<std::byte> to, void const* from) override {
        if (!to.empty()) submit([=] { std::memcpy(to.data(), from, to.size()); });
        return {};
    }
    void submit(std::function<void()> work) override { queue_.push_back(std::move(work)); }
    Status wait() override {
        if (queue_.empty()) return {};
        protect(PROT_READ | PROT_WRITE);
        for (auto& work : queue_) work();
        queue_.clear();
        protect(PROT_NONE);
        return {};
    }

  private:
    void protect(int how) {
        for (auto const& [p, size] : sizes_) expects(::mprotect(p, size, how) == 0);
    }
    std::map<void*, std::size_t> sizes_;
    std::vector<std::function<void()>> queue_;
};

}  // namespace

FakeDevice& fake_device() {
    static PagedFake device;
    return device;
}

}  // namespace sluice
