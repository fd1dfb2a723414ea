// The names that a pickle may refer to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "format/weights/element.h"

namespace sluice::weights {

/// What a name stands for.
enum class Meaning : std::uint8_t {
    dict,             ///< collections.OrderedDict
    tensor,           ///< torch._utils._rebuild_tensor_v2 and its older form
    tensor_of_bytes,  ///< torch._utils._rebuild_tensor_v3: its element is said apart
    parameter,        ///< torch._utils._rebuild_parameter
    storage,          ///< torch.FloatStorage and so on; torch.storage.UntypedStorage
    element,          ///< torch.float32 and so on
    size,             ///< torch.Size
    set,              ///< builtins.set
    device,           ///< torch.device
    ignored,          ///< what trainers keep beside the weights; it is never made
};

struct Name {
    Meaning meaning;
    std::optional<Element> element = {};  ///< of a storage or an element; none: bytes
};

/// Names are numbered, so that a value holds one: its number, or nothing for what is not allowed.
std::optional<std::int64_t> number_of_name(std::string_view module, std::string_view name);
Name name_of_number(std::int64_t number);

/// Whether a name is of the scalars, paths, dates and settings that trainers keep beside the
/// weights. Nothing is made of it.
bool is_ignored_name(std::string_view module, std::string_view name);

/// The network whose own classes a module has, as "Demucs"; empty: none that is known.
std::string_view network_of_module(std::string_view module);

}  // namespace sluice::weights
