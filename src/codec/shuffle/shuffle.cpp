// The byte shuffle.
// SPDX-License-Identifier: Apache-2.0
#include "codec/shuffle/shuffle.h"

#include <fmt/format.h>

#include <cstring>

namespace sluice::codec {
namespace {

// `fixed` is the size of an element that the compiler may count on; 0: any.
template <std::size_t fixed>
void gather(std::byte const* in, std::size_t any, std::size_t n, std::byte* out) {
    std::size_t const size = fixed != 0 ? fixed : any;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < size; ++j) out[i * size + j] = in[j * n + i];
}

Status check(Bytes in, int element_bytes, std::span<std::byte> out) {
    if (element_bytes >= 1 && in.size() == out.size()) return {};
    return Error{Code::corrupt,
                 fmt::format("{} shuffled bytes of {}-byte elements where {} are expected; the "
                             "file is damaged",
                             in.size(), element_bytes, out.size())};
}

void copy_rest(Bytes in, std::size_t done, std::span<std::byte> out) {
    if (done < in.size()) std::memcpy(out.data() + done, in.data() + done, in.size() - done);
}

}  // namespace

Status unshuffle(Bytes in, int element_bytes, std::span<std::byte> out) {
    SLUICE_CHECK(check(in, element_bytes, out));
    auto const size = static_cast<std::size_t>(element_bytes);
    std::size_t const n = in.size() / size;
    switch (size) {
        case 2:
            gather<2>(in.data(), size, n, out.data());
            break;
        case 4:
            gather<4>(in.data(), size, n, out.data());
            break;
        case 8:
            gather<8>(in.data(), size, n, out.data());
            break;
        default:
            gather<0>(in.data(), size, n, out.data());
            break;
    }
    copy_rest(in, n * size, out);
    return {};
}

Status shuffle(Bytes in, int element_bytes, std::span<std::byte> out) {
    SLUICE_CHECK(check(in, element_bytes, out));
    auto const size = static_cast<std::size_t>(element_bytes);
    std::size_t const n = in.size() / size;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < size; ++j) out[j * n + i] = in[i * size + j];
    copy_rest(in, n * size, out);
    return {};
}

}  // namespace sluice::codec
