// Walks over the blocks of a bitshuffle chunk; every length is checked before it is used.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "codec/bitshuffle/bitshuffle.h"

namespace sluice::codec {
namespace {

constexpr std::size_t header_bytes = 12;

Error corrupt(std::size_t at, std::string message) {
    return {Code::corrupt, std::move(message), {}, at};
}

}  // namespace

index default_block_elements(int element_bytes) {
    return std::max<index>(8192 / element_bytes / 8 * 8, 128);
}

Result<BlockWalk> BlockWalk::begin(Bytes chunk, Compression compression, index elements,
                                   int element_bytes, index block_elements) {
    BlockWalk w;
    w.chunk_ = chunk;
    w.compression_ = compression;
    w.element_bytes_ = element_bytes;
    w.elements_ = elements;
    w.whole_ = elements / 8 * 8;
    std::uint64_t const expected =
        static_cast<std::uint64_t>(elements) * static_cast<unsigned>(element_bytes);
    if (compression == Compression::none) {
        w.block_elements_ =
            block_elements > 0 ? block_elements : default_block_elements(element_bytes);
        if (w.block_elements_ % 8 != 0)
            return corrupt(0, fmt::format("bitshuffle block of {} elements (not a multiple of 8)",
                                          w.block_elements_));
        if (chunk.size() != expected)
            return corrupt(0, fmt::format("bitshuffled chunk of {} bytes where the frame has {}; "
                                          "the file is damaged",
                                          chunk.size(), expected));
        return w;
    }
    if (chunk.size() < header_bytes)
        return corrupt(0, fmt::format("chunk of {} bytes (its header alone has 12); the file is "
                                      "damaged",
                                      chunk.size()));
    auto const total = load_be<std::uint64_t>(chunk.data());
    auto const block_bytes = load_be<std::uint32_t>(chunk.data() + 8);
    if (total != expected)
        return corrupt(0, fmt::format("chunk says that it holds {} bytes, the frame has {}; the "
                                      "file is damaged or of another detector mode",
                                      total, expected));
    auto const unit = static_cast<std::uint32_t>(8 * element_bytes);
    if (block_bytes == 0 || block_bytes % unit != 0)
        return corrupt(8, fmt::format("block size of {} bytes (must be a positive multiple of {}); "
                                      "the file is damaged",
                                      block_bytes, unit));
    w.block_elements_ = block_bytes / static_cast<std::uint32_t>(element_bytes);
    w.offset_ = header_bytes;
    return w;
}

Error BlockWalk::too_short(std::size_t size) const {
    if (size == 0) return corrupt(offset_, "chunk ends before its last block; the file is damaged");
    return corrupt(offset_,
                   fmt::format("block of {} bytes (only {} are left in the chunk); the file "
                               "is damaged",
                               size, chunk_.size() - offset_));
}

Result<Bytes> BlockWalk::tail() const {
    auto const size = static_cast<std::size_t>((elements_ - whole_) * element_bytes_);
    if (size > chunk_.size() - offset_)
        return corrupt(offset_, fmt::format("chunk lacks its last {} elements; the file is damaged",
                                            elements_ - whole_));
    return chunk_.subspan(offset_, size);
}

}  // namespace sluice::codec
