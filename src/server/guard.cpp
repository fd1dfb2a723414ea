// Host, Origin and token.
// SPDX-License-Identifier: Apache-2.0
#include "server/guard.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace sluice::server {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::string percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        int const high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        int const low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace

std::string percent_encoded(std::string_view text) {
    std::string out;
    for (char const c : text) {
        bool const plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.' || c == '~';
        if (plain)
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find_first_of("?#"));
}

std::string token_of(std::string_view target) {
    std::size_t const question = target.find('?');
    if (question == std::string_view::npos) return {};
    std::string_view query = target.substr(question + 1);
    while (!query.empty()) {
        std::size_t const end = query.find('&');
        std::string_view const field = query.substr(0, end);
        if (field.starts_with("token=")) return percent_decoded(field.substr(6));
        if (end == std::string_view::npos) break;
        query.remove_prefix(end + 1);
    }
    return {};
}

bool same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned different = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        different |= static_cast<unsigned>(a[i] ^ b[i]) & 0xffU;
    return different == 0;
}

bool host_allowed(std::string_view host, Allowed const& allowed) {
    if (host.empty()) return false;
    // "[::1]:8800": the colon before a port comes after the bracket.
    std::size_t const bracket = host.rfind(']');
    std::size_t const colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
    std::string const name = lower(host.substr(0, colon));
    unsigned port = 80;
    if (colon != std::string_view::npos) {
        std::string_view const digits = host.substr(colon + 1);
        auto const [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), port);
        if (error != std::errc{} || end != digits.data() + digits.size()) return false;
    }
    if (allowed.any_host) return true;
    return port == allowed.port && std::ranges::find(allowed.hosts, name) != allowed.hosts.end();
}

bool origin_allowed(std::string_view origin, std::string_view host) {
    if (origin.empty()) return true;
    for (std::string_view const scheme : {"http://", "https://"})
        if (origin.starts_with(scheme) && lower(origin.substr(scheme.size())) == lower(host))
            return true;
    return false;
}

Result<std::string> random_token() {
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        return Error{Code::io, fmt::format("the system gave no random numbers ({}); choose a "
                                           "--token",
                                           std::strerror(errno))};
    std::string token;
    for (unsigned char const b : bytes) token += fmt::format("{:02x}", b);
    return token;
}

}  // namespace sluice::server
