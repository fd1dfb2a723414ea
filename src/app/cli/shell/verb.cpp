// Verbs and their options, by CLI11.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/verb.h"

#include <CLI/CLI.hpp>
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

}  // namespace

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
            option_->check(number("POSITIVE", "no number above 0", [](double v) { return v > 0; }));
            break;
        case Rule::Kind::not_negative:
            option_->check(
                number("NONNEGATIVE", "no number of 0 or more", [](double v) { return v >= 0; }));
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
    return Option(app_->add_option(name, value, what));
}
Option Verb::add_flag(std::string const& name, bool& value, std::string const& what) const {
    return Option(app_->add_flag(name, value, what));
}
Option Verb::add_flag_callback(std::string const& name, std::function<void()> given,
                               std::string const& what) const {
    return Option(app_->add_flag_callback(name, std::move(given), what));
}
Option Verb::get_option(std::string const& name) const {
    return Option(app_->get_option(name));
}
void Verb::remove_option(Option option) const {
    app_->remove_option(option.option_);
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
