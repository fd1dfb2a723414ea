// Tables of a configuration, key by key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <toml.hpp>
#include <vector>

#include "config/quantity.h"
#include "sluice/result.h"

namespace sluice::config {

/// An error at a place of the file.
Error wrong(std::string const& file, toml::value const& at, std::string const& text);

/// Finds the keys of one table, and remembers which: keys that are left over are not known.
class Table {
  public:
    Table(std::string const& file, toml::value const& value, std::string name)
        : file_(file), value_(value), name_(std::move(name)) {}

    /// A number, a text, true or false, as fields read it. Whole numbers will do for all numbers.
    /// With a dimension it is a text that has a unit.
    Result<std::string> text_of(std::string const& key, toml::value const& value,
                                std::optional<Dimension> dimension = {}) const;
    /// Of a list that is not empty: its texts, with this between.
    Result<std::string> texts_of(std::string const& key, toml::value const& list, char between,
                                 std::optional<Dimension> dimension = {}) const;
    Status need(std::string const& key) const;
    toml::value const* find(std::string const& key);
    /// After all keys were asked for.
    Status nothing_else() const;
    Error error(std::string const& text) const { return wrong(file_, value_, text); }
    std::string const& file() const { return file_; }
    /// The key with the name of its table.
    std::string full(std::string const& key) const {
        return name_.empty() ? key : name_ + "." + key;
    }
    /// Where it begins in the file.
    std::uint_least32_t line() const { return value_.location().line(); }

  private:
    std::string const& file_;
    toml::value const& value_;
    std::string name_;
    std::vector<std::string> known_;
};

/// The table, or the list of tables, that a key has; null where it is not there.
Result<toml::value const*> table_at(Table& parent, std::string const& key, bool array);

}  // namespace sluice::config
