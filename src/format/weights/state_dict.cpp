// The tensors of a checkpoint, whatever they are wrapped in.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/state_dict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/zip/quoted.h"

namespace sluice::weights {
namespace {

using Kind = Value::Kind;

// Trainers wrap the tensors once or twice.
constexpr int most_wrappings = 3;
// Averages (EMA) come last: other programs take what was trained.
constexpr std::array<std::string_view, 12> wrappings = {
    "state_dict", "model_state_dict", "model",     "state",     "net", "weights",
    "params",     "ema_state_dict",   "ema_model", "model_ema", "ema", "params_ema"};

bool has_tensors(Pickle const& p, Value const& dict) {
    for (std::size_t i = 1; i < dict.items.size(); i += 2)
        if (p.values[dict.items[i]].kind == Kind::tensor) return true;
    return false;
}

Value const* find(Pickle const& p, Value const& dict, std::string_view key) {
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
        Value const& k = p.values[dict.items[i]];
        if (k.kind == Kind::text && k.text == key) return &p.values[dict.items[i + 1]];
    }
    return nullptr;
}

std::string keys_of(Pickle const& p, Value const& dict) {
    constexpr std::size_t most = 8;
    std::vector<std::string> out;
    for (std::size_t i = 0; i < dict.items.size() && out.size() < most; i += 2)
        out.push_back(zip::in_quotes(p.values[dict.items[i]].text));
    if (dict.items.size() > 2 * most) out.emplace_back("...");
    return out.empty() ? "nothing" : fmt::format("{}", fmt::join(out, ", "));
}

Result<Value const*> unwrap(Pickle const& p, Weights& out) {
    Value const* dict = &p.top();
    for (int depth = 0; dict->kind == Kind::dict && !has_tensors(p, *dict); ++depth) {
        Value const* inner = nullptr;
        for (std::string_view const key : wrappings)
            if (Value const* const v = find(p, *dict, key);
                !inner && depth < most_wrappings && v && v->kind == Kind::dict) {
                inner = v;
                out.notes.push_back(fmt::format("the tensors are those of '{}'", key));
            }
        // Only the first one counts; the averages beside it are told.
        for (std::size_t i = 0; i + 1 < dict->items.size(); i += 2) {
            Value const &key = p.values[dict->items[i]], &v = p.values[dict->items[i + 1]];
            if (inner && &v != inner && v.kind == Kind::dict && has_tensors(p, v))
                out.notes.push_back(
                    fmt::format("the tensors of {} were not used", zip::in_quotes(key.text)));
        }
        if (!inner)
            return Error{Code::unsupported,
                         fmt::format("the checkpoint has no tensors where they are looked for (it "
                                     "has {}) save the model's state_dict alone",
                                     keys_of(p, *dict)),
                         out.file->name()};
        dict = inner;
    }
    if (dict->kind != Kind::dict)
        return Error{Code::unsupported,
                     "the checkpoint is not a dictionary of tensors; save the model's state_dict",
                     out.file->name()};
    return dict;
}

Status check_name(std::string_view name, std::string const& file) {
    if (zip::is_name(name)) return {};
    return Error{Code::corrupt,
                 fmt::format("a tensor is called {}, which is not a printable name of at most 512 "
                             "bytes; check where the file is from",
                             zip::in_quotes(name)),
                 file};
}

}  // namespace

Status take_tensors(Pickle const& p, std::vector<StoredAt> const& stored, Weights& out) {
    SLUICE_TRY(Value const* const dict, unwrap(p, out));
    std::size_t left_out = 0;
    for (std::size_t i = 0; i + 1 < dict->items.size(); i += 2) {
        Value const &key = p.values[dict->items[i]], &value = p.values[dict->items[i + 1]];
        if (value.kind != Kind::tensor || key.kind != Kind::text) {
            ++left_out;
            continue;
        }
        // An entry takes four bytes of a pickle: its name and its tensor may have been kept.
        SLUICE_CHECK(check_name(key.text, out.file->name()));
        if (out.tensors.size() == most_tensors)
            return Error{Code::unsupported,
                         fmt::format("more than {} tensors; no network of this program has as many",
                                     most_tensors),
                         out.file->name()};
        TensorView const& view = p.tensors[static_cast<std::size_t>(value.number)];
        // An empty tensor may begin anywhere: nothing is read of it.
        bool const empty = std::ranges::find(view.shape, 0) != view.shape.end();
        auto const offset =
            static_cast<std::uint64_t>(empty ? 0 : view.offset * bytes_of(view.element));
        StoredAt const& storage = stored[view.storage];
        Tensor t{std::string(key.text), view.element, view.shape, view.strides,
                 storage.at + offset};
        auto const bytes = static_cast<std::uint64_t>(t.span() * bytes_of(t.element));
        if (bytes == p.storages[view.storage].bytes) t.crc = storage.crc;
        out.tensors.push_back(std::move(t));
    }
    if (left_out > 0)
        out.notes.push_back(fmt::format("{} entries that are not tensors were left out", left_out));
    if (!p.ignored.empty())
        out.notes.push_back(fmt::format("{} beside the weights {} not made and not used",
                                        fmt::join(p.ignored, ", "),
                                        p.ignored.size() == 1 ? "was" : "were"));
    return {};
}

Status check_names(Weights const& weights) {
    std::vector<std::string_view> names;
    for (Tensor const& t : weights.tensors) {
        SLUICE_CHECK(check_name(t.name, weights.file->name()));
        names.push_back(t.name);
    }
    std::ranges::sort(names);
    if (auto const twice = std::ranges::adjacent_find(names); twice != names.end())
        return Error{Code::corrupt, fmt::format("tensor {} is there twice", zip::in_quotes(*twice)),
                     weights.file->name()};
    return {};
}

}  // namespace sluice::weights
