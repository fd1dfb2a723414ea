// BloscLZ blocks: runs of plain bytes, and references near and far.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "codec/blosc/blosc.h"

namespace sluice::codec {
namespace {

constexpr std::size_t near_distance = 8191;

Error damaged(char const* what, std::size_t at) {
    return {
        Code::corrupt, std::string("a BloscLZ block ") + what + "; the file is damaged", {}, at};
}

/// A reference: how many bytes from how far back.
struct Reference {
    std::size_t length = 0, back = 0;
};

class Reader {
  public:
    explicit Reader(Bytes in) : in_(in) {}
    bool ended() const { return at_ >= in_.size(); }
    std::size_t at() const { return at_; }
    /// The next byte; zero past the end, which cut() tells.
    std::size_t byte() {
        if (at_ < in_.size()) return std::to_integer<std::size_t>(in_[at_++]);
        cut_ = true;
        return 0;
    }
    bool cut() const { return cut_; }
    Bytes take(std::size_t n) {
        if (n > in_.size() - at_) {
            cut_ = true;
            return {};
        }
        at_ += n;
        return in_.subspan(at_ - n, n);
    }

  private:
    Bytes in_;
    std::size_t at_ = 0;
    bool cut_ = false;
};

Reference reference(std::size_t control, Reader& in) {
    Reference r;
    r.length = (control >> 5) - 1;
    std::size_t const high = (control & 31) << 8;
    if (r.length == 6)
        for (std::size_t more = 255; more == 255;) r.length += more = in.byte();
    r.length += 3;
    std::size_t const low = in.byte();
    r.back = high + low + 1;
    if (low == 255 && high == 31 << 8) {
        std::size_t const top = in.byte();
        r.back = (top << 8 | in.byte()) + near_distance + 1;
    }
    return r;
}

}  // namespace

Result<std::size_t> blosclz_decompress(Bytes block, std::span<std::byte> out) {
    Reader in(block);
    std::size_t to = 0;
    for (bool first = true; !in.ended(); first = false) {
        // The first is always a run: its upper bits are a mark of the format.
        std::size_t const control = first ? in.byte() & 31 : in.byte();
        if (control < 32) {
            Bytes const plain = in.take(control + 1);
            if (in.cut()) return damaged("ends within a run", in.at());
            if (plain.size() > out.size() - to)
                return damaged("holds more than its chunk", in.at());
            std::memcpy(out.data() + to, plain.data(), plain.size());
            to += plain.size();
            continue;
        }
        Reference const r = reference(control, in);
        if (in.cut()) return damaged("ends within a reference", in.at());
        if (r.back > to) return damaged("refers to what is before its beginning", in.at());
        if (r.length > out.size() - to) return damaged("holds more than its chunk", in.at());
        // Byte by byte: a reference may overlap what it makes.
        for (std::size_t i = 0; i < r.length; ++i) out[to + i] = out[to + i - r.back];
        to += r.length;
    }
    return to;
}

}  // namespace sluice::codec
