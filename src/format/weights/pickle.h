// Pickles as PyTorch writes them, read as data: nothing is called, nothing is imported.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/weights/element.h"
#include "sluice/result.h"

namespace sluice::weights {

/// A value of a pickle. Values refer to each other by their number in Pickle::values, so that
/// cycles and a depth without end cost nothing.
struct Value {
    enum class Kind : std::uint8_t {
        none,
        boolean,  ///< `number`
        integer,  ///< `number`; of more than 64 bits: opaque
        real,     ///< opaque: no reader asks for it
        text,     ///< `text`, in the pickle's bytes
        tuple,    ///< `items`
        list,     ///< `items`
        dict,     ///< `items`: keys and values in turn
        name,     ///< `number`: an entry of the list of allowed names
        storage,  ///< `number`: of Pickle::storages
        tensor,   ///< `number`: of Pickle::tensors
        opaque,   ///< something that says nothing about tensors
    };
    Kind kind = Kind::none;
    std::int64_t number = 0;
    std::string_view text = {};
    std::vector<std::uint32_t> items = {};
};

/// Numbers in a row that tensors view.
struct Storage {
    std::string key;
    std::optional<Element> element;  ///< none: bytes
    std::uint64_t bytes = 0;
};

/// A view on a storage.
struct TensorView {
    std::size_t storage = 0;
    Element element = Element::f32;
    index offset = 0;  ///< of its first number, in numbers
    std::vector<index> shape = {}, strides = {};
};

struct Pickle {
    std::vector<Value> values;
    std::uint32_t root = 0;
    std::vector<Storage> storages;
    std::vector<TensorView> tensors;
    std::vector<std::string> ignored;  ///< names of what trainers keep beside weights, each once
    std::size_t size = 0;              ///< of its bytes

    Value const& top() const { return values[root]; }
};

/// The longest pickle that is read. PyTorch writes about 150 bytes for a tensor.
constexpr std::uint64_t most_pickle = 16 << 20;

/// Reads the pickle that `bytes` begin with, which must outlive the result. Errors call the file
/// `name` and count from `at`. Views lie within their storages.
Result<Pickle> read_pickle(Bytes bytes, std::string const& name, std::uint64_t at);

}  // namespace sluice::weights
