// What PyTorch's pickles call, as descriptions: storages and the tensors that view them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <unordered_map>

#include "format/weights/pickle.h"
#include "format/weights/pickle_names.h"

namespace sluice::weights {

/// The number of the storage that has a key.
using StorageKeys = std::unordered_map<std::string_view, std::size_t>;

/// The storage of the persistent id ("storage", class, key, device, numel). One key always says the
/// same storage.
Result<Value> storage_of(Pickle& pickle, std::uint32_t id, StorageKeys& keys);

/// What the allowed name `what` makes of its arguments.
Result<Value> call(Pickle& pickle, std::uint32_t what, std::uint32_t arguments);

}  // namespace sluice::weights
