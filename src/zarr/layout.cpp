// The metadata of arrays that other programs wrote.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "zarr/layout_parts.h"

namespace sluice::zarr {
namespace {

struct Name {
    DType dtype;
    std::string_view v2, v3;  ///< v2: without the byte order
};
constexpr std::array<Name, 12> names{{{DType::boolean, "b1", "bool"},
                                      {DType::i8, "i1", "int8"},
                                      {DType::u8, "u1", "uint8"},
                                      {DType::i16, "i2", "int16"},
                                      {DType::u16, "u2", "uint16"},
                                      {DType::i32, "i4", "int32"},
                                      {DType::u32, "u4", "uint32"},
                                      {DType::i64, "i8", "int64"},
                                      {DType::u64, "u8", "uint64"},
                                      {DType::f16, "f2", "float16"},
                                      {DType::f32, "f4", "float32"},
                                      {DType::f64, "f8", "float64"}}};

constexpr std::size_t most_dimensions = 32;

index whole(json const& j) {
    if (!j.is_number_integer()) throw json::other_error::create(500, "not a whole number", &j);
    return j.get<index>();
}

Status set_fill(Layout& s, json const& j) {
    auto fill = fill_of(s.dtype, j);
    if (!fill) return unknown("fill value", j);
    s.fill = *std::move(fill);
    return {};
}

void set_strides(Layout& s, Order const& order) {
    s.stride.assign(s.chunk.size(), 1);
    index n = 1;
    for (auto d = order.rbegin(); d != order.rend(); ++d) {
        s.stride[*d] = n;
        n *= s.chunk[*d];
    }
}

Status set_dtype_v2(Layout& s, json const& j) {
    if (!j.is_string() || j.get<std::string>().size() != 3) return unknown("dtype", j);
    auto const text = j.get<std::string>();
    auto const n = std::ranges::find(names, std::string_view(text).substr(1), &Name::v2);
    if (n == names.end() || std::string_view("<>|").find(text[0]) == std::string_view::npos)
        return unknown("dtype", j);
    s.dtype = n->dtype;
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
    // -1: the bits of single bytes, and the bytes of all else.
    json const shuffle = c.value("shuffle", json());
    s.bits_shuffled =
        *step == Step::blosc && (shuffle == 2 || (shuffle == -1 && size_of(s.dtype) == 1));
    return s;
}

// An unknown member may change what the elements are, unless it says that it does not.
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
    s.dtype = n->dtype;
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
    index bytes = size_of(s.dtype), count = 1;
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

Error unknown(std::string_view what, json const& found) {
    constexpr std::size_t most = 200;
    std::string text = found.dump(-1, ' ', true);
    if (text.size() > most) text = text.substr(0, most) + "...";
    return {Code::unsupported,
            fmt::format("{} {} of a Zarr array is not read here; save the array with another one",
                        what, text)};
}

std::vector<index> sizes(json const& list) {
    if (!list.is_array()) throw json::other_error::create(500, "not a list of sizes", &list);
    std::vector<index> out;
    for (json const& j : list) out.push_back(whole(j));
    return out;
}

index Layout::chunk_bytes() const {
    index n = size_of(dtype);
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
