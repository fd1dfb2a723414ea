// Checkpoints as torch.save writes them, byte by byte, whole or damaged on purpose.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/test_checkpoint.h"

namespace sluice::weights {

std::string le(std::uint64_t n, int size) {
    std::string out;
    for (int i = 0; i < size; ++i, n >>= 8) out += static_cast<char>(n & 0xff);
    return out;
}

PickleText& PickleText::tuple(std::vector<std::int64_t> const& numbers) {
    raw("(");
    for (std::int64_t const n : numbers) number(n);
    return raw("t");
}

PickleText& PickleText::tensor(std::string const& key, std::int64_t held, std::int64_t offset,
                               std::vector<std::int64_t> const& shape,
                               std::vector<std::int64_t> const& strides,
                               std::string const& storage) {
    name("torch._utils", "_rebuild_tensor_v2").raw("((").text("storage").name("torch", storage);
    text(key).text("cpu").number(held).raw("tQ").number(offset).tuple(shape).tuple(strides);
    return raw("\x89").name("collections", "OrderedDict").raw(")RtR");
}

std::string zip_of(std::vector<TestMember> const& members, bool zip64) {
    std::string out, directory;
    std::string const all(4, '\xff');
    for (auto const& [name, bytes] : members) {
        std::size_t const at = out.size(), head = at + 30 + name.size() + 4;
        std::string const padding((64 - head % 64) % 64, 'Z');
        out += "PK\x03\x04" + le(0, 2) + le(0x808, 2) + le(0, 2) + le(0, 16) + le(name.size(), 2) +
               le(4 + padding.size(), 2) + name + "FB" + le(padding.size(), 2) + padding + bytes;
        std::string const extra =
            zip64 ? le(1, 2) + le(24, 2) + le(bytes.size(), 8) + le(bytes.size(), 8) + le(at, 8)
                  : "";
        std::string const size = zip64 ? all : le(bytes.size(), 4);
        directory += "PK\x01\x02" + le(0, 4) + le(0x808, 2) + le(0, 2) + le(0, 8) + size + size +
                     le(name.size(), 2) + le(extra.size(), 2) + le(0, 10) +
                     (zip64 ? all : le(at, 4)) + name + extra;
    }
    std::size_t const at = out.size();
    out += directory;
    if (zip64) {
        std::size_t const end = out.size();
        out += "PK\x06\x06" + le(44, 8) + le(0, 12) + le(members.size(), 8) +
               le(members.size(), 8) + le(directory.size(), 8) + le(at, 8);
        out += "PK\x06\x07" + le(0, 4) + le(end, 8) + le(1, 4);
    }
    return out + "PK\x05\x06" + le(0, 4) + le(members.size(), 2) + le(members.size(), 2) +
           le(directory.size(), 4) + (zip64 ? all : le(at, 4)) + le(0, 2);
}

std::string checkpoint_of(std::string const& pickle, std::vector<std::string> const& storages,
                          bool zip64) {
    std::vector<TestMember> members = {{"m/data.pkl", pickle}, {"m/byteorder", "little"}};
    for (std::size_t i = 0; i < storages.size(); ++i)
        members.emplace_back("m/data/" + std::to_string(i), storages[i]);
    return zip_of(members, zip64);
}

std::string safetensors_of(std::string const& header, std::string const& data) {
    return le(header.size(), 8) + header + data;
}

std::shared_ptr<Source const> source_of(std::string const& bytes) {
    auto const* const p = reinterpret_cast<std::byte const*>(bytes.data());
    return memory_source("model.ckpt", {p, p + bytes.size()});
}

}  // namespace sluice::weights
