// The command line and what reports are made of.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/outputs.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "save/provenance.h"

namespace sluice::cli {
namespace {

std::string& remembered() {
    static std::string text;
    return text;
}

}  // namespace

// JSON allows DEL and the control characters of Latin-1, which terminals obey.
std::string text_of(Json const& json) {
    std::string const text = json.dump(2, ' ', false, Json::error_handler_t::replace);
    std::string out;
    for (std::string_view left = text; !left.empty();) {
        std::string_view const from = left;
        char32_t const c = next_character(left);
        if (c >= 0x7f && c < 0xa0)
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            out += from.substr(0, from.size() - left.size());
    }
    return out;
}

std::string const& command_line() {
    return remembered();
}

void remember_command(int argc, char** argv) {
    std::string& text = remembered();
    text = "sluice";
    for (int i = 1; i < argc; ++i) text += std::string(" ") + argv[i];
}

Provenance provenance_of(std::vector<std::string> const& sources) {
    return sluice::provenance_of(remembered(), sources);
}

Json to_json(Provenance const& provenance) {
    Json j = Json::object();
    for (auto const& [name, value] : save::tidy(provenance).fields) j[name] = value;
    return j;
}

}  // namespace sluice::cli
