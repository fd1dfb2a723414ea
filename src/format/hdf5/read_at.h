// ReadAt: positioned reads for the parts of HDF5 that are read here and not by libhdf5.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/bytes.h"
#include "base/file.h"

namespace sluice::hdf5 {

/// A file, or bytes in memory that stand for one.
class ReadAt {
  public:
    virtual ~ReadAt() = default;
    /// In bytes.
    virtual std::uint64_t size() const = 0;
    /// Reads exactly out.size() bytes at `at`, or says why not.
    virtual Status read(std::uint64_t at, std::span<std::byte> out) const = 0;
};

class ReadFile final : public ReadAt {
  public:
    explicit ReadFile(File const& file) : file_(file) {}
    std::uint64_t size() const override { return file_.size(); }
    Status read(std::uint64_t at, std::span<std::byte> out) const override {
        return file_.read(at, out);
    }

  private:
    File const& file_;
};

class ReadMemory final : public ReadAt {
  public:
    explicit ReadMemory(Bytes bytes) : bytes_(bytes) {}
    std::uint64_t size() const override { return bytes_.size(); }
    Status read(std::uint64_t at, std::span<std::byte> out) const override {
        if (at > bytes_.size() || out.size() > bytes_.size() - at)
            return Error{Code::truncated, "ends here", {}, at};
        std::copy_n(bytes_.data() + at, out.size(), out.data());
        return {};
    }

  private:
    Bytes bytes_;
};

/// Takes little-endian fields off the front of `bytes`. Past the end it yields zeros and ok()
/// turns false, so that a parser may check once for many fields.
class Cursor {
  public:
    explicit Cursor(Bytes bytes) : rest_(bytes) {}
    bool ok() const { return ok_; }
    Bytes rest() const { return rest_; }
    Bytes take(std::uint64_t n) {
        if (n > rest_.size()) {
            ok_ = false;
            rest_ = {};
            return {};
        }
        Bytes const front = rest_.first(static_cast<std::size_t>(n));
        rest_ = rest_.subspan(static_cast<std::size_t>(n));
        return front;
    }
    /// An unsigned number of `width` bytes, at most 8.
    std::uint64_t number(unsigned width) {
        std::uint64_t v = 0;
        unsigned shift = 0;
        for (std::byte b : take(width)) {
            v |= std::to_integer<std::uint64_t>(b) << shift;
            shift += 8;
        }
        return v;
    }
    std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
    bool literal(std::string_view text) {
        Bytes const b = take(text.size());
        return ok_ && std::equal(b.begin(), b.end(), text.begin(),
                                 [](std::byte x, char c) { return std::to_integer<char>(x) == c; });
    }

  private:
    Bytes rest_;
    bool ok_ = true;
};

}  // namespace sluice::hdf5
