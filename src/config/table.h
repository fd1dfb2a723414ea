// Tables of a configuration, key by key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <toml.hpp>
#include <vector>

#include "config/quantity.h"
#include "sluice/result.h"

namespace sluice::config {

/// An error at a place of the file.
Error wrong(std::string const& file, toml::value const& at, std::string const& text);

/// Reads the keys of one table, and remembers which: keys that are left over are not known. Each
/// reader leaves `out` as it is where the key is not there.
class Table {
  public:
    Table(std::string const& file, toml::value const& value, std::string name)
        : file_(file), value_(value), name_(std::move(name)) {}

    Status quantity(std::string const& key, Dimension dimension, double& out);
    /// One, or a list of them.
    Status quantities(std::string const& key, Dimension dimension, std::vector<double>& out);
    Status number(std::string const& key, double& out);
    Status flag(std::string const& key, bool& out);
    Status text(std::string const& key, std::string& out);
    /// A number, a text, true or false, as fields read it. Whole numbers will do for all numbers.
    Result<std::string> text_of(std::string const& key, toml::value const& value) const;
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
    Result<double> quantity(std::string const& key, Dimension dimension,
                            toml::value const& value) const;
};

/// The table, or the list of tables, that a key has; null where it is not there.
Result<toml::value const*> table_at(Table& parent, std::string const& key, bool array);

}  // namespace sluice::config
