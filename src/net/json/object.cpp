// The members of a JSON object.
// SPDX-License-Identifier: Apache-2.0
#include "net/json/object.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace sluice::net {
namespace {

constexpr int most_depth = 32;
constexpr std::size_t most_naturals = 8;

}  // namespace

/// Hears the text piece by piece, so that no tree is built of it; a no ends the reading.
struct JsonObject::Reader : nlohmann::json_sax<nlohmann::json> {
    JsonObject& object;
    int depth = 0;
    bool in_list = false;  // of a member, directly
    std::string name;
    std::vector<std::uint64_t> list;
    bool list_counts = false;
    std::string wrong;

    explicit Reader(JsonObject& to) : object(to) {}

    bool put(Value value) {
        if (depth == 0) return fail("no object");
        if (depth == 1)
            object.members_.emplace_back(std::move(name), std::move(value));
        else if (in_list && depth == 2) {
            auto const* const n = std::get_if<std::uint64_t>(&value);
            list_counts = list_counts && n && list.size() < most_naturals;
            if (list_counts) list.push_back(*n);
        }
        return true;
    }
    bool fail(std::string why) {
        wrong = std::move(why);
        return false;
    }
    bool deeper() { return ++depth <= most_depth || fail("brackets in brackets"); }

    bool null() override { return put({}); }
    bool boolean(bool b) override { return put(b); }
    bool number_integer(number_integer_t n) override { return put(static_cast<double>(n)); }
    bool number_unsigned(number_unsigned_t n) override { return put(std::uint64_t{n}); }
    bool number_float(number_float_t x, string_t const& /*text*/) override { return put(x); }
    bool string(string_t& text) override {
        return depth == 1 ? put(std::move(text)) : put(std::string());
    }
    bool binary(binary_t& /*bytes*/) override { return put({}); }
    bool key(string_t& text) override {
        if (depth == 1) name = std::move(text);
        return true;
    }
    bool start_object(std::size_t /*size*/) override {
        if (in_list && depth == 2) list_counts = false;
        return deeper();
    }
    bool end_object() override {
        --depth;
        return true;
    }
    bool start_array(std::size_t /*size*/) override {
        if (depth == 0) return fail("no object");
        if (in_list && depth == 2) list_counts = false;
        if (depth == 1) in_list = list_counts = true, list.clear();
        return deeper();
    }
    bool end_array() override {
        if (--depth == 1) {
            in_list = false;
            return put(list_counts ? Value(std::move(list)) : Value());
        }
        return true;
    }
    bool parse_error(std::size_t at, std::string const& /*token*/,
                     nlohmann::detail::exception const& /*what*/) override {
        return fail(fmt::format("byte {} is no JSON", at));
    }
};

Result<JsonObject> JsonObject::read(Bytes text, std::size_t most_bytes) {
    if (text.size() > most_bytes)
        return Error{Code::corrupt, fmt::format("a JSON text of {} bytes (there are {} at most)",
                                                text.size(), most_bytes)};
    JsonObject object;
    Reader reader(object);
    auto const* const begin = reinterpret_cast<char const*>(text.data());
    if (!nlohmann::json::sax_parse(begin, begin + text.size(), &reader))
        return Error{Code::corrupt, fmt::format("what is no JSON object ({})", reader.wrong)};
    return object;
}

template <class T>
T const* JsonObject::value(std::string_view name) const {
    for (auto const& [its, value] : members_)
        if (its == name) return std::get_if<T>(&value);
    return nullptr;
}

std::optional<std::uint64_t> JsonObject::natural(std::string_view name) const {
    auto const* const n = value<std::uint64_t>(name);
    return n ? std::optional(*n) : std::nullopt;
}

std::optional<double> JsonObject::number(std::string_view name) const {
    if (auto const n = natural(name)) return static_cast<double>(*n);
    auto const* const x = value<double>(name);
    return x ? std::optional(*x) : std::nullopt;
}

std::optional<std::string> JsonObject::text(std::string_view name) const {
    auto const* const text = value<std::string>(name);
    return text ? std::optional(*text) : std::nullopt;
}

std::optional<bool> JsonObject::boolean(std::string_view name) const {
    auto const* const b = value<bool>(name);
    return b ? std::optional(*b) : std::nullopt;
}

std::optional<std::vector<std::uint64_t>> JsonObject::naturals(std::string_view name) const {
    auto const* const list = value<std::vector<std::uint64_t>>(name);
    return list ? std::optional(*list) : std::nullopt;
}

}  // namespace sluice::net
