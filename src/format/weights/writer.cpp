// Safetensors out of weights of any kind.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/writer.h"

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/run.h"

namespace sluice::weights {
namespace {

using Json = nlohmann::ordered_json;

Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

Element written_as(Tensor const& t, std::optional<Element> element) {
    return element && is_real(t.element) ? *element : t.element;
}

// Its length is a multiple of 8, so that the numbers behind it are aligned.
std::string header_of(Weights const& w, std::map<std::string, std::string> const& metadata,
                      std::optional<Element> element) {
    Json header;
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::uint64_t at = 0;
    for (Tensor const& t : w.tensors) {
        Element const e = written_as(t, element);
        std::uint64_t const end = at + static_cast<std::uint64_t>(t.size() * bytes_of(e));
        header[t.name] = {
            {"dtype", names_of(e).safetensors}, {"shape", t.shape}, {"data_offsets", {at, end}}};
        at = end;
    }
    std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return text;
}

}  // namespace

Result<Rounded> write_safetensors(std::string const& path, Weights const& w,
                                  std::map<std::string, std::string> const& metadata,
                                  std::optional<Element> element, Progress const& progress) {
    Rounded tally;
    SLUICE_TRY(NewFile file, NewFile::create(path));
    std::string const header = header_of(w, metadata, element);
    std::string length;
    for (std::size_t i = 0, n = header.size(); i < 8; ++i, n >>= 8)
        length += static_cast<char>(n & 0xff);
    SLUICE_CHECK(file.write(bytes_of(length)));
    SLUICE_CHECK(file.write(bytes_of(header)));
    auto const size_of = [](Tensor const& t) {
        return static_cast<std::uint64_t>(t.size() * bytes_of(t.element));
    };
    std::uint64_t done = 0, all = 0;
    for (Tensor const& t : w.tensors) all += size_of(t);
    for (Tensor const& t : w.tensors) {
        SLUICE_CHECK(tell_progress(progress, done, all, "nothing was written", path));
        done += size_of(t);
        SLUICE_TRY(auto numbers, read_tensor(w, t));
        if (is_real(t.element)) {
            auto as_written =
                rounded(std::move(numbers), t.element, written_as(t, element), t.name, tally);
            if (!as_written) {
                Error error = std::move(as_written).error();
                error.file = w.file->name();
                return error;
            }
            numbers = std::move(*as_written);
        }
        SLUICE_CHECK(file.write(numbers));
    }
    SLUICE_CHECK(file.commit());
    return tally;
}

}  // namespace sluice::weights
