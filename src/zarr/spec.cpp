// The metadata of arrays as JSON: .zarray of version 2, zarr.json of version 3.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "zarr/array.h"

namespace sluice::zarr {
namespace {

using json = nlohmann::ordered_json;

struct TypeName {
    DType type;
    std::string_view v2, v3;
};
constexpr std::array<TypeName, 6> types{{{DType::u8, "|u1", "uint8"},
                                         {DType::u16, "<u2", "uint16"},
                                         {DType::i32, "<i4", "int32"},
                                         {DType::u32, "<u4", "uint32"},
                                         {DType::f32, "<f4", "float32"},
                                         {DType::f64, "<f8", "float64"}}};

TypeName const& name_of_type(DType type) {
    auto const* const at = std::ranges::find(types, type, &TypeName::type);
    expects(at != types.end());
    return *at;
}

// Shuffling the bytes of elements of one byte does nothing, and takes time.
std::string_view shuffle_name(Spec const& s) {
    if (s.codec.bits) return "bitshuffle";
    return size_of(s.dtype) > 1 ? "shuffle" : "noshuffle";
}
int shuffle_number(Spec const& s) {
    return s.codec.bits ? 2 : size_of(s.dtype) > 1 ? 1 : 0;
}
std::string_view inside_blosc(Spec const& s) {
    return s.codec.compressor == Compressor::blosc_zstd ? "zstd" : "lz4";
}

json fill_value(Spec const& s) {
    if (s.dtype == DType::f32 || s.dtype == DType::f64) return s.fill;
    return static_cast<std::int64_t>(s.fill);
}

// Frames of zstd have a checksum. Version 2 does not say so: the word is for who writes, and
// TensorStore and numcodecs before 0.13 refuse it.
json compressor_v2(Spec const& s) {
    if (s.codec.compressor == Compressor::none) return nullptr;
    if (s.codec.compressor == Compressor::zstd) return {{"id", "zstd"}, {"level", s.codec.level}};
    return {{"id", "blosc"},
            {"cname", inside_blosc(s)},
            {"clevel", s.codec.level},
            {"shuffle", shuffle_number(s)},
            {"blocksize", 0}};
}

json named(std::string_view name, json configuration) {
    return {{"name", name}, {"configuration", std::move(configuration)}};
}

json codecs_v3(Spec const& s) {
    json list = json::array({named("bytes", {{"endian", "little"}})});
    if (s.codec.compressor == Compressor::zstd)
        list.push_back(named("zstd", {{"level", s.codec.level}, {"checksum", true}}));
    if (s.codec.compressor == Compressor::blosc_lz4 || s.codec.compressor == Compressor::blosc_zstd)
        list.push_back(named("blosc", {{"cname", inside_blosc(s)},
                                       {"clevel", s.codec.level},
                                       {"shuffle", shuffle_name(s)},
                                       {"typesize", size_of(s.dtype)},
                                       {"blocksize", 0}}));
    if (s.codec.crc32c) list.push_back(json{{"name", "crc32c"}});
    return list;
}

json array_v3(Spec const& s) {
    json codecs = codecs_v3(s);
    if (!s.shard.empty()) {
        json const index_codecs =
            json::array({named("bytes", {{"endian", "little"}}), json{{"name", "crc32c"}}});
        codecs = json::array({named("sharding_indexed", {{"chunk_shape", s.chunk},
                                                         {"codecs", std::move(codecs)},
                                                         {"index_codecs", index_codecs},
                                                         {"index_location", "end"}})});
    }
    json out{
        {"zarr_format", 3},
        {"node_type", "array"},
        {"shape", s.shape},
        {"data_type", name_of_type(s.dtype).v3},
        {"chunk_grid", named("regular", {{"chunk_shape", s.shard.empty() ? s.chunk : s.shard}})},
        {"chunk_key_encoding", named("default", {{"separator", "/"}})},
        {"fill_value", fill_value(s)},
        {"codecs", std::move(codecs)}};
    if (!s.dimension_names.empty()) out["dimension_names"] = s.dimension_names;
    out["attributes"] = json::parse(s.attributes, nullptr, false);
    return out;
}

Error unknown(std::string_view what, json const& found) {
    return {Code::unsupported,
            fmt::format("{} {} of a Zarr array (not among those written here) read it with other "
                        "software",
                        what, found.dump())};
}

// Numbers such as 1e300 are not sizes, and would not fit either.
std::int64_t whole(json const& j) {
    if (!j.is_number_integer()) throw json::other_error::create(500, "not a whole number", &j);
    return j.get<std::int64_t>();
}

std::vector<index> sizes(json const& list) {
    if (!list.is_array()) throw json::other_error::create(500, "not a list of sizes", &list);
    std::vector<index> out;
    for (json const& j : list) out.push_back(whole(j));
    return out;
}

int level_of(json const& configuration, char const* key) {
    std::int64_t const level = configuration.contains(key) ? whole(configuration[key]) : 0;
    return static_cast<int>(std::clamp<std::int64_t>(level, -1000, 1000));
}

Result<Codec> parse_codec(json const& c, std::string_view name_key, json const& configuration) {
    json const name = c.value(name_key, "");
    if (name == "zstd") return Codec{Compressor::zstd, level_of(configuration, "level")};
    std::string const inside = name == "blosc" ? configuration.value("cname", "") : "";
    if (inside == "lz4" || inside == "zstd") {
        json const shuffle = configuration.value("shuffle", json());
        return Codec{.compressor = inside == "lz4" ? Compressor::blosc_lz4 : Compressor::blosc_zstd,
                     .level = level_of(configuration, "clevel"),
                     .bits = shuffle == 2 || shuffle == "bitshuffle"};
    }
    return unknown("codec", c);
}

Result<Spec> parse_v2(json const& j) {
    Spec s;
    s.version = 2;
    s.shape = sizes(j.at("shape"));
    s.chunk = sizes(j.at("chunks"));
    bool found = false;
    for (TypeName const& t : types)
        if (j.at("dtype") == t.v2) s.dtype = t.type, found = true;
    if (!found) return unknown("dtype", j.at("dtype"));
    if (j.at("order") != "C") return unknown("order", j.at("order"));
    if (j.contains("filters") && !j["filters"].is_null()) return unknown("filters", j["filters"]);
    if (j.value("dimension_separator", ".") != "/")
        return unknown("dimension_separator", j.value("dimension_separator", "."));
    s.fill = j.at("fill_value");
    json const& c = j.at("compressor");
    s.codec = {Compressor::none, 0};
    if (!c.is_null()) {
        SLUICE_TRY(s.codec, parse_codec(c, "id", c));
    }
    return s;
}

Status parse_codecs(json const& list, Spec& s) {
    s.codec = {Compressor::none, 0};
    for (std::size_t i = 0; i < list.size(); ++i) {
        json const& c = list[i];
        json const configuration = c.value("configuration", json::object());
        bool const last = i + 1 == list.size();
        if (i == 0 && c.at("name") == "bytes") {
            if (configuration.value("endian", "little") != "little") return unknown("endian", c);
        } else if (i > 0 && last && c.at("name") == "crc32c") {
            s.codec.crc32c = true;
        } else if (i == 1) {
            SLUICE_TRY(s.codec, parse_codec(c, "name", configuration));
        } else {
            return unknown("codec", c);
        }
    }
    return {};
}

Result<Spec> parse_v3(json const& j) {
    Spec s;
    s.shape = sizes(j.at("shape"));
    bool found = false;
    for (TypeName const& t : types)
        if (j.at("data_type") == t.v3) s.dtype = t.type, found = true;
    if (!found) return unknown("data_type", j.at("data_type"));
    json const& keys = j.at("chunk_key_encoding");
    if (keys.at("name") != "default" ||
        keys.value("configuration", json::object()).value("separator", "/") != "/")
        return unknown("chunk_key_encoding", keys);
    if (j.at("chunk_grid").at("name") != "regular")
        return unknown("chunk_grid", j.at("chunk_grid"));
    s.chunk = sizes(j["chunk_grid"].at("configuration").at("chunk_shape"));
    s.fill = j.at("fill_value");
    if (j.contains("dimension_names"))
        s.dimension_names = j["dimension_names"].get<std::vector<std::string>>();
    json const& codecs = j.at("codecs");
    if (codecs.size() != 1 || codecs[0].at("name") != "sharding_indexed") {
        SLUICE_CHECK(parse_codecs(codecs, s));
        return s;
    }
    json const& c = codecs[0].at("configuration");
    s.shard = std::exchange(s.chunk, sizes(c.at("chunk_shape")));
    json const& index_codecs = c.at("index_codecs");
    if (c.value("index_location", "end") != "end" || index_codecs.size() != 2 ||
        index_codecs[0].at("name") != "bytes" || index_codecs[1].at("name") != "crc32c")
        return unknown("index of a shard", c);
    SLUICE_CHECK(parse_codecs(c.at("codecs"), s));
    return s;
}

bool holds(DType type, double v) {
    auto const within = [v](auto zero) {
        using Limits = std::numeric_limits<decltype(zero)>;
        return v == std::floor(v) && v >= double{Limits::min()} && v <= double{Limits::max()};
    };
    if (type == DType::u8) return within(std::uint8_t{});
    if (type == DType::u16) return within(std::uint16_t{});
    if (type == DType::i32) return within(std::int32_t{});
    if (type == DType::u32) return within(std::uint32_t{});
    if (type == DType::f32) return std::abs(v) <= double{std::numeric_limits<float>::max()};
    return std::isfinite(v);
}

bool sizes_agree(Spec const& s) {
    if (s.shape.empty() || s.shape.size() != s.chunk.size()) return false;
    if (!s.shard.empty() && s.shard.size() != s.chunk.size()) return false;
    // Blosc and the index of a shard have 32-bit sizes and counts.
    constexpr index most = (index{1} << 31) - 65536;
    index bytes = size_of(s.dtype), count = 1;
    for (std::size_t d = 0; d < s.shape.size(); ++d) {
        if (s.shape[d] < 0 || s.chunk[d] < 1 || s.chunk[d] > most / bytes) return false;
        bytes *= s.chunk[d];
        if (s.shard.empty()) continue;
        if (s.shard[d] < s.chunk[d] || s.shard[d] % s.chunk[d] != 0) return false;
        if (s.shard[d] / s.chunk[d] > (index{1} << 24) / count) return false;
        count *= s.shard[d] / s.chunk[d];
    }
    return true;
}

}  // namespace

std::string to_json(Spec const& s) {
    if (s.version == 3) return array_v3(s).dump(2);
    return json{{"zarr_format", 2},
                {"shape", s.shape},
                {"chunks", s.chunk},
                {"dtype", name_of_type(s.dtype).v2},
                {"compressor", compressor_v2(s)},
                {"fill_value", fill_value(s)},
                {"order", "C"},
                {"filters", nullptr},
                {"dimension_separator", "/"}}
        .dump(2);
}

Result<Spec> parse_spec(std::string_view text) {
    try {
        json const j = json::parse(text);
        SLUICE_TRY(Spec s, j.at("zarr_format") == 2 ? parse_v2(j) : parse_v3(j));
        if (!holds(s.dtype, s.fill))
            return Error{Code::unsupported,
                         fmt::format("fill value {} of a Zarr array (its type cannot be that) read "
                                     "it with other software",
                                     s.fill)};
        if (!sizes_agree(s))
            return Error{Code::corrupt,
                         "shape and chunks of a Zarr array disagree, or a chunk is larger than 2 "
                         "GiB; give smaller chunks"};
        return s;
    } catch (json::exception const& e) {
        return Error{Code::corrupt,
                     fmt::format("metadata of a Zarr array ({}); write it again", e.what())};
    }
}

}  // namespace sluice::zarr
