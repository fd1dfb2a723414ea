// Messages of the viewer's protocol (docs/protocol.md): JSON, with arrays behind it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "server/outbox.h"
#include "sluice/view.h"

namespace sluice::app {

using Json = nlohmann::ordered_json;

/// A JSON text; bytes that are not UTF-8 (a path can hold anything) are replaced.
server::SharedMessage text_message(Json const& json);

/// Collects the arrays of one binary message.
class ArrayMessage {
  public:
    /// Whole numbers in the smallest dtype that holds them exactly, others as float32 unless that
    /// would round a count.
    void add_counts(std::string const& name, std::vector<index> const& shape,
                    std::span<double const> values);
    /// Rounded to float32: for values that are measured and not counted.
    void add_floats(std::string const& name, std::vector<index> const& shape,
                    std::span<double const> values);
    /// As float64: where rounding would show.
    void add_doubles(std::string const& name, std::vector<index> const& shape,
                     std::span<double const> values);
    /// Values that are laid out already; the last array of its message.
    void add_bytes(std::string const& name, std::string_view dtype, std::vector<index> const& shape,
                   std::string bytes);

    server::SharedMessage finish(Json header) const;

  private:
    template <class T>
    void add(std::string const& name, std::string_view dtype, std::vector<index> const& shape,
             std::span<double const> values);

    Json arrays_ = Json::array();
    std::string payload_;
};

}  // namespace sluice::app
