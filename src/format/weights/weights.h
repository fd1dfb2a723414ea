// Named tensors out of the files that models are published as, read as data and nothing else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/weights/element.h"
#include "sluice/result.h"
#include "sluice/source.h"

namespace sluice::weights {

struct Tensor {
    std::string name;
    Element element = Element::f32;
    std::vector<index> shape = {};
    std::vector<index> strides = {};  ///< in numbers, one for each dimension
    std::uint64_t at = 0;             ///< of its first number in the file
    std::uint32_t crc = 0;            ///< CRC-32 of the bytes that it spans; 0: none is known

    index size() const {
        index n = 1;
        for (index const e : shape) n *= e;
        return n;
    }
    /// Numbers from the first to the last in the file.
    index span() const {
        index n = size() > 0 ? 1 : 0;
        for (std::size_t d = 0; n > 0 && d < shape.size(); ++d) n += (shape[d] - 1) * strides[d];
        return n;
    }
};

/// The most tensors that are read of a file; networks of this program have some hundreds.
inline constexpr std::size_t most_tensors = 100'000;

enum class Container : std::uint8_t { torch_zip, torch_legacy, safetensors };
std::string_view name_of(Container container);
/// By the first bytes, 16 of them or more: any ZIP archive, a checkpoint before PyTorch 1.6, or
/// JSON where safetensors has its own. Empty where the file is of another kind.
std::optional<Container> container_of(Bytes first);

/// What a file has. All tensors lie within it.
struct Weights {
    std::shared_ptr<Source const> file;
    Container container = Container::torch_zip;
    std::vector<Tensor> tensors;                  ///< in the order of the file
    std::map<std::string, std::string> metadata;  ///< of safetensors
    std::vector<std::string> notes;               ///< what was taken out of which wrapping

    Tensor const* find(std::string_view name) const;
};

/// Opens a PyTorch checkpoint or a safetensors file, by its first bytes. Reads what describes the
/// tensors, not their numbers.
Result<Weights> open_weights(std::string const& path);
Result<Weights> read_weights(std::shared_ptr<Source const> file);

/// The numbers of a tensor, dense and row by row, as they are stored: little-endian. An error if
/// they differ from what a zip archive says of them; it does of tensors that are all of a storage.
Result<std::vector<std::byte>> read_tensor(Weights const& weights, Tensor const& tensor);

}  // namespace sluice::weights
