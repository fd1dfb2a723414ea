// SPDX-License-Identifier: Apache-2.0
#include "codec/lz4planes/test_lz4planes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"

namespace sluice::codec {

Guarded::Guarded(std::size_t most) {
    auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t const inside = (most + page - 1) / page * page;
    bytes_ = inside + 2 * page;
    void* const map =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expects(map != MAP_FAILED);
    map_ = static_cast<std::byte*>(map);
    end_ = map_ + page + inside;
    expects(mprotect(map_, page, PROT_NONE) == 0 && mprotect(end_, page, PROT_NONE) == 0);
}

Guarded::~Guarded() {
    munmap(map_, bytes_);
}

Compared compare_with_library(Bytes block, std::size_t beyond, std::size_t plane_bytes, int count,
                              Isa isa, Guarded const& input, Guarded const& output) {
    std::size_t const size = plane_bytes * static_cast<std::size_t>(count);
    std::byte* const in = input.last(block.size() + beyond);
    if (!block.empty()) std::memcpy(in, block.data(), block.size());
    std::byte* const out = output.last(size + planes_slack);
    std::memset(out, 0xa5, size + planes_slack);
    Compared c;
    auto const found = lz4_planes(isa).decode({in, block.size()}, in + block.size() + beyond, out,
                                              plane_bytes, count);
    std::vector<std::byte> expected(size);
    c.valid = bool(lz4_decompress(block, expected));
    c.taken = found.has_value();
    if (!found) return c;
    c.written = found->filled;
    if (!c.valid) c.fault = "ours takes a block that the library refuses";
    if (found->filled < 0 || found->filled > count || (found->repeats && found->filled == 0)) {
        c.fault = "a number of planes that cannot be";
        return c;
    }
    write_repeats(*found, static_cast<index>(plane_bytes), count, out);
    if (!found->repeats)
        std::fill(out + static_cast<std::size_t>(found->filled) * plane_bytes, out + size,
                  std::byte{0});
    if (c.valid && std::memcmp(out, expected.data(), size) != 0) c.fault = "other bytes";
    return c;
}

}  // namespace sluice::codec
