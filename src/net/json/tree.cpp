// A tree is built once it is known how large it is.
// SPDX-License-Identifier: Apache-2.0
#include "net/json/tree.h"

#include <fmt/format.h>

namespace sluice::net {
namespace {

constexpr int deepest = 32;
constexpr std::size_t most_values = 1'000'000;

/// Counts; a no ends the reading.
struct Counter : nlohmann::json_sax<nlohmann::json> {
    int depth = 0;
    std::size_t values = 0;
    std::string wrong;

    bool fail(std::string why) {
        wrong = std::move(why);
        return false;
    }
    bool one() { return ++values <= most_values || fail("more than a million values"); }
    bool deeper() {
        return one() && (++depth <= deepest || fail("brackets in more than 32 brackets"));
    }

    bool null() override { return one(); }
    bool boolean(bool /*b*/) override { return one(); }
    bool number_integer(number_integer_t /*n*/) override { return one(); }
    bool number_unsigned(number_unsigned_t /*n*/) override { return one(); }
    bool number_float(number_float_t /*x*/, string_t const& /*text*/) override { return one(); }
    bool string(string_t& /*text*/) override { return one(); }
    bool binary(binary_t& /*bytes*/) override { return one(); }
    bool key(string_t& /*text*/) override { return true; }
    bool start_object(std::size_t /*size*/) override { return deeper(); }
    bool end_object() override { return --depth >= 0; }
    bool start_array(std::size_t /*size*/) override { return deeper(); }
    bool end_array() override { return --depth >= 0; }
    bool parse_error(std::size_t at, std::string const& /*token*/,
                     nlohmann::detail::exception const& /*what*/) override {
        return fail(fmt::format("byte {} is no JSON", at));
    }
};

}  // namespace

Result<nlohmann::json> read_json(std::string_view text) {
    Counter counter;
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &counter))
        return Error{Code::corrupt, fmt::format("what is no JSON ({})", counter.wrong)};
    return nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
}

std::string plain_text(nlohmann::json const& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace sluice::net
