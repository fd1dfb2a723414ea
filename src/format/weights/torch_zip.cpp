// PyTorch's checkpoints since 1.6: a zip file with a pickle and a member for each storage.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <unordered_map>

#include "codec/zip/checksum.h"
#include "codec/zip/quoted.h"
#include "codec/zip/zip.h"
#include "format/weights/containers.h"
#include "format/weights/state_dict.h"

namespace sluice::weights {
namespace {

using Members = std::unordered_map<std::string_view, zip::Member const*>;

Error wrong(Weights const& w, std::uint64_t at, std::string text, Code code = Code::corrupt) {
    return {code, std::move(text), w.file->name(), at};
}

// Members lie in a folder that is called as the file once was.
Result<zip::Member const*> find_pickle(Weights const& w, std::vector<zip::Member> const& members) {
    constexpr std::string_view inner = "/data.pkl";
    for (zip::Member const& m : members)
        if (m.name.ends_with(inner) && m.name.find('/') == m.name.size() - inner.size()) return &m;
    return wrong(w, 0,
                 "the zip archive has no data.pkl (torch.save did not write it) give "
                 "the model's .ckpt or .pth file",
                 Code::unsupported);
}

Status check_order(Weights const& w, Members const& members, std::string const& folder) {
    auto const found = members.find(folder + "byteorder");
    if (found == members.end()) return {};
    SLUICE_TRY(auto const bytes, read_part(*w.file, found->second->at, 16));
    if (found->second->size != 6 || std::to_integer<char>(bytes.at(0)) != 'l')
        return wrong(w, found->second->at,
                     "the numbers are big-endian; load the model and save it on a usual machine",
                     Code::unsupported);
    return {};
}

}  // namespace

Status read_torch_zip(Weights& w) {
    SLUICE_TRY(std::vector<zip::Member> const list, zip::zip_members(*w.file));
    SLUICE_TRY(zip::Member const* const data, find_pickle(w, list));
    if (data->size > most_pickle)
        return wrong(w, data->at,
                     fmt::format("{} has {} bytes; at most {} MiB are read",
                                 zip::in_quotes(data->name), data->size, most_pickle >> 20),
                     Code::unsupported);
    Members members;
    for (zip::Member const& m : list) members.emplace(m.name, &m);
    std::string const folder = data->name.substr(0, data->name.find('/') + 1);
    SLUICE_CHECK(check_order(w, members, folder));
    SLUICE_TRY(auto const bytes, read_part(*w.file, data->at, data->size));
    SLUICE_CHECK(zip::check_crc(bytes, data->crc, data->name, w.file->name(), data->at));
    SLUICE_TRY(Pickle const pickle, read_pickle(bytes, w.file->name(), data->at));
    std::vector<StoredAt> stored;
    for (Storage const& s : pickle.storages) {
        std::string const name = folder + "data/" + s.key;
        auto const found = members.find(name);
        if (found == members.end())
            return wrong(w, data->at,
                         fmt::format("{} is not in the zip archive (the file is damaged) copy it "
                                     "again",
                                     zip::in_quotes(name)));
        if (found->second->size != s.bytes)
            return wrong(w, found->second->at,
                         fmt::format("{} has {} bytes where {} are needed (the file is damaged) "
                                     "copy it again",
                                     zip::in_quotes(name), found->second->size, s.bytes));
        stored.push_back({found->second->at, found->second->crc});
    }
    return take_tensors(pickle, stored, w);
}

}  // namespace sluice::weights
