// Verb: a verb of the command line and its options. CLI11 stays behind it: its header takes seconds
// in every file that reads it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/field.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the name is that of CLI11
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

/// What a value of an option must be; the help names it.
struct Rule {
    enum class Kind { whole_range, range, one_of, positive, not_negative };
    Kind kind;
    double low = 0, high = 0;
    std::vector<std::string> words = {};
};

inline Rule in_range(int low, int high) {
    return {Rule::Kind::whole_range, static_cast<double>(low), static_cast<double>(high)};
}
inline Rule in_range(double low, double high) {
    return {Rule::Kind::range, low, high};
}
inline Rule one_of(std::vector<std::string> words) {
    return {.kind = Rule::Kind::one_of, .words = std::move(words)};
}
inline Rule positive() {
    return {Rule::Kind::positive};
}
inline Rule not_negative() {
    return {Rule::Kind::not_negative};
}

/// One option of a verb, as long as the program's parser lives. Each function returns the option.
class Option {
  public:
    explicit Option(CLI::Option* option) : option_(option) {}
    Option const* operator->() const { return this; }

    Option check(Rule const& rule) const;
    Option required() const;
    Option capture_default_str() const;
    /// A value holds several, with this between them.
    Option delimiter(char between) const;
    Option expected(int values) const;
    /// Each time it is given it takes one value; the next word is not another one.
    Option one_each() const;
    /// Without a value it gets an empty text.
    Option with_or_without_value() const;
    Option excludes(Option other) const;
    Option needs(std::string const& name) const;

  private:
    friend class Verb;
    CLI::Option* option_;
};

/// An option whose texts a function reads.
struct ValueOption {
    std::string name, what;
    std::string type = {};   ///< what the help calls its values; empty: it is a flag
    std::string usual = {};  ///< the value it has without being given
    bool several = false;    ///< values come with `between` between, or each on its own
    char between = ',';
    std::function<Status(std::string const& text)> read = {};
};

/// What an option takes of a field of a table.
struct FieldFacts {
    std::string_view name, option, what;
    config::Kind kind;
    std::vector<std::string> (*names)();
    config::Bounds bounds;
    std::string usual;
    char between = ',';
};
/// The option of a field, without what reads it. The help does not show a usual value that is out
/// of the bounds.
ValueOption option_of(FieldFacts const& field);
template <class T>
ValueOption option_of(config::Field<T> const& f, T const& usual) {
    return option_of(
        {f.name, f.option, f.what, f.kind, f.names, f.bounds, f.text(usual), f.between});
}

/// The exit code of a text that cannot be read; what() of the error is the whole message.
inline constexpr int unreadable_text = 65;

/// A verb, or a group of verbs, as long as the program's parser lives; it is copied freely.
class Verb {
  public:
    explicit Verb(CLI::App* app) : app_(app) {}
    Verb const* operator->() const { return this; }
    Verb operator*() const { return *this; }
    CLI::App& parser() const { return *app_; }

    /// The same verb, which adds options of some names by others: those that it has already mean
    /// something else. Also what errors call them.
    Verb calling(std::map<std::string, std::string> const& names) const;
    std::string called(std::string const& name) const;

    Verb add_subcommand(std::string const& name, std::string const& what) const;
    void require_subcommand(int most) const;
    void footer(std::string const& text) const;
    void callback(std::function<void()> run) const;

    /// Of whole numbers, floats, strings, and vectors and optionals of them (verb.cpp has the
    /// list).
    template <class T>
    Option add_option(std::string const& name, T& value, std::string const& what) const;
    Option add_flag(std::string const& name, bool& value, std::string const& what) const;
    Option add_flag_callback(std::string const& name, std::function<void()> given,
                             std::string const& what) const;
    Option add_value(ValueOption const& option) const;
    /// An option for a field of a table: --its-name, or --no-its-name of a flag that is usually
    /// set. `into` lives as long as the program's parser.
    template <class T>
    Option add_field(config::Field<T> const& field, T& into) const {
        bool const flag = field.kind == config::Kind::flag;
        ValueOption option = option_of(field, into);
        option.name = called(option.name);
        std::string const other = field.text(into) == "true" ? "false" : "true";
        option.read = [&into, flag, other, name = option.name, bounds = field.bounds,
                       read = field.read](std::string const& text) {
            return read({name, bounds}, flag ? other : text, into);
        };
        Option const added = add_value(option);
        return field.needed ? added.required() : added;
    }
    /// An option for a value of an enumeration, or for several, by their words.
    template <class Value>
    Option add_word(std::string const& name, Value& value, std::string const& what) const {
        ValueOption option = option_of({name,
                                        name,
                                        what,
                                        config::kind_of<Value>(),
                                        config::names_in<Value>(),
                                        {},
                                        config::value_text(value)});
        option.read = [name = called(name), &value](std::string const& text) {
            return config::read_value({name}, text, value);
        };
        return add_value(option);
    }
    /// An option for a number that texts give with its unit; 0 is not shown as its usual value.
    Option add_quantity(std::string const& name, double& value, config::Dimension dimension,
                        std::string const& what) const;
    /// All fields of a table, in its order.
    template <class T>
    void add_fields(config::Fields<T> fields, T& into) const {
        for (auto const& field : fields) add_field(field, into);
    }
    /// The option does not apply to this verb: who gives it hears why.
    void refuse(std::string const& name, std::string const& why) const;
    Option get_option(std::string const& name) const;
    void remove_option(Option option) const;

    /// The long names of all options that it has now, as "--threads".
    std::vector<std::string> names() const;
    struct Given {
        std::string option;               ///< its long name, as "--threads"
        std::vector<std::string> values;  ///< none of a flag
    };
    /// The options that the command line gave, once it was parsed.
    std::vector<Given> given() const;

  private:
    CLI::App* app_;
    std::shared_ptr<std::map<std::string, std::string> const> names_ = {};
};

}  // namespace sluice::cli
