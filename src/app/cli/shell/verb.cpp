// Verbs and their options, by CLI11.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace sluice::cli {

namespace {

// CLI11's own checks print the largest double with all its digits.
CLI::Validator number(char const* name, std::string const& lacks, bool (*good)(double)) {
    return {[lacks, good](std::string& text) {
                double value = 0;
                bool const read = CLI::detail::lexical_cast(text, value);
                return read && std::isfinite(value) && good(value)
                           ? std::string()
                           : "Value " + text + " is " + lacks;
            },
            name};
}

std::string path_of(CLI::App const& app) {
    std::string const& name = app.get_name();
    return app.get_parent() ? path_of(*app.get_parent()) + " " + name : name;
}

[[noreturn]] void refuse_text(Error const& error) {
    throw CLI::ParseError(error.text(), unreadable_text);
}

// As CLI11 names the values of its own options.
std::string type_of(FieldFacts const& field) {
    using config::Kind;
    std::string type = field.kind == Kind::whole    ? "INT"
                       : field.kind == Kind::number ? "FLOAT"
                                                    : "TEXT";
    bool const from = std::isfinite(field.bounds.least), to = std::isfinite(field.bounds.most);
    if (field.names) type += fmt::format(":{{{}}}", fmt::join(field.names(), ","));
    if (from && to) type += fmt::format(" in [{} - {}]", field.bounds.least, field.bounds.most);
    if (from && !to) type += field.bounds.above ? ":POSITIVE" : ":NONNEGATIVE";
    return type;
}

// A number that the field refuses says that something else decides.
std::string usual_of(FieldFacts const& field) {
    using config::Kind;
    if (field.kind == Kind::flag) return {};
    double number = 0;
    bool const numbers = field.kind == Kind::whole || field.kind == Kind::number;
    if (numbers && !config::read_value({field.name, field.bounds}, field.usual, number)) return {};
    return field.usual;
}

}  // namespace

ValueOption option_of(FieldFacts const& field) {
    bool const flag = field.kind == config::Kind::flag;
    std::string name(field.option);
    if (name.empty()) {
        name = fmt::format("--{}{}", flag && field.usual == "true" ? "no-" : "", field.name);
        std::ranges::replace(name, '_', '-');
    }
    return {.name = name,
            .what = std::string(field.what),
            .type = flag ? "" : type_of(field),
            .usual = usual_of(field),
            .several = field.kind == config::Kind::list,
            .between = field.between};
}

Option Option::check(Rule const& rule) const {
    switch (rule.kind) {
        case Rule::Kind::whole_range:
            option_->check(CLI::Range(static_cast<int>(rule.low), static_cast<int>(rule.high)));
            break;
        case Rule::Kind::range:
            option_->check(CLI::Range(rule.low, rule.high));
            break;
        case Rule::Kind::one_of:
            option_->check(CLI::IsMember(rule.words));
            break;
        case Rule::Kind::positive:
            option_->check(
                number("POSITIVE", "not a number above 0", [](double v) { return v > 0; }));
            break;
        case Rule::Kind::not_negative:
            option_->check(number("NONNEGATIVE", "not a number of 0 or more",
                                  [](double v) { return v >= 0; }));
            break;
    }
    return *this;
}

Option Option::required() const {
    return Option(option_->required());
}
Option Option::capture_default_str() const {
    return Option(option_->capture_default_str());
}
Option Option::delimiter(char between) const {
    return Option(option_->delimiter(between));
}
Option Option::expected(int values) const {
    return Option(option_->expected(values));
}
Option Option::one_each() const {
    option_->allow_extra_args(false);
    return *this;
}
Option Option::with_or_without_value() const {
    return Option(option_->expected(0, 1));
}
Option Option::excludes(Option other) const {
    return Option(option_->excludes(other.option_));
}
Option Option::needs(std::string const& name) const {
    return Option(option_->needs(name));
}

Verb Verb::calling(std::map<std::string, std::string> const& names) const {
    Verb other = *this;
    other.names_ = std::make_shared<std::map<std::string, std::string> const>(names);
    return other;
}
std::string Verb::called(std::string const& name) const {
    if (!names_) return name;
    auto const found = names_->find(name);
    return found == names_->end() ? name : found->second;
}

Verb Verb::add_subcommand(std::string const& name, std::string const& what) const {
    return Verb(app_->add_subcommand(name, what));
}
void Verb::require_subcommand(int most) const {
    app_->require_subcommand(most);
}
void Verb::footer(std::string const& text) const {
    app_->footer(text);
}
void Verb::callback(std::function<void()> run) const {
    app_->callback(std::move(run));
}

template <class T>
Option Verb::add_option(std::string const& name, T& value, std::string const& what) const {
    return Option(app_->add_option(called(name), value, what));
}
Option Verb::add_flag(std::string const& name, bool& value, std::string const& what) const {
    return Option(app_->add_flag(called(name), value, what));
}
Option Verb::add_flag_callback(std::string const& name, std::function<void()> given,
                               std::string const& what) const {
    return Option(app_->add_flag_callback(called(name), std::move(given), what));
}
Option Verb::add_value(ValueOption const& option) const {
    auto const read = [read = option.read](std::string const& text) {
        if (auto const status = read(text); !status) refuse_text(status.error());
    };
    if (option.type.empty())
        return add_flag_callback(
            option.name, [read] { read({}); }, option.what);
    CLI::Option* const added =
        option.several ? app_->add_option_function<std::vector<std::string>>(
                             called(option.name),
                             [read, between = option.between](auto const& texts) {
                                 read(fmt::format("{}", fmt::join(texts, std::string(1, between))));
                             },
                             option.what)
                       : app_->add_option_function<std::string>(option.name, read, option.what);
    added->type_name(option.type);
    // Files may follow a list: each time it is given it takes one text.
    if (option.several) added->allow_extra_args(false);
    if (!option.usual.empty()) added->default_str(option.usual);
    return Option(added);
}
Option Verb::add_quantity(std::string const& name, double& value, config::Dimension dimension,
                          std::string const& what) const {
    return add_value({.name = name,
                      .what = what,
                      .type = "TEXT",
                      .usual = value != 0 ? config::quantity_text(value, dimension) : "",
                      .read = [name = called(name), &value, dimension](std::string const& text) {
                          return config::read_quantity({name}, text, dimension, value);
                      }});
}
void Verb::refuse(std::string const& name, std::string const& why) const {
    std::string const message = fmt::format("{} (`{}` {}) leave it out", name, path_of(*app_), why);
    app_->add_option_function<std::string>(
            name,
            [message](std::string const& /*text*/) {
                refuse_text({Code::invalid_argument, message});
            },
            why)
        ->expected(0, 1)
        ->group("");
}
Option Verb::get_option(std::string const& name) const {
    return Option(app_->get_option(called(name)));
}
void Verb::remove_option(Option option) const {
    app_->remove_option(option.option_);
}

std::vector<std::string> Verb::names() const {
    std::vector<std::string> all;
    for (CLI::Option const* const o : app_->get_options())
        for (std::string const& name : o->get_lnames()) all.push_back("--" + name);
    return all;
}

std::vector<Verb::Given> Verb::given() const {
    std::vector<Given> all;
    for (CLI::Option const* const o : app_->get_options()) {
        if (o->count() == 0 || o->get_lnames().empty()) continue;
        Given& given = all.emplace_back();
        given.option = "--" + o->get_lnames().front();
        if (o->get_items_expected_max() > 0) given.values = o->results();
    }
    return all;
}

#define SLUICE_OPTION_OF(...)                                                       \
    template Option Verb::add_option<__VA_ARGS__>(std::string const&, __VA_ARGS__&, \
                                                  std::string const&) const
SLUICE_OPTION_OF(int);
SLUICE_OPTION_OF(std::int64_t);
SLUICE_OPTION_OF(std::uint64_t);
SLUICE_OPTION_OF(std::optional<std::uint16_t>);
SLUICE_OPTION_OF(double);
SLUICE_OPTION_OF(std::string);
SLUICE_OPTION_OF(std::optional<int>);
SLUICE_OPTION_OF(std::optional<std::int64_t>);
SLUICE_OPTION_OF(std::optional<double>);
SLUICE_OPTION_OF(std::optional<std::string>);
SLUICE_OPTION_OF(std::vector<int>);
SLUICE_OPTION_OF(std::vector<std::int64_t>);
SLUICE_OPTION_OF(std::vector<double>);
SLUICE_OPTION_OF(std::vector<std::string>);

}  // namespace sluice::cli
