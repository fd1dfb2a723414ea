// PyTorch's checkpoints before 1.6: five pickles, then the storages one after the other.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/bytes.h"
#include "codec/zip/quoted.h"
#include "format/weights/containers.h"
#include "format/weights/state_dict.h"

namespace sluice::weights {
namespace {

Error wrong(Weights const& w, std::uint64_t at, std::string text, Code code = Code::corrupt) {
    return {code, std::move(text), w.file->name(), at};
}

bool is_little_endian(Pickle const& info) {
    Value const& dict = info.top();
    for (std::size_t i = 0; dict.kind == Value::Kind::dict && i + 1 < dict.items.size(); i += 2)
        if (info.values[dict.items[i]].text == "little_endian")
            return info.values[dict.items[i + 1]].number == 1;
    return false;
}

/// Where each storage of the pickle begins: `keys` has their order, and each says its length.
Result<std::vector<StoredAt>> find_storages(Weights const& w, Pickle const& pickle,
                                            Pickle const& keys, std::uint64_t at) {
    std::unordered_map<std::string_view, std::size_t> numbers;
    for (Storage const& s : pickle.storages) numbers.emplace(s.key, numbers.size());
    std::vector<StoredAt> out(pickle.storages.size());
    for (std::uint32_t const item : keys.top().items) {
        Value const& key = keys.values[item];
        auto const found = numbers.find(key.text);
        if (key.kind != Value::Kind::text || found == numbers.end())
            return wrong(w, at,
                         fmt::format("storage {} belongs to no tensor, or is there twice",
                                     zip::in_quotes(key.text)));
        Storage const& s = pickle.storages[found->second];
        std::uint64_t const each = s.element ? static_cast<std::uint64_t>(bytes_of(*s.element)) : 1;
        SLUICE_TRY(auto const head, read_part(*w.file, at, 8));
        if (head.size() < 8 || s.bytes > w.file->size() - at - 8)
            return wrong(w, at,
                         fmt::format("the file ends before storage {} (it was not copied whole) "
                                     "copy it again",
                                     zip::in_quotes(s.key)),
                         Code::truncated);
        if (load_le<std::uint64_t>(head.data()) != s.bytes / each)
            return wrong(w, at,
                         fmt::format("storage {} has another length than its tensors say",
                                     zip::in_quotes(s.key)));
        out[found->second].at = at + 8;
        at += 8 + s.bytes;
        numbers.erase(found);
    }
    if (!numbers.empty())
        return wrong(w, at,
                     fmt::format("storage {} is missing (the file is damaged) copy it again",
                                 zip::in_quotes(numbers.begin()->first)));
    return out;
}

}  // namespace

Status read_torch_legacy(Weights& w) {
    SLUICE_TRY(auto const bytes, read_part(*w.file, 0, most_pickle));
    std::vector<Pickle> pickles;
    std::size_t at = 0;
    // What the file is, the version, the machine it is from, the object, and the storages' keys.
    for (int i = 0; i < 5; ++i) {
        SLUICE_TRY(pickles.emplace_back(),
                   read_pickle(Bytes(bytes).subspan(at), w.file->name(), at));
        at += pickles.back().size;
    }
    if (pickles[1].top().number != 1001)
        return wrong(w, 0,
                     fmt::format("version {} of PyTorch's old checkpoints (1001 is read) "
                                 "load the model and save it with torch.save",
                                 pickles[1].top().number),
                     Code::unsupported);
    if (!is_little_endian(pickles[2]))
        return wrong(w, 0,
                     "the numbers are big-endian; load the model and save it on a usual machine",
                     Code::unsupported);
    if (pickles[4].top().kind != Value::Kind::list)
        return wrong(w, at, "the list of storages is missing");
    SLUICE_TRY(auto const places, find_storages(w, pickles[3], pickles[4], at));
    return take_tensors(pickles[3], places, w);
}

}  // namespace sluice::weights
