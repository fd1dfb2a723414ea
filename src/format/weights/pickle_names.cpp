// The names that a pickle may refer to: every other one is refused.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/pickle_names.h"

#include <algorithm>
#include <array>

namespace sluice::weights {
namespace {

struct Allowed {
    std::string_view module, name;
    Meaning meaning;
};
constexpr std::array<Allowed, 15> allowed = {{
    {"collections", "OrderedDict", Meaning::dict},
    {"torch._utils", "_rebuild_tensor_v2", Meaning::tensor},
    {"torch._utils", "_rebuild_tensor", Meaning::tensor},
    {"torch._utils", "_rebuild_tensor_v3", Meaning::tensor_of_bytes},
    {"torch._utils", "_rebuild_parameter", Meaning::parameter},
    {"torch._utils", "_rebuild_parameter_with_state", Meaning::parameter},
    {"torch.storage", "UntypedStorage", Meaning::storage},
    {"torch", "UntypedStorage", Meaning::storage},
    {"torch", "Size", Meaning::size},
    {"torch", "device", Meaning::device},
    {"builtins", "set", Meaning::set},
    {"__builtin__", "set", Meaning::set},
    {"builtins", "frozenset", Meaning::set},
    {"__builtin__", "frozenset", Meaning::set},
    {"", "", Meaning::ignored},
}};

struct Beside {
    std::string_view module, name;  ///< no name: all of the module and those below it
};
constexpr std::array<Beside, 40> beside = {{
    {"numpy", "dtype"},
    {"numpy", "ndarray"},
    {"numpy.dtypes", ""},
    {"numpy.core.multiarray", "scalar"},
    {"numpy._core.multiarray", "scalar"},
    {"numpy.core.multiarray", "_reconstruct"},
    {"numpy._core.multiarray", "_reconstruct"},
    {"numpy._core.numeric", "_frombuffer"},
    {"numpy.core.numeric", "_frombuffer"},
    {"_codecs", "encode"},
    {"argparse", "Namespace"},
    {"types", "SimpleNamespace"},
    {"collections", "defaultdict"},
    {"collections", "deque"},
    {"collections", "Counter"},
    {"datetime", ""},
    {"decimal", "Decimal"},
    {"uuid", "UUID"},
    {"pathlib", ""},
    {"typing", "Any"},
    {"builtins", "int"},
    {"builtins", "float"},
    {"builtins", "bool"},
    {"builtins", "str"},
    {"builtins", "list"},
    {"builtins", "dict"},
    {"builtins", "tuple"},
    {"builtins", "complex"},
    {"builtins", "bytes"},
    {"builtins", "bytearray"},
    {"builtins", "slice"},
    {"builtins", "range"},
    {"torch.torch_version", "TorchVersion"},
    {"ml_collections.config_dict", ""},
    {"omegaconf", ""},
    {"yacs.config", "CfgNode"},
    {"easydict", "EasyDict"},
    {"addict.addict", "Dict"},
    {"lightning_fabric.utilities.data", "AttributeDict"},
    {"pytorch_lightning.utilities.parsing", "AttributeDict"},
}};

// Python 2 calls it otherwise.
std::string_view module_today(std::string_view module) {
    return module == "__builtin__" ? std::string_view("builtins") : module;
}
constexpr auto first_storage = static_cast<std::int64_t>(allowed.size());
constexpr auto first_element = first_storage + static_cast<std::int64_t>(elements.size());

}  // namespace

std::optional<std::int64_t> number_of_name(std::string_view module, std::string_view name) {
    for (std::size_t i = 0; i < allowed.size(); ++i)
        if (allowed[i].module == module && allowed[i].name == name)
            return static_cast<std::int64_t>(i);
    if (is_ignored_name(module, name)) return static_cast<std::int64_t>(allowed.size() - 1);
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

bool is_ignored_name(std::string_view given, std::string_view name) {
    std::string_view const module = module_today(given);
    return std::ranges::any_of(beside, [&](Beside const& b) {
        if (!b.name.empty()) return module == b.module && name == b.name;
        return module == b.module ||
               (module.starts_with(b.module) && module[b.module.size()] == '.');
    });
}

std::string_view network_of_module(std::string_view module) {
    constexpr std::array<std::array<std::string_view, 2>, 5> known = {
        {{"demucs.htdemucs", "HTDemucs"},
         {"demucs.hdemucs", "Hybrid Demucs"},
         {"demucs", "Demucs"},
         {"openunmix", "Open-Unmix"},
         {"asteroid", "a network of Asteroid"}}};
    for (auto const& [start, network] : known)
        if (module.starts_with(start)) return network;
    return {};
}

}  // namespace sluice::weights
