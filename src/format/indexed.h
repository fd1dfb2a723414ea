// Indexed: a source that says where its frames' bytes are, as one number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/hash.h"
#include "format/frame_source.h"

namespace sluice {

/// What else a FrameSource is, where files have an index of frames, or are read in one of several
/// ways: two that read other bytes, or the same in another order, have other digests.
class Indexed {
  public:
    virtual ~Indexed() = default;
    virtual std::uint64_t index_digest() const = 0;
};

/// 0: the sizes of its files say where its frames are.
inline std::uint64_t index_digest(FrameSource const& source) {
    auto const* const indexed = dynamic_cast<Indexed const*>(&source);
    return indexed ? indexed->index_digest() : 0;
}

/// The digest of some numbers behind that of others.
inline std::uint64_t digest_after(std::uint64_t before,
                                  std::initializer_list<std::uint64_t> numbers) {
    return splitmix_digest(std::as_bytes(std::span(numbers.begin(), numbers.size())), before);
}

}  // namespace sluice
