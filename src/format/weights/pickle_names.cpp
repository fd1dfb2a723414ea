// The names that a pickle may refer to: every other one is refused.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/pickle_names.h"

namespace sluice::weights {
namespace {

struct Allowed {
    std::string_view module, name;
    Meaning meaning;
};
constexpr std::array<Allowed, 13> allowed = {{
    {"collections", "OrderedDict", Meaning::dict},
    {"torch._utils", "_rebuild_tensor_v2", Meaning::tensor},
    {"torch._utils", "_rebuild_tensor", Meaning::tensor},
    {"torch._utils", "_rebuild_tensor_v3", Meaning::tensor_of_bytes},
    {"torch._utils", "_rebuild_parameter", Meaning::parameter},
    {"torch.storage", "UntypedStorage", Meaning::storage},
    {"torch", "UntypedStorage", Meaning::storage},
    {"torch", "Size", Meaning::size},
    {"torch", "device", Meaning::device},
    {"builtins", "set", Meaning::set},
    {"__builtin__", "set", Meaning::set},
    {"builtins", "frozenset", Meaning::set},
    {"__builtin__", "frozenset", Meaning::set},
}};
constexpr auto first_storage = static_cast<std::int64_t>(allowed.size());
constexpr auto first_element = first_storage + static_cast<std::int64_t>(elements.size());

}  // namespace

std::optional<std::int64_t> number_of_name(std::string_view module, std::string_view name) {
    for (std::size_t i = 0; i < allowed.size(); ++i)
        if (allowed[i].module == module && allowed[i].name == name)
            return static_cast<std::int64_t>(i);
    if (module != "torch") return {};
    if (auto const e = element_of(name, &ElementNames::storage))
        return first_storage + static_cast<std::int64_t>(*e);
    if (auto const e = element_of(name, &ElementNames::name))
        return first_element + static_cast<std::int64_t>(*e);
    return {};
}

Name name_of_number(std::int64_t number) {
    if (number >= first_element)
        return {Meaning::element, static_cast<Element>(number - first_element)};
    if (number >= first_storage)
        return {Meaning::storage, static_cast<Element>(number - first_storage)};
    return {allowed[static_cast<std::size_t>(number)].meaning};
}

}  // namespace sluice::weights
