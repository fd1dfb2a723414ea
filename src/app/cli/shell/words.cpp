// What was meant by a command line that names no command or option.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/nearest.h"

namespace sluice::cli {
namespace {

std::vector<std::string> commands_of(CLI::App const& app) {
    std::vector<std::string> names;
    for (CLI::App const* const sub : app.get_subcommands([](CLI::App const*) { return true; }))
        names.push_back(sub->get_name());
    return names;
}

// Those that the help has; refused ones have no group there.
std::vector<std::string> options_of(CLI::App const& app) {
    std::vector<std::string> names;
    for (CLI::Option const* const o : app.get_options())
        if (!o->get_group().empty())
            for (std::string const& name : o->get_lnames()) names.push_back("--" + name);
    return names;
}

CLI::App const* command_of(CLI::App const& app, std::string const& name) {
    for (CLI::App const* const sub : app.get_subcommands([](CLI::App const*) { return true; }))
        if (sub->check_name(name)) return sub;
    return nullptr;
}

// The words before the one that is asked about.
std::string path_of(std::vector<std::string> const& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

// Commands that have another name now, each with the words that do the same.
constexpr std::pair<std::string_view, std::string_view> renamed[] = {{"bench", "stem4d benchmark"}};

// Also a command of a command: who knows its name may not know whose it is.
std::string no_command(std::string const& word, std::string const& path, CLI::App const& app) {
    auto const known = commands_of(app);
    for (auto const& [old, now] : renamed)
        if (word == old && path == "sluice")
            return fmt::format(
                "`sluice {}` is called `sluice {}` now; give that, the rest of the "
                "line stays",
                old, now);
    std::vector<std::string> names = known, paths = known;
    for (std::string const& name : known)
        for (std::string const& below : commands_of(*command_of(app, name))) {
            names.push_back(below);
            paths.push_back(name + " " + below);
        }
    auto const at = std::ranges::find(names, nearest(word, names)) - names.begin();
    return fmt::format("'{}' is not a command of `{}`; did you mean `{} {}`? (there are {})", word,
                       path, path, paths[static_cast<std::size_t>(at)], fmt::join(known, ", "));
}

// Options that have another name now: one word means one thing in all commands.
struct RenamedOption {
    std::string_view command, old, now;
};
constexpr RenamedOption renamed_options[] = {{"sluice proton dvh", "--mask", "--structure"},
                                             {"sluice proton dvh", "--scale", "--factor"},
                                             {"sluice proton gamma", "--scale", "--factor"},
                                             {"sluice slide convert", "--fill", "--background"},
                                             {"sluice slide convert", "--layout", "--arrange"},
                                             {"sluice slide convert", "--overwrite", "--force"},
                                             {"sluice slide read", "--workers", "--threads"},
                                             {"sluice synth arina", "--layout", "--file-layout"}};

std::optional<std::string> no_option(std::string word, std::string const& path,
                                     CLI::App const& app) {
    auto const known = options_of(app);
    word = word.substr(0, word.find('='));
    for (RenamedOption const& r : renamed_options)
        if (path == r.command && word == r.old)
            return fmt::format("{} of `{}` is called {} now; give that", word, path, r.now);
    if (!word.starts_with("--") || known.empty() || app.get_option_no_throw(word)) return {};
    return fmt::format("'{}' is not an option of `{}`; did you mean {}? (`{} --help` has all)",
                       word, path, nearest(word, known), path);
}

}  // namespace

std::optional<std::string> explain_words(CLI::App const& program, int argc,
                                         char const* const* argv) {
    CLI::App const* app = &program;
    std::vector<std::string> path = {program.get_name()};
    int i = 1;
    for (; i < argc && !commands_of(*app).empty(); ++i) {
        std::string const word = argv[i];
        if (word.starts_with('-')) {
            if (auto text = no_option(word, path_of(path), *app)) return text;
            continue;
        }
        CLI::App const* const next = command_of(*app, word);
        if (!next) return no_command(word, path_of(path), *app);
        app = next;
        path.push_back(word);
    }
    if (auto const known = commands_of(*app); !known.empty())
        return fmt::format("`{}` needs a command; there are {} (`{} --help` has examples)",
                           path_of(path), fmt::join(known, ", "), path_of(path));
    for (; i < argc && std::string_view(argv[i]) != "--"; ++i)
        if (auto text = no_option(argv[i], path_of(path), *app)) return text;
    return {};
}

}  // namespace sluice::cli
