// The fake device: protected pages and work put off until wait().
// SPDX-License-Identifier: Apache-2.0
#include "device/fake.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "device/listing.h"

namespace sluice {
namespace {

class Paged;

class PutOff final : public ListingStream {
  public:
    explicit PutOff(Paged& device);
    ~PutOff() override;
    Status upload(void* to, Bytes from) override {
        expects(!records());
        return add([=] { std::memcpy(to, from.data(), from.size()); });
    }
    // To a place of its own first: only wait() may write to the host.
    Status download(std::span<std::byte> to, void const* from) override {
        expects(!records());
        auto const copy = std::make_shared<std::vector<std::byte>>(to.size());
        arrivals_.push_back({to, copy});
        return add([=] { std::memcpy(copy->data(), from, copy->size()); });
    }
    Status wait() override;
    void abandon() override;

    // By who holds the device's lock.
    bool empty() const { return work_.empty(); }
    void work_off() {
        for (auto const& work : work_) work();
        work_.clear();
    }

  protected:
    // From the end, odd elements first.
    Status run_now(Work const& work) override {
        return add([n = work.n, loop = work.loop,
                    kernel = std::vector(work.kernel.begin(), work.kernel.end())] {
            index const last = n - 1, odd = last % 2 == 1 ? last : last - 1;
            loop(kernel.data(), odd, -1, -2);
            loop(kernel.data(), last % 2 == 1 ? last - 1 : last, -2, -2);
        });
    }

  private:
    struct Arrival {
        std::span<std::byte> to;
        std::shared_ptr<std::vector<std::byte>> copy;
    };
    Paged& device_;
    std::vector<std::function<void()>> work_;
    std::vector<Arrival> arrivals_;

    Status add(std::function<void()> work);
};

class Paged final : public FakeBackend {
  public:
    std::mutex mutex;  ///< of pages and of all streams' work
    std::vector<PutOff*> streams;

    Result<std::unique_ptr<Stream>> open(Device const&) override {
        return std::unique_ptr<Stream>(std::make_unique<PutOff>(*this));
    }
    std::optional<std::uint64_t> available() override {
        std::lock_guard const lock(mutex);
        if (limit_ == std::numeric_limits<std::size_t>::max()) return {};
        return limit_ - std::min(limit_, taken_);
    }
    std::size_t taken() override {
        std::lock_guard const lock(mutex);
        return taken_;
    }
    void set_limit(std::size_t bytes) override {
        std::lock_guard const lock(mutex);
        limit_ = bytes;
    }
    void release(void* memory) override {
        std::lock_guard const lock(mutex);
        for (PutOff* s : streams) finish(*s);
        auto const at = sizes_.find(memory);
        ::munmap(memory, at->second);
        taken_ -= at->second;
        sizes_.erase(at);
    }
    // By who holds the lock.
    void finish(PutOff& stream) {
        if (stream.empty()) return;
        protect(PROT_READ | PROT_WRITE);
        stream.work_off();
        protect(PROT_NONE);
    }

  protected:
    Result<void*> take(std::size_t bytes) override {
        Error const none{Code::out_of_memory, "the fake device is out of memory"};
        std::lock_guard const lock(mutex);
        std::size_t const size = (bytes / 4096 + 1) * 4096;
        if (size > limit_ - std::min(limit_, taken_)) return none;
        void* p = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) return none;
        sizes_[p] = size;
        taken_ += size;
        return p;
    }

  private:
    void protect(int how) {
        for (auto const& [p, size] : sizes_) expects(::mprotect(p, size, how) == 0);
    }
    std::map<void*, std::size_t> sizes_;
    std::size_t taken_ = 0, limit_ = std::numeric_limits<std::size_t>::max();
};

PutOff::PutOff(Paged& device) : device_(device) {
    std::lock_guard const lock(device_.mutex);
    device_.streams.push_back(this);
}

PutOff::~PutOff() {
    std::lock_guard const lock(device_.mutex);
    std::erase(device_.streams, this);
}

Status PutOff::add(std::function<void()> work) {
    std::lock_guard const lock(device_.mutex);
    work_.push_back(std::move(work));
    return {};
}

Status PutOff::wait() {
    {
        std::lock_guard const lock(device_.mutex);
        device_.finish(*this);
    }
    for (auto const& [to, copy] : arrivals_) std::memcpy(to.data(), copy->data(), to.size());
    arrivals_.clear();
    return {};
}

void PutOff::abandon() {
    ListingStream::abandon();
    std::lock_guard const lock(device_.mutex);
    work_.clear();
    arrivals_.clear();
}

}  // namespace

std::shared_ptr<FakeBackend> fake_backend() {
    static auto const device = std::make_shared<Paged>();
    return device;
}

}  // namespace sluice
