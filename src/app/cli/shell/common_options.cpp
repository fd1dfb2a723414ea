// Adds the options that mean the same in every verb.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/common_options.h"

#include "app/cli/shell/bytes.h"

namespace sluice::cli {

namespace {

/// Adds an option where it applies, and refuses it where it does not.
template <class Add>
void add_one(Verb const& verb, std::string const& name, Use const& use, std::string const& usual,
             Add const& add) {
    if (use.kind == Use::Kind::refused) verb.refuse(name, use.text);
    if (use.kind == Use::Kind::applies) add(name, use.text.empty() ? usual : use.text);
}

}  // namespace

Use applies(std::string what) {
    return {Use::Kind::applies, std::move(what)};
}
Use refused(std::string why) {
    return {Use::Kind::refused, std::move(why)};
}
Use own() {
    return {Use::Kind::own, {}};
}

void CommonOptions::add(Verb const& verb, CommonUse const& use) {
    add_one(verb, "--threads", use.threads, "0: one per processor",
            [&](std::string const& name, std::string const& what) {
                verb.add_option(name, threads, what)->check(in_range(0, 1024));
            });
    add_one(verb, "--device", use.device,
            "cpu, reference, cuda, best, or an instruction set as cpu:avx2",
            [&](std::string const& name, std::string const& what) {
                verb.add_option(name, device, what)->capture_default_str();
            });
    add_one(verb, "--memory-limit", use.memory_limit, "memory to use at most, as in 500M or 4G",
            [&](std::string const& name, std::string const& what) {
                verb.add_value({.name = name,
                                .what = what,
                                .type = "BYTES",
                                .usual = memory_limit > 0 ? bytes_text(memory_limit) : "",
                                .read = [this](std::string const& text) -> Status {
                                    auto const bytes = parse_bytes(text);
                                    if (!bytes)
                                        return Error{bytes.error().code,
                                                     "--memory-limit " + bytes.error().message};
                                    memory_limit = *bytes;
                                    return {};
                                }});
            });
    add_one(verb, "--trace", use.trace,
            "write where the time goes, step by step, as t.json for https://ui.perfetto.dev or "
            "chrome://tracing",
            [&](std::string const& name, std::string const& what) { trace.add(verb, name, what); });
    add_one(
        verb, "--json", use.json, "print the report as JSON",
        [&](std::string const& name, std::string const& what) { verb.add_flag(name, json, what); });
}

Result<Device> CommonOptions::chosen_device() const {
    return Device::named(device, threads);
}

}  // namespace sluice::cli
