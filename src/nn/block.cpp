// Block: pages of the operating system, large ones where it has them.
// SPDX-License-Identifier: Apache-2.0
#include "nn/block.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <utility>

#include "base/system.h"

namespace sluice::nn {

Result<Block> Block::make(index bytes) {
    Block b;
    if (bytes == 0) return b;
    auto const size = static_cast<std::size_t>(bytes);
    void* const at =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return Error{
            Code::out_of_memory,
            fmt::format("{} MB of memory cannot be allocated (the network needs them for its "
                        "maps) close other programs, or take bf16 or a shorter chunk",
                        bytes >> 20)};
    use_large_pages(at, size);
    b.data_ = static_cast<std::byte*>(at);
    b.size_ = bytes;
    return b;
}

Block::Block(Block&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Block& Block::operator=(Block&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

Block::~Block() {
    if (data_) munmap(data_, static_cast<std::size_t>(size_));
}

}  // namespace sluice::nn
