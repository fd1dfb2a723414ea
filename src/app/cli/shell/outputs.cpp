// The command line and what reports are made of.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/outputs.h"

#include "save/provenance.h"

namespace sluice::cli {
namespace {

std::string& remembered() {
    static std::string text;
    return text;
}

}  // namespace

std::string text_of(Json const& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
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
