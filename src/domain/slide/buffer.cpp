// Memory for pixels: not cleared, and in large pages where there is much of it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

#include "base/memory.h"
#include "base/system.h"
#include "sluice/slide.h"

namespace sluice::slide {
namespace {

constexpr std::size_t line = 64, large_page = std::size_t{2} << 20;

// Memory that may be kept for the next image.
constexpr std::size_t most_kept = std::size_t{256} << 20;

std::size_t alignment(std::size_t bytes) {
    return bytes >= 2 * large_page ? large_page : line;
}

std::size_t rounded(std::size_t bytes) {
    std::size_t const align = alignment(bytes);
    return (bytes + align - 1) / align * align;
}

// The large memory that was given up last. Its pages are there already: the system takes a third of
// a read to clear those of a new image, and the next plane of a slide has the same size.
struct Kept {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
};

Kept exchange(Kept next) {
    static std::mutex mutex;
    static Kept kept;
    std::lock_guard const lock(mutex);
    return std::exchange(kept, next);
}

// The kept memory if it has the size; else what was kept is given back, so that both never exist.
std::byte* take_kept(std::size_t bytes) {
    Kept const last = exchange({});
    if (last.bytes == bytes) return last.data;
    std::free(last.data);
    return nullptr;
}

void give_up(std::byte* data, std::size_t bytes) {
    bool const keep = bytes >= 2 * large_page && bytes <= most_kept;
    std::free(keep ? exchange({data, bytes}).data : data);
}

}  // namespace

Buffer::Buffer(std::size_t bytes) : size_(bytes) {
    if (bytes == 0) return;
    std::size_t const align = alignment(bytes), whole = rounded(bytes);
    if (align == large_page) data_ = take_kept(whole);
    if (data_) return;
    data_ = static_cast<std::byte*>(std::aligned_alloc(align, whole));
    if (!data_) throw std::bad_alloc();
    // A fault per 2 MB instead of one per 4 kB: touching new memory costs as much as copying it.
    if (align == large_page) use_large_pages(data_, whole);
}

Result<Buffer> Buffer::allocate(std::size_t bytes) {
    static std::size_t const memory = memory_of_machine();
    if (bytes > memory)
        return Error{
            Code::out_of_memory,
            fmt::format("the image would take {:.1f} GB (this machine has {:.1f} GB); read "
                        "a smaller region, a coarser level or one channel, or convert it",
                        static_cast<double>(bytes) / 1e9, static_cast<double>(memory) / 1e9)};
    return Buffer(bytes);
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

Buffer::~Buffer() {
    give_up(data_, rounded(size_));
}

std::byte* Buffer::reserve(std::size_t bytes) {
    if (bytes > size_) {
        *this = Buffer();
        *this = Buffer(bytes);
    }
    return data_;
}

std::size_t Shape::bytes() const {
    return static_cast<std::size_t>(height) * static_cast<std::size_t>(width) *
           static_cast<std::size_t>(samples * size_of(sample));
}

}  // namespace sluice::slide
