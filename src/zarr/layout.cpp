// The metadata of arrays that other programs wrote.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "base/half.h"

namespace sluice::zarr {
namespace {

using json = nlohmann::ordered_json;

struct Name {
    Element element;
    std::string_view v2, v3;  ///< v2: without the byte order
    index size;
};
constexpr std::array<Name, 12> names{{{Element::boolean, "b1", "bool", 1},
                                      {Element::i8, "i1", "int8", 1},
                                      {Element::u8, "u1", "uint8", 1},
                                      {Element::i16, "i2", "int16", 2},
                                      {Element::u16, "u2", "uint16", 2},
                                      {Element::i32, "i4", "int32", 4},
                                      {Element::u32, "u4", "uint32", 4},
                                      {Element::i64, "i8", "int64", 8},
                                      {Element::u64, "u8", "uint64", 8},
                                      {Element::f16, "f2", "float16", 2},
                                      {Element::f32, "f4", "float32", 4},
                                      {Element::f64, "f8", "float64", 8}}};

constexpr std::size_t most_dimensions = 32;

Error unknown(std::string_view what, json const& found) {
    constexpr std::size_t most = 200;
    std::string text = found.dump(-1, ' ', true);
    if (text.size() > most) text = text.substr(0, most) + "...";
    return {Code::unsupported,
            fmt::format("{} {} of a Zarr array is not read here; save the array with another one",
                        what, text)};
}

index whole(json const& j) {
    if (!j.is_number_integer()) throw json::other_error::create(500, "not a whole number", &j);
    return j.get<index>();
}

std::vector<index> sizes(json const& list) {
    if (!list.is_array()) throw json::other_error::create(500, "not a list of sizes", &list);
    std::vector<index> out;
    for (json const& j : list) out.push_back(whole(j));
    return out;
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> out(sizeof value);
    std::memcpy(out.data(), &value, sizeof value);
    return out;
}

std::optional<double> special(std::string const& text) {
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    return {};
}

template <class T>
std::optional<std::vector<std::byte>> whole_fill(json const& j) {
    if (j.is_number_float()) {
        double const v = j.get<double>();
        // Writers of version 2 call the zero of integers 0.0, too.
        if (v != std::floor(v) || std::abs(v) > 9e15) return {};
        return whole_fill<T>(json(static_cast<std::int64_t>(v)));
    }
    if (j.is_boolean()) return bytes_of(static_cast<T>(j.get<bool>()));
    if (!j.is_number_integer()) return {};
    if (j.is_number_unsigned()) {
        auto const v = j.get<std::uint64_t>();
        return std::in_range<T>(v) ? std::optional(bytes_of(static_cast<T>(v))) : std::nullopt;
    }
    auto const v = j.get<std::int64_t>();
    return std::in_range<T>(v) ? std::optional(bytes_of(static_cast<T>(v))) : std::nullopt;
}

// Version 3 may give the bits of a floating-point number, as in "0x7fc00000".
std::optional<std::vector<std::byte>> bits(std::string const& text, std::size_t size) {
    if (!text.starts_with("0x") || text.size() != 2 + 2 * size ||
        text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos)
        return {};
    std::uint64_t const v = std::stoull(text.substr(2), nullptr, 16);
    std::vector<std::byte> out(size);
    std::memcpy(out.data(), &v, size);
    return out;
}

std::optional<std::vector<std::byte>> real_fill(Element e, json const& j) {
    double v = 0;
    if (j.is_string()) {
        auto const text = j.get<std::string>();
        if (auto found = bits(text, static_cast<std::size_t>(size_of(e)))) return found;
        auto const named = special(text);
        if (!named) return {};
        v = *named;
    } else if (j.is_number()) {
        v = j.get<double>();
    } else {
        return {};
    }
    if (e == Element::f64) return bytes_of(v);
    if (e == Element::f32) return bytes_of(static_cast<float>(v));
    return bytes_of(Half::of(v).bits);
}

std::optional<std::vector<std::byte>> fill_of(Element e, json const& j) {
    if (j.is_null()) return std::vector<std::byte>(static_cast<std::size_t>(size_of(e)));
    switch (e) {
        case Element::i8:
            return whole_fill<std::int8_t>(j);
        case Element::boolean:
        case Element::u8:
            return whole_fill<std::uint8_t>(j);
        case Element::i16:
            return whole_fill<std::int16_t>(j);
        case Element::u16:
            return whole_fill<std::uint16_t>(j);
        case Element::i32:
            return whole_fill<std::int32_t>(j);
        case Element::u32:
            return whole_fill<std::uint32_t>(j);
        case Element::i64:
            return whole_fill<std::int64_t>(j);
        case Element::u64:
            return whole_fill<std::uint64_t>(j);
        case Element::f16:
        case Element::f32:
        case Element::f64:
            break;
    }
    return real_fill(e, j);
}

Status set_fill(Layout& s, json const& j) {
    auto fill = fill_of(s.element, j);
    if (!fill) return unknown("fill value", j);
    s.fill = *std::move(fill);
    return {};
}

/// The axes of a chunk as they follow each other; the last is that of neighbours.
using Order = std::vector<std::size_t>;

void set_strides(Layout& s, Order const& order) {
    s.stride.assign(s.chunk.size(), 1);
    index n = 1;
    for (auto d = order.rbegin(); d != order.rend(); ++d) {
        s.stride[*d] = n;
        n *= s.chunk[*d];
    }
}

Order in_order(std::size_t n) {
    Order order(n);
    std::iota(order.begin(), order.end(), 0U);
    return order;
}

bool compresses(Step step) {
    return step != Step::crc32c;
}

std::optional<Step> step_of(std::string const& name) {
    if (name == "blosc") return Step::blosc;
    if (name == "zstd" || name == "numcodecs.zstd") return Step::zstd;
    if (name == "gzip" || name == "zlib" || name == "numcodecs.gzip" || name == "numcodecs.zlib")
        return Step::deflate;
    if (name == "lz4" || name == "numcodecs.lz4") return Step::lz4;
    if (name == "crc32c") return Step::crc32c;
    return {};
}

Status set_dtype_v2(Layout& s, json const& j) {
    if (!j.is_string() || j.get<std::string>().size() != 3) return unknown("dtype", j);
    auto const text = j.get<std::string>();
    auto const n = std::ranges::find(names, std::string_view(text).substr(1), &Name::v2);
    if (n == names.end() || std::string_view("<>|").find(text[0]) == std::string_view::npos)
        return unknown("dtype", j);
    s.element = n->element;
    s.big_endian = text[0] == '>';
    return {};
}

Result<Layout> parse_v2(json const& j, Order& order) {
    Layout s;
    s.version = 2;
    s.shape = sizes(j.at("shape"));
    s.chunk = sizes(j.at("chunks"));
    SLUICE_CHECK(set_dtype_v2(s, j.at("dtype")));
    SLUICE_CHECK(set_fill(s, j.at("fill_value")));
    s.key_prefix = false;
    json const separator = j.value("dimension_separator", json("."));
    if (separator != "." && separator != "/") return unknown("dimension_separator", separator);
    s.separator = separator == "." ? '.' : '/';
    if (j.contains("filters") && !j["filters"].is_null() && !j["filters"].empty())
        return unknown("filters", j["filters"]);
    order = in_order(s.chunk.size());
    if (j.at("order") == "F")
        std::ranges::reverse(order);
    else if (j["order"] != "C")
        return unknown("order", j["order"]);
    json const& c = j.at("compressor");
    if (c.is_null()) return s;
    auto const step = step_of(c.value("id", ""));
    if (!step || !compresses(*step)) return unknown("compressor", c);
    s.steps = {*step};
    return s;
}

// Axes as they follow each other after one more transposition; "C" and "F" are words of earlier
// drafts.
Result<Order> transposed(json const& order, Order axes) {
    if (order == "C") return axes;
    if (order == "F") {
        std::ranges::reverse(axes);
        return axes;
    }
    std::size_t const n = axes.size();
    std::vector<index> const given = sizes(order);
    std::vector<index> sorted = given;
    std::ranges::sort(sorted);
    bool good = given.size() == n;
    for (std::size_t i = 0; good && i < n; ++i) good = sorted[i] == static_cast<index>(i);
    if (!good) return unknown("order", order);
    Order out;
    for (index const d : given) out.push_back(axes[static_cast<std::size_t>(d)]);
    return out;
}

Status set_codecs(Layout& s, json const& list, Order& order) {
    order = in_order(s.chunk.size());
    bool as_bytes = false;
    for (json const& c : list) {
        std::string const name = (c.is_string() ? c : c.at("name")).get<std::string>();
        json const config = c.is_object() ? c.value("configuration", json::object()) : json();
        if (name == "transpose" && !as_bytes) {
            SLUICE_TRY(order, transposed(config.at("order"), std::move(order)));
        } else if ((name == "bytes" || name == "endian") && !as_bytes) {
            as_bytes = true;
            json const endian = config.is_object() ? config.value("endian", "little") : "little";
            if (endian != "little" && endian != "big") return unknown("endian", endian);
            s.big_endian = endian == "big";
        } else if (auto const step = step_of(name); step && as_bytes) {
            // A checksum inside of a compressed chunk, or a second compressor, is nobody's way.
            if (compresses(*step) && !s.steps.empty()) return unknown("codec after another", c);
            s.steps.push_back(*step);
        } else {
            return unknown("codec", c);
        }
    }
    if (!as_bytes) return unknown("codecs without 'bytes'", list);
    return {};
}

Status set_shards(Layout& s, json const& config) {
    s.shard = std::exchange(s.chunk, sizes(config.at("chunk_shape")));
    json const place = config.value("index_location", "end");
    if (place != "end" && place != "start") return unknown("index_location", place);
    s.index_first = place == "start";
    json const& steps = config.at("index_codecs");
    auto const is_bytes = [](json const& c) {
        return c.at("name") == "bytes" &&
               c.value("configuration", json::object()).value("endian", "little") == "little";
    };
    s.index_checksum = steps.size() == 2;
    if (steps.empty() || steps.size() > 2 || !is_bytes(steps[0]) ||
        (s.index_checksum && steps[1].at("name") != "crc32c"))
        return unknown("index_codecs", steps);
    return {};
}

// What is not known here may change what the elements are, unless it says that it does not.
Status check_members(json const& j) {
    constexpr std::string_view known[] = {"zarr_format",     "node_type",           "shape",
                                          "data_type",       "chunk_grid",          "codecs",
                                          "fill_value",      "chunk_key_encoding",  "attributes",
                                          "dimension_names", "storage_transformers"};
    for (auto const& [name, value] : j.items()) {
        if (std::ranges::find(known, name) != std::end(known)) continue;
        if (!value.is_object() || value.value("must_understand", json(true)) != false)
            return unknown(fmt::format("the member '{}'", name), value);
    }
    return {};
}

Result<Layout> parse_v3(json const& j, Order& order) {
    Layout s;
    if (j.at("node_type") != "array") return unknown("the node type", j["node_type"]);
    SLUICE_CHECK(check_members(j));
    s.shape = sizes(j.at("shape"));
    json const& type = j.at("data_type");
    auto const n = type.is_string() ? std::ranges::find(names, type.get<std::string>(), &Name::v3)
                                    : names.end();
    if (n == names.end()) return unknown("data_type", type);
    s.element = n->element;
    SLUICE_CHECK(set_fill(s, j.at("fill_value")));
    json const& keys = j.at("chunk_key_encoding");
    s.key_prefix = keys.at("name") == "default";
    if (!s.key_prefix && keys["name"] != "v2") return unknown("chunk_key_encoding", keys);
    json const separator =
        keys.value("configuration", json::object()).value("separator", s.key_prefix ? "/" : ".");
    if (separator != "." && separator != "/") return unknown("separator", separator);
    s.separator = separator == "." ? '.' : '/';
    if (j.at("chunk_grid").at("name") != "regular")
        return unknown("chunk_grid", j.at("chunk_grid"));
    if (j.contains("storage_transformers") && !j["storage_transformers"].empty())
        return unknown("storage_transformers", j["storage_transformers"]);
    s.chunk = sizes(j["chunk_grid"].at("configuration").at("chunk_shape"));
    json const* codecs = &j.at("codecs");
    if (codecs->size() == 1 && codecs->front().is_object() &&
        codecs->front().value("name", "") == "sharding_indexed") {
        json const& config = codecs->front().at("configuration");
        SLUICE_CHECK(set_shards(s, config));
        codecs = &config.at("codecs");
    }
    SLUICE_CHECK(set_codecs(s, *codecs, order));
    return s;
}

// Sizes that fit each other, and memory.
bool agree(Layout const& s) {
    constexpr index most = (index{1} << 31) - 65536, most_in_shard = index{1} << 24;
    if (s.shape.empty() || s.shape.size() > most_dimensions || s.shape.size() != s.chunk.size() ||
        (!s.shard.empty() && s.shard.size() != s.chunk.size()))
        return false;
    index bytes = size_of(s.element), count = 1;
    for (std::size_t d = 0; d < s.shape.size(); ++d) {
        if (s.shape[d] < 0 || s.chunk[d] < 1 || s.chunk[d] > most / bytes) return false;
        bytes *= s.chunk[d];
        if (s.shard.empty()) continue;
        if (s.shard[d] < s.chunk[d] || s.shard[d] % s.chunk[d] != 0 ||
            s.shard[d] / s.chunk[d] > most_in_shard / count)
            return false;
        count *= s.shard[d] / s.chunk[d];
    }
    return true;
}

}  // namespace

index size_of(Element element) {
    return names[static_cast<std::size_t>(element)].size;
}

std::string_view name_of(Element element) {
    return names[static_cast<std::size_t>(element)].v3;
}

index Layout::chunk_bytes() const {
    index n = size_of(element);
    for (index const c : chunk) n *= c;
    return n;
}

Result<Layout> parse_layout(std::string_view text) {
    try {
        json const j = json::parse(text);
        Order order;
        json const& version = j.at("zarr_format");
        if (version != 2 && version != 3) return unknown("format", version);
        SLUICE_TRY(Layout s, version == 2 ? parse_v2(j, order) : parse_v3(j, order));
        if (agree(s)) {
            set_strides(s, order);
            return s;
        }
        return Error{Code::corrupt,
                     "shape and chunks of a Zarr array disagree, or a chunk is larger than 2 GiB; "
                     "write it again with smaller chunks"};
    } catch (json::exception const& e) {
        return Error{Code::corrupt,
                     fmt::format("metadata of a Zarr array ({}); write it again", e.what())};
    }
}

}  // namespace sluice::zarr
