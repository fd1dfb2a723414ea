// JsonObject: the members of a JSON object as messages have them: numbers, texts and short lists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::net {

/// Nothing is kept of objects in the object, and of lists only natural numbers. Of two members of
/// one name the first counts.
class JsonObject {
  public:
    /// Longer texts, and those that lie deeper than 32 brackets, are errors.
    static Result<JsonObject> read(Bytes text, std::size_t most_bytes);

    std::optional<std::uint64_t> natural(std::string_view name) const;
    std::optional<double> number(std::string_view name) const;
    std::optional<std::string> text(std::string_view name) const;
    std::optional<bool> boolean(std::string_view name) const;
    /// Of at most 8 numbers.
    std::optional<std::vector<std::uint64_t>> naturals(std::string_view name) const;

  private:
    struct Reader;
    using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string,
                               std::vector<std::uint64_t>>;
    template <class T>
    T const* value(std::string_view name) const;

    std::vector<std::pair<std::string, Value>> members_ = {};
};

}  // namespace sluice::net
