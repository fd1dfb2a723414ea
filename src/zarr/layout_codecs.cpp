// Codecs and shards of version 3.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include "zarr/layout_parts.h"

namespace sluice::zarr {
namespace {

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

}  // namespace

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
            // No writer puts a checksum inside of a compressed chunk, or compresses twice.
            if (compresses(*step) && !s.steps.empty()) return unknown("codec after another", c);
            s.steps.push_back(*step);
            if (*step == Step::blosc && config.is_object())
                s.bits_shuffled = config.value("shuffle", json()) == "bitshuffle";
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

}  // namespace sluice::zarr
