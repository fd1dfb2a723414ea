// The processor as a device: its memory is the host's, and work is done when it is given.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "device/listing.h"
#include "device/workers.h"

namespace sluice {
namespace {

constexpr std::size_t line = 64;

class AtOnce final : public ListingStream {
  public:
    explicit AtOnce(Device const& device) : device_(device) {}

    Status upload(void* to, Bytes from) override {
        std::memcpy(to, from.data(), from.size());
        return {};
    }
    Status download(std::span<std::byte> to, void const* from) override {
        std::memcpy(to.data(), from, to.size());
        return {};
    }
    Status wait() override { return {}; }

  protected:
    Status run_now(Work const& work) override {
        if (device_.kind() == Device::Kind::reference) {
            work.loop(work.kernel.data(), 0, work.n, 1);
            return {};
        }
        int const threads = device_.threads();
        // Elements do not know each other, and so the answer does not depend on the pieces.
        index const piece = std::max<index>(1, work.n / (index{16} * threads));
        parallel_for((work.n + piece - 1) / piece, threads, 1, [&](index k, int) {
            index const first = k * piece, end = std::min(work.n, first + piece);
            if (work.per_isa)
                work.per_isa(device_.isa(), work.kernel.data(), first, end);
            else
                work.loop(work.kernel.data(), first, end, 1);
        });
        return {};
    }

  private:
    Device device_;
};

class Host final : public Backend {
  public:
    Result<std::unique_ptr<Stream>> open(Device const& device) override {
        return std::unique_ptr<Stream>(std::make_unique<AtOnce>(device));
    }
    void release(void* memory) override { std::free(memory); }

  protected:
    Result<void*> take(std::size_t bytes) override {
        void* const p = std::aligned_alloc(line, (bytes / line + 1) * line);
        if (!p) return Error{Code::out_of_memory, "out of memory"};
        return p;
    }
};

}  // namespace

std::shared_ptr<Backend> host_backend() {
    static auto const host = std::make_shared<Host>();
    return host;
}

}  // namespace sluice
