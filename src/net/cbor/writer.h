// Writes CBOR (RFC 8949): heads as short as they can be, lengths always given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "sluice/view.h"

namespace sluice::cbor {

class Writer {
  public:
    void natural(std::uint64_t number) { head(0, number); }
    void whole(std::int64_t number);
    void real(double number);
    void boolean(bool value) { head(7, value ? 21 : 20); }
    void null() { head(7, 22); }
    void text(std::string_view text);
    void bytes(Bytes bytes);
    /// So many bytes follow, which somebody else sends.
    void bytes_head(std::uint64_t size) { head(2, size); }
    /// Those bytes, or an item that was written elsewhere.
    void raw(Bytes bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }
    void array(std::uint64_t items) { head(4, items); }
    void map(std::uint64_t pairs) { head(5, pairs); }
    void tag(std::uint64_t tag) { head(6, tag); }

    std::vector<std::byte> take() && { return std::move(out_); }
    Bytes written() const { return out_; }

  private:
    void head(unsigned major, std::uint64_t number);
    void big_endian(std::uint64_t number, int bytes);

    std::vector<std::byte> out_ = {};
};

}  // namespace sluice::cbor
