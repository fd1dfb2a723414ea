// Named tensors out of the files that models are published as.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "codec/zip/checksum.h"
#include "format/kinds/kinds.h"
#include "format/weights/branches.h"
#include "format/weights/containers.h"
#include "format/weights/state_dict.h"

namespace sluice::weights {
namespace {

// PROTO 2 and LONG1 of 10 bytes: the first pickle of an old checkpoint.
constexpr std::string_view legacy_magic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
                                        14);

Result<Container> recognise(Source const& file) {
    SLUICE_TRY(auto const bytes, read_part(file, 0, 16));
    if (auto const container = container_of(bytes)) return *container;
    std::string_view const head(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (head.starts_with("version https:"))
        return Error{Code::unsupported,
                     "the file only says where Git LFS has the model; run git lfs pull",
                     file.name()};
    if (head.starts_with("GGUF"))
        return Error{Code::unsupported, "GGUF files are not read; give the .ckpt or .safetensors",
                     file.name()};
    // A protocol buffer: the version of its form, then who wrote it or its graph.
    if (head.size() > 2 && head[0] == '\x08' && head[1] < 0x20 &&
        (head[2] == '\x12' || head[2] == '\x3a'))
        return Error{Code::unsupported,
                     "this is a network as ONNX, as those of MDX-Net are (only checkpoints of "
                     "MDX23C are read) give the .ckpt or .safetensors of an MDX23C model",
                     file.name()};
    if (!head.empty() && head[0] == '\x80')
        return Error{Code::unsupported,
                     "a pickle that torch.save did not write; save the model's state_dict with it",
                     file.name()};
    return Error{Code::unsupported,
                 "neither a checkpoint of PyTorch nor a safetensors file; give the model's .ckpt, "
                 ".pth or .safetensors",
                 file.name()};
}

// One number after the other, row by row.
void gather(Tensor const& t, std::byte const* from, std::byte* to) {
    auto const each = static_cast<std::size_t>(bytes_of(t.element));
    std::size_t const last = t.shape.size();
    std::vector<index> at(last, 0);
    for (index n = t.size(), offset = 0; n > 0; --n, to += each) {
        std::memcpy(to, from + static_cast<std::size_t>(offset) * each, each);
        for (std::size_t d = last; d-- > 0;) {
            offset += t.strides[d];
            if (++at[d] < t.shape[d]) break;
            offset -= t.strides[d] * t.shape[d];
            at[d] = 0;
        }
    }
}

bool is_dense(Tensor const& t) {
    index step = 1;
    for (std::size_t d = t.shape.size(); d-- > 0; step *= t.shape[d])
        if (t.shape[d] != 1 && t.strides[d] != step) return false;
    return true;
}

}  // namespace

std::optional<Container> container_of(Bytes first) {
    std::string_view const head(reinterpret_cast<char const*>(first.data()), first.size());
    if (head.starts_with("PK\x03\x04")) return Container::torch_zip;
    if (head.starts_with(legacy_magic)) return Container::torch_legacy;
    if (head.size() > 8 && head[8] == '{') return Container::safetensors;
    return {};
}

std::string_view name_of(Container container) {
    constexpr std::string_view names[] = {"PyTorch checkpoint", "PyTorch checkpoint (before 1.6)",
                                          "safetensors"};
    return names[static_cast<std::size_t>(container)];
}

Tensor const* Weights::find(std::string_view name) const {
    auto const found = std::ranges::find(tensors, name, &Tensor::name);
    return found == tensors.end() ? nullptr : &*found;
}

Result<std::vector<std::byte>> read_part(Source const& file, std::uint64_t at, std::uint64_t size) {
    std::vector<std::byte> out(at > file.size() ? 0 : std::min(size, file.size() - at));
    SLUICE_CHECK(file.read(std::min(at, file.size()), out));
    return out;
}

Result<Weights> read_weights(std::shared_ptr<Source const> file) {
    Weights w;
    w.file = std::move(file);
    SLUICE_TRY(w.container, recognise(*w.file));
    switch (w.container) {
        case Container::torch_zip:
            SLUICE_CHECK(read_torch_zip(w));
            break;
        case Container::torch_legacy:
            SLUICE_CHECK(read_torch_legacy(w));
            break;
        case Container::safetensors:
            SLUICE_CHECK(read_safetensors(w));
            break;
    }
    if (w.tensors.empty())
        return Error{Code::unsupported, "the file has no tensors", w.file->name()};
    // Names of checked length, so that few prefixes fit into them.
    SLUICE_CHECK(check_names(w));
    choose_branch(w);
    return w;
}

Result<Weights> open_weights(std::string const& path) {
    SLUICE_TRY(auto file, open_source(path));
    Look const look(path);
    ContentKind const* const kind = container_of(look.head()) ? &kinds::model : kind_of(look);
    if (kind && kind != &kinds::model) return no_such_kind(look, kinds::model);
    return read_weights(std::move(file));
}

Result<std::vector<std::byte>> read_tensor(Weights const& w, Tensor const& t) {
    auto const each = static_cast<std::size_t>(bytes_of(t.element));
    std::vector<std::byte> out(static_cast<std::size_t>(t.size()) * each);
    if (out.empty()) return out;
    if (is_dense(t)) {
        SLUICE_CHECK(w.file->read(t.at, out));
        SLUICE_CHECK(zip::check_crc(out, t.crc, t.name, w.file->name(), t.at));
        return out;
    }
    std::vector<std::byte> span(static_cast<std::size_t>(t.span()) * each);
    SLUICE_CHECK(w.file->read(t.at, span));
    SLUICE_CHECK(zip::check_crc(span, t.crc, t.name, w.file->name(), t.at));
    gather(t, span.data(), out.data());
    return out;
}

}  // namespace sluice::weights
