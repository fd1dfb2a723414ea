// What PyTorch's pickles call, as descriptions: storages and the tensors that view them.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/pickle_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/zip/quoted.h"
#include "format/weights/weights.h"

namespace sluice::weights {
namespace {

using Kind = Value::Kind;

constexpr index most_dimensions = 16;
// PyTorch's are numbers.
constexpr std::size_t longest_key = 64;

Error wrong(std::string text, Code code = Code::corrupt) {
    return {code, std::move(text)};
}

Result<std::vector<index>> numbers(Pickle const& p, Value const& tuple, std::string_view what) {
    if (tuple.kind != Kind::tuple && tuple.kind != Kind::list)
        return wrong(fmt::format("a tensor whose {} is not a tuple", what));
    if (std::ssize(tuple.items) > most_dimensions)
        return wrong(fmt::format("a tensor of {} dimensions; at most {} are read",
                                 tuple.items.size(), most_dimensions),
                     Code::unsupported);
    std::vector<index> out;
    for (std::uint32_t const i : tuple.items) {
        Value const& n = p.values[i];
        if (n.kind != Kind::integer || n.number < 0)
            return wrong(fmt::format("a tensor whose {} is not a row of numbers from 0 on", what));
        out.push_back(n.number);
    }
    return out;
}

// Nothing may overflow: each product and sum is checked.
Status check_within(TensorView const& t, Storage const& s) {
    auto const held = static_cast<index>(s.bytes) / bytes_of(t.element);
    index count = 1, last = t.offset;
    bool beyond = false;
    for (index const n : t.shape) beyond |= __builtin_mul_overflow(count, n, &count);
    bool const empty = std::ranges::find(t.shape, 0) != t.shape.end();
    for (std::size_t d = 0; d < t.shape.size() && !empty; ++d) {
        index way = 0;
        beyond |= __builtin_mul_overflow(t.shape[d] - 1, t.strides[d], &way);
        beyond |= __builtin_add_overflow(last, way, &last);
    }
    if (empty && !beyond) return {};
    if (beyond || last >= held)
        return wrong(
            fmt::format("a tensor of shape ({}) with strides ({}) from {} goes beyond its "
                        "storage of {} numbers (the file is damaged) copy it again",
                        fmt::join(t.shape, ", "), fmt::join(t.strides, ", "), t.offset, held));
    // As memory it could be of any size.
    if (count > held)
        return wrong(fmt::format("a tensor of shape ({}) repeats the {} numbers of its storage; "
                                 "save it with .contiguous()",
                                 fmt::join(t.shape, ", "), held),
                     Code::unsupported);
    return {};
}

Result<Value> tensor(Pickle& p, std::vector<std::uint32_t> const& arguments, bool of_bytes) {
    auto const argument = [&](std::size_t i) -> Value const& { return p.values[arguments[i]]; };
    if (arguments.size() < (of_bytes ? 7 : 4) || argument(0).kind != Kind::storage ||
        argument(1).kind != Kind::integer || argument(1).number < 0)
        return wrong("a tensor without storage, offset, shape and strides");
    TensorView t;
    t.storage = static_cast<std::size_t>(argument(0).number);
    t.offset = argument(1).number;
    SLUICE_TRY(t.shape, numbers(p, argument(2), "shape"));
    SLUICE_TRY(t.strides, numbers(p, argument(3), "row of strides"));
    if (t.shape.size() != t.strides.size())
        return wrong("a tensor with more or less strides than dimensions");
    Storage const& s = p.storages[t.storage];
    std::optional<Element> element = s.element;
    if (of_bytes && argument(6).kind == Kind::name)
        element = name_of_number(argument(6).number).element;
    if (!element) return wrong("a tensor that does not say what its numbers are");
    t.element = *element;
    SLUICE_CHECK(check_within(t, s));
    if (p.tensors.size() == most_tensors)
        return wrong(fmt::format("more than {} tensors; no network of this program has as many",
                                 most_tensors),
                     Code::unsupported);
    p.tensors.push_back(std::move(t));
    return Value{Kind::tensor, static_cast<std::int64_t>(p.tensors.size() - 1)};
}

}  // namespace

Result<Value> storage_of(Pickle& p, std::uint32_t id, StorageKeys& keys) {
    std::vector<std::uint32_t> const& parts = p.values[id].items;
    auto const part = [&](std::size_t i) -> Value const& { return p.values[parts[i]]; };
    bool const good = p.values[id].kind == Kind::tuple && parts.size() >= 5 && parts.size() <= 6 &&
                      part(0).text == "storage" && part(1).kind == Kind::name &&
                      name_of_number(part(1).number).meaning == Meaning::storage &&
                      part(2).kind == Kind::text && part(4).kind == Kind::integer &&
                      part(4).number >= 0;
    if (!good) return wrong("a storage without class, key and number of elements");
    if (parts.size() == 6 && part(5).kind != Kind::none)
        return wrong("a storage that views another one, as PyTorch before 0.4 wrote; save it anew",
                     Code::unsupported);
    // A storage takes three bytes of a pickle, and each time its key is looked for.
    if (part(2).text.size() > longest_key)
        return wrong(fmt::format("a storage whose key has {} bytes; at most {} are read",
                                 part(2).text.size(), longest_key));
    Storage s;
    s.key = part(2).text;
    s.element = name_of_number(part(1).number).element;
    index bytes = 0;
    if (__builtin_mul_overflow(part(4).number, s.element ? bytes_of(*s.element) : 1, &bytes))
        return wrong(fmt::format("a storage of {} numbers", part(4).number));
    s.bytes = static_cast<std::uint64_t>(bytes);
    auto const [known, fresh] = keys.try_emplace(part(2).text, p.storages.size());
    if (fresh) {
        p.storages.push_back(std::move(s));
    } else if (p.storages[known->second].element != s.element ||
               p.storages[known->second].bytes != s.bytes) {
        return wrong("storage " + zip::in_quotes(s.key) + " has two types or sizes");
    }
    return Value{Kind::storage, static_cast<std::int64_t>(known->second)};
}

Result<Value> call(Pickle& p, std::uint32_t what, std::uint32_t arguments) {
    if (p.values[what].kind != Kind::name || p.values[arguments].kind != Kind::tuple)
        return wrong("the pickle calls a value that is not a name");
    std::vector<std::uint32_t> const& items = p.values[arguments].items;
    Name const name = name_of_number(p.values[what].number);
    switch (name.meaning) {
        case Meaning::dict:
            if (!items.empty())
                return wrong("a dictionary that is made of a list; save it with torch.save anew",
                             Code::unsupported);
            return Value{Kind::dict};
        case Meaning::tensor:
            return tensor(p, items, false);
        case Meaning::tensor_of_bytes:
            return tensor(p, items, true);
        case Meaning::parameter:
            if (items.empty() || p.values[items[0]].kind != Kind::tensor)
                return wrong("a parameter without its tensor");
            return Value{Kind::tensor, p.values[items[0]].number};
        case Meaning::size:
        case Meaning::set:
        case Meaning::device:
        case Meaning::ignored:
            return Value{Kind::opaque};
        case Meaning::storage:
        case Meaning::element:
            break;
    }
    return wrong("the pickle calls a name that only says a type");
}

}  // namespace sluice::weights
