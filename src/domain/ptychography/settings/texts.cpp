// Settings as texts, and back.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/nearest.h"
#include "domain/ptychography/settings/fields.h"
#include "sluice/ptychography_settings.h"

namespace sluice::ptycho {

namespace {

Error no_value(std::string_view name, std::string_view value, std::string_view what) {
    return {Code::invalid_argument,
            fmt::format("{} is '{}' (it has no such value) give {}", name, value, what)};
}

Status read_text(std::string_view name, std::string_view text, bool& out) {
    if (text != "true" && text != "false") return no_value(name, text, "true or false");
    out = text == "true";
    return {};
}

template <class Number>
requires std::is_arithmetic_v<Number> Status read_text(std::string_view name, std::string_view text,
                                                       Number& out) {
    Number value{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return no_value(name, text,
                        std::is_floating_point_v<Number> ? "a number" : "a whole number");
    if constexpr (std::is_floating_point_v<Number>)
        if (!std::isfinite(value)) return no_value(name, text, "a finite number");
    out = value;
    return {};
}

template <class Value>
requires std::is_enum_v<Value> Status read_text(std::string_view name, std::string_view text,
                                                Value& out) {
    std::string all;
    for (auto const& word : words(Value{})) {
        if (word.name == text) {
            out = word.value;
            return {};
        }
        all += (all.empty() ? "" : ", ") + std::string(word.name);
    }
    return no_value(name, text, "one of " + all);
}

template <class Value>
std::string to_text(Value value) {
    if constexpr (std::is_enum_v<Value>) {
        for (auto const& word : words(Value{}))
            if (word.value == value) return word.name;
        return {};
    } else {
        return fmt::format("{}", value);  // of floats the shortest text that gives the same bits
    }
}

template <class T>
Status set_field(T& into, Field<T> const& field, std::string_view value) {
    return std::visit([&](auto at) { return read_text(field.name, value, into.*at); }, field.at);
}

template <class T>
Field<T> const* find_field(std::span<Field<T> const> fields, std::string_view name) {
    for (auto const& field : fields)
        if (field.name == name) return &field;
    return nullptr;
}

template <class T>
stem4d::SettingTexts texts(T const& of, std::span<Field<T> const> fields) {
    stem4d::SettingTexts all;
    for (auto const& field : fields)
        all.emplace_back(field.name,
                         std::visit([&](auto at) { return to_text(of.*at); }, field.at));
    return all;
}

Error unknown(std::string_view name, bool stages_only) {
    std::vector<std::string> names;
    for (auto const& setting : stem4d::ptychography_settings())
        if (setting.of_stage || !stages_only) names.push_back(setting.name);
    return {Code::invalid_argument, fmt::format("there is no setting '{}'; did you mean '{}'?",
                                                name, nearest(std::string(name), names))};
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

std::vector<PtychographySetting> ptychography_settings() {
    std::vector<PtychographySetting> all;
    for (auto const& field : ptycho::option_fields())
        all.push_back({field.name, field.what, false});
    for (auto const& field : ptycho::stage_fields()) all.push_back({field.name, field.what, true});
    return all;
}

Status set(PtychographyStage& stage, std::string_view name, std::string_view value) {
    auto const* const field = ptycho::find_field(ptycho::stage_fields(), name);
    if (!field) return ptycho::unknown(name, true);
    return ptycho::set_field(stage, *field, value);
}

Status set(PtychographyOptions& options, std::string_view name, std::string_view value) {
    if (auto const* const field = ptycho::find_field(ptycho::option_fields(), name))
        return ptycho::set_field(options, *field, value);
    if (!ptycho::find_field(ptycho::stage_fields(), name)) return ptycho::unknown(name, false);
    for (auto& stage : options.stages) SLUICE_CHECK(set(stage, name, value));
    return {};
}

std::string name_of(Likelihood likelihood) {
    return ptycho::to_text(likelihood);
}

SettingTexts settings_of(PtychographyStage const& stage) {
    return ptycho::texts(stage, ptycho::stage_fields());
}

SettingTexts settings_of(PtychographyOptions const& options) {
    return ptycho::texts(options, ptycho::option_fields());
}

}  // namespace sluice::stem4d
