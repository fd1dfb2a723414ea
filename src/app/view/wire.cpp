// Lays out messages: 4 bytes of length, JSON, arrays.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/wire.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "sluice/result.h"

namespace sluice::app {
namespace {

std::string dumped(Json const& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

struct Range {
    bool whole = true, float32 = true;
    double low = 0, high = 0;
};

Range range_of(std::span<double const> values) {
    Range r;
    for (double const v : values) {
        r.whole = r.whole && v == std::floor(v) && std::abs(v) < 9e15;
        r.float32 = r.float32 && (v != v || static_cast<double>(static_cast<float>(v)) == v);
        r.low = std::min(r.low, v);
        r.high = std::max(r.high, v);
    }
    return r;
}

}  // namespace

server::SharedMessage text_message(Json const& json) {
    return std::make_shared<server::Message>(server::Message{dumped(json), false});
}

template <class T>
void ArrayMessage::add(std::string const& name, std::string_view dtype,
                       std::vector<index> const& shape, std::span<double const> values) {
    expects(payload_.size() % 8 == 0);
    arrays_.push_back(
        {{"name", name}, {"dtype", dtype}, {"shape", shape}, {"offset", payload_.size()}});
    std::size_t const at = payload_.size();
    payload_.resize(at + (values.size() * sizeof(T) + 7) / 8 * 8);
    char* out = payload_.data() + at;
    for (double const v : values) {
        T const element = static_cast<T>(v);
        std::memcpy(out, &element, sizeof(T));
        out += sizeof(T);
    }
}

void ArrayMessage::add_counts(std::string const& name, std::vector<index> const& shape,
                              std::span<double const> values) {
    Range const r = range_of(values);
    bool const counts = r.whole && r.low >= 0;
    if (counts && r.high <= std::numeric_limits<std::uint8_t>::max())
        return add<std::uint8_t>(name, "uint8", shape, values);
    if (counts && r.high <= std::numeric_limits<std::uint16_t>::max())
        return add<std::uint16_t>(name, "uint16", shape, values);
    if (counts && r.high <= std::numeric_limits<std::uint32_t>::max())
        return add<std::uint32_t>(name, "uint32", shape, values);
    if (r.float32) return add<float>(name, "float32", shape, values);
    add<double>(name, "float64", shape, values);
}

void ArrayMessage::add_floats(std::string const& name, std::vector<index> const& shape,
                              std::span<double const> values) {
    add<float>(name, "float32", shape, values);
}

void ArrayMessage::add_doubles(std::string const& name, std::vector<index> const& shape,
                               std::span<double const> values) {
    add<double>(name, "float64", shape, values);
}

void ArrayMessage::add_bytes(std::string const& name, std::string_view dtype,
                             std::vector<index> const& shape, std::string bytes) {
    expects(payload_.size() % 8 == 0);
    arrays_.push_back(
        {{"name", name}, {"dtype", dtype}, {"shape", shape}, {"offset", payload_.size()}});
    payload_ = payload_.empty() ? std::move(bytes) : payload_ + bytes;
}

server::SharedMessage ArrayMessage::finish(Json header) const {
    header["arrays"] = arrays_;
    std::string text = dumped(header);
    text.append((8 - (4 + text.size()) % 8) % 8, ' ');
    auto message = std::make_shared<server::Message>();
    message->binary = true;
    message->bytes.reserve(4 + text.size() + payload_.size());
    for (unsigned shift = 0; shift < 32; shift += 8)
        message->bytes += static_cast<char>(text.size() >> shift & 0xffU);
    message->bytes += text;
    message->bytes += payload_;
    return message;
}

}  // namespace sluice::app
