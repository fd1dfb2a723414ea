// Safetensors: the length of a JSON header, the header, and the tensors without gaps.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "codec/zip/quoted.h"
#include "format/weights/containers.h"
#include "format/weights/strict_json.h"

namespace sluice::weights {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_header = 16 << 20;
constexpr std::size_t most_dimensions = 16;

Error wrong(Weights const& w, std::uint64_t at, std::string text, Code code = Code::corrupt) {
    return {code, std::move(text), w.file->name(), at};
}

struct Span {
    std::uint64_t begin = 0, end = 0;
};

Result<std::vector<std::uint64_t>> numbers(Weights const& w, Json const& entry, char const* key,
                                           std::string const& name) {
    auto const found = entry.find(key);
    bool good = found != entry.end() && found->is_array() && found->size() <= most_dimensions;
    std::vector<std::uint64_t> out;
    for (std::size_t i = 0; good && i < found->size(); ++i) {
        good = (*found)[i].is_number_unsigned();
        if (good) out.push_back((*found)[i].get<std::uint64_t>());
    }
    if (!good)
        return wrong(w, 8, fmt::format("the header gives no {} for {}", key, zip::in_quotes(name)));
    return out;
}

Result<Tensor> read_entry(Weights const& w, std::string const& name, Json const& entry,
                          std::uint64_t data_at, Span& span) {
    if (!entry.is_object())
        return wrong(w, 8, zip::in_quotes(name) + " is not a dictionary in the header");
    auto const type = entry.find("dtype");
    auto const word = type != entry.end() && type->is_string() ? type->get<std::string>() : "";
    auto const element = element_of(word, &ElementNames::safetensors);
    if (!element)
        return wrong(
            w, 8,
            fmt::format("{} has numbers of type {}, which are not read; save it as float32",
                        zip::in_quotes(name), zip::in_quotes(word)),
            Code::unsupported);
    SLUICE_TRY(auto const shape, numbers(w, entry, "shape", name));
    SLUICE_TRY(auto const offsets, numbers(w, entry, "data_offsets", name));
    std::uint64_t size = static_cast<std::uint64_t>(bytes_of(*element));
    bool beyond = offsets.size() != 2 || offsets[0] > offsets[1];
    for (std::uint64_t const n : shape)
        beyond |= n > INT64_MAX || __builtin_mul_overflow(size, n, &size);
    if (beyond || size > INT64_MAX || size != offsets[1] - offsets[0])
        return wrong(
            w, 8,
            fmt::format("{} of shape ({}) does not have {} bytes from {}; copy the file again",
                        zip::in_quotes(name), fmt::join(shape, ", "), size,
                        fmt::join(offsets, " to ")));
    span = {offsets[0], offsets[1]};
    Tensor t{name,
             *element,
             {shape.begin(), shape.end()},
             std::vector<index>(shape.size()),
             data_at + offsets[0]};
    index step = 1;
    // Of an empty tensor the steps could overflow, and nobody asks for them.
    for (std::size_t d = shape.size(); d-- > 0 && size > 0; step *= t.shape[d]) t.strides[d] = step;
    return t;
}

Status read_metadata(Json const& entries, Weights& w) {
    for (auto const& [key, value] : entries.items()) {
        if (!value.is_string()) return wrong(w, 8, "__metadata__ has values that are not texts");
        w.metadata[key] = value.get<std::string>();
    }
    return {};
}

// Each byte belongs to one tensor.
Status check_whole(Weights const& w, std::vector<Span> spans, std::uint64_t size) {
    std::ranges::sort(spans, {}, [](Span const& s) { return std::pair(s.begin, s.end); });
    std::uint64_t end = 0;
    for (Span const& s : spans) {
        if (s.begin != end)
            return wrong(w, 8,
                         fmt::format("a tensor begins at byte {} of the data where {} is the next "
                                     "(the file is damaged) copy it again",
                                     s.begin, end));
        end = s.end;
    }
    if (end == size) return {};
    return wrong(
        w, w.file->size(),
        fmt::format("the tensors have {} bytes and the file {} for them (it was not copied "
                    "whole) copy it again",
                    end, size),
        end > size ? Code::truncated : Code::corrupt);
}

}  // namespace

Status read_safetensors(Weights& w) {
    SLUICE_TRY(auto const head, read_part(*w.file, 0, 8));
    std::uint64_t const length = load_le<std::uint64_t>(head.data());
    if (length > most_header || length > w.file->size() - 8)
        return wrong(w, 0,
                     fmt::format("a header of {} bytes in a file of {}; copy it again", length,
                                 w.file->size()));
    SLUICE_TRY(auto const bytes, read_part(*w.file, 8, length));
    std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    SLUICE_TRY(Json const header, read_header(text, w.file->name()));
    std::vector<Span> spans;
    for (auto const& [name, entry] : header.items()) {
        if (name == "__metadata__") {
            SLUICE_CHECK(read_metadata(entry, w));
            continue;
        }
        SLUICE_TRY(w.tensors.emplace_back(),
                   read_entry(w, name, entry, 8 + length, spans.emplace_back()));
    }
    std::ranges::sort(w.tensors, {}, [](Tensor const& t) { return std::pair(t.at, t.size()); });
    return check_whole(w, std::move(spans), w.file->size() - 8 - length);
}

}  // namespace sluice::weights
