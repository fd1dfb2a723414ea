// The header is a Python dictionary; this reads the part of Python that NumPy writes.
// SPDX-License-Identifier: Apache-2.0
#include "format/npy/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/bytes.h"

namespace sluice::npy {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_dimensions = 32;

/// A place in the dictionary's text.
class Text {
  public:
    Text(std::string_view text, std::uint64_t begins_at) : text_(text), begins_at_(begins_at) {}

    Error wrong(std::string_view problem) const {
        return {Code::corrupt,
                fmt::format("{} (the NPY header must be a dictionary of descr, fortran_order and "
                            "shape); save the array again with numpy.save",
                            problem),
                {},
                begins_at_ + at_};
    }
    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool take(char c) {
        skip_space();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) {
        skip_space();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    bool ended() {
        skip_space();
        return at_ == text_.size();
    }
    Result<std::string_view> string() {
        skip_space();
        char const quote = at_ < text_.size() ? text_[at_] : ' ';
        if (quote != '\'' && quote != '"') return wrong("a quoted text is missing here");
        auto const end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) return wrong("a quoted text does not end");
        std::string_view const value = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return value;
    }
    Result<index> integer() {
        skip_space();
        std::size_t const begin = at_;
        index value = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            if (value > std::numeric_limits<index>::max() / 10 - 1)
                return wrong("a size is absurdly large");
            value = value * 10 + (text_[at_] - '0');
        }
        if (at_ == begin) return wrong("a size is missing here");
        take('L');  // Python 2 wrote long integers so
        return value;
    }

  private:
    std::string_view text_;
    std::uint64_t begins_at_;
    std::size_t at_ = 0;
};

Result<StoredType> parse_type(std::string_view descr) {
    auto const unsupported = [&] {
        return Error{
            Code::unsupported,
            fmt::format("holds values of type \"{}\" (integers of 1 to 8 bytes and floats "
                        "of 2, 4 or 8 are read); convert it with array.astype(numpy.float32)",
                        descr)};
    };
    if (descr.size() != 3) return unsupported();
    char const order = descr[0], kind = descr[1], size = descr[2];
    StoredType t;
    t.bytes = size - '0';
    t.big_endian = order == '>';
    if (order != '<' && order != '>' && order != '|' && order != '=') return unsupported();
    if (t.bytes != 1 && t.bytes != 2 && t.bytes != 4 && t.bytes != 8) return unsupported();
    if (kind == 'i')
        t.kind = StoredType::Kind::signed_int;
    else if (kind == 'f' && t.bytes >= 2)
        t.kind = StoredType::Kind::floating;
    else if (kind != 'u' && !(kind == 'b' && t.bytes == 1))
        return unsupported();
    return t;
}

Result<std::vector<index>> parse_shape(Text& text) {
    std::vector<index> shape;
    if (!text.take('(')) return text.wrong("the shape is not a tuple");
    while (!text.take(')')) {
        if (shape.size() == most_dimensions) return text.wrong("the shape has too many sides");
        SLUICE_TRY(index const side, text.integer());
        shape.push_back(side);
        if (text.take(',')) continue;
        if (!text.take(')')) return text.wrong("the shape does not end");
        break;
    }
    return shape;
}

// "<c8" is two "<f4".
std::string part_of(std::string_view descr) {
    if (descr.size() >= 3 && descr.substr(1) == "c8") return std::string(1, descr[0]) + "f4";
    if (descr.size() >= 3 && descr.substr(1) == "c16") return std::string(1, descr[0]) + "f8";
    return {};
}

Result<Header> parse_dictionary(Text& text, bool complex_too) {
    Header h;
    bool descr = false, order = false, shape = false;
    if (!text.take('{')) return text.wrong("a dictionary does not begin here");
    while (!text.take('}')) {
        SLUICE_TRY(std::string_view const key, text.string());
        if (!text.take(':')) return text.wrong("a colon is missing here");
        if (key == "descr" && !descr) {
            if (text.take('['))
                return Error{Code::unsupported,
                             "holds records (with named fields) and not numbers; save one field"};
            SLUICE_TRY(std::string_view const type, text.string());
            std::string const part = complex_too ? part_of(type) : std::string();
            h.complex = !part.empty();
            SLUICE_TRY(h.type, parse_type(h.complex ? std::string_view(part) : type));
            descr = true;
        } else if (key == "fortran_order" && !order) {
            h.fortran_order = text.take("True");
            if (!h.fortran_order && !text.take("False"))
                return text.wrong("neither True nor False stands here");
            order = true;
        } else if (key == "shape" && !shape) {
            SLUICE_TRY(h.shape, parse_shape(text));
            shape = true;
        } else {
            return text.wrong(fmt::format("unexpected key \"{}\"", key));
        }
        if (text.take(',')) continue;
        if (!text.take('}')) return text.wrong("the dictionary does not end");
        break;
    }
    if (!text.ended()) return text.wrong("something follows the dictionary");
    if (!descr || !order || !shape) return text.wrong("a key is missing");
    return h;
}

}  // namespace

bool is_npy(Bytes head) {
    return head.size() >= magic.size() && std::memcmp(head.data(), magic.data(), magic.size()) == 0;
}

Result<std::uint64_t> header_bytes(Bytes head) {
    if (head.size() < 12 || !is_npy(head))
        return Error{
            Code::truncated, "ends within the fixed part of its NPY header", {}, head.size()};
    auto const major = std::to_integer<int>(head[6]);
    if (major == 1) return 10 + std::uint64_t{load_le<std::uint16_t>(head.data() + 8)};
    if (major == 2 || major == 3)
        return 12 + std::uint64_t{load_le<std::uint32_t>(head.data() + 8)};
    return Error{
        Code::unsupported,
        fmt::format("is NPY version {} (1 to 3 are known); save it again with numpy.save", major),
        {},
        6};
}

Result<Header> parse_header(Bytes bytes, bool complex_too) {
    SLUICE_TRY(std::uint64_t const size, header_bytes(bytes));
    if (size > bytes.size())
        return Error{Code::truncated,
                     fmt::format("the file ends within its NPY header of {} bytes", size),
                     {},
                     bytes.size()};
    std::size_t const fixed = std::to_integer<int>(bytes[6]) == 1 ? 10 : 12;
    Text text({reinterpret_cast<char const*>(bytes.data()) + fixed, size - fixed}, fixed);
    SLUICE_TRY(Header h, parse_dictionary(text, complex_too));
    h.data_at = size;
    return h;
}

}  // namespace sluice::npy
