// TOML files: read whole, parsed, and errors that name the line.
// SPDX-License-Identifier: Apache-2.0
#include "config/parse.h"

#include <fmt/format.h>

#include <sstream>

#include "base/file.h"
#include "base/utf8.h"

namespace sluice::config {
namespace {

// toml11 3.7.1 reads beyond its buffer where a text in single quotes is no UTF-8.
Status check_utf8(std::string_view text, std::string const& name) {
    index line = 1;
    while (!text.empty()) {
        line += text.front() == '\n';
        if (next_character(text) == not_utf8)
            return Error{Code::corrupt,
                         fmt::format("line {}: is not UTF-8, which TOML is; save it as that", line),
                         name};
    }
    return {};
}

}  // namespace

Result<std::string> read_text(std::string const& path) {
    auto const bytes = read_file(path, 1 << 20);
    if (!bytes && bytes.error().code == Code::not_found)
        return Error{Code::not_found, "cannot be read; give a TOML file", path};
    if (!bytes && bytes.error().code == Code::unsupported)
        return Error{Code::unsupported,
                     "is larger than 1 MB (no configuration is) give a TOML file", path};
    if (!bytes) return bytes.error();
    return std::string(reinterpret_cast<char const*>(bytes->data()), bytes->size());
}

Result<toml::value> parse(std::string const& text, std::string const& name) {
    SLUICE_CHECK(check_utf8(text, name));
    try {
        std::istringstream stream(text);
        return toml::parse(stream, name);
    } catch (toml::syntax_error const& error) {
        std::string what = error.what();
        // The first line says what, the others draw it.
        what = what.substr(0, what.find('\n'));
        return Error{Code::corrupt,
                     fmt::format("line {}: is not TOML ({})", error.location().line(), what), name};
    } catch (std::exception const& error) {
        return Error{Code::corrupt, fmt::format("is not TOML ({})", error.what()), name};
    }
}

}  // namespace sluice::config
