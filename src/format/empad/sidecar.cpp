// What the XML of an EMPAD says of its scan and of the microscope.
// SPDX-License-Identifier: Apache-2.0
#include "format/empad/sidecar.h"

#include <fmt/format.h>

#include <charconv>
#include <pugixml.hpp>

namespace sluice::empad {
namespace {

using Node = pugi::xml_node;

constexpr index most_points = 1 << 20;  // along a side of a scan
constexpr std::size_t most_fields = 64, most_text = 120;

std::string_view trimmed(std::string_view s) {
    std::string_view const blank = " \t\r\n";
    auto const from = s.find_first_not_of(blank);
    return from == std::string_view::npos ? ""
                                          : s.substr(from, s.find_last_not_of(blank) - from + 1);
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    text = trimmed(text);
    Number n{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(n)
                                                                    : std::nullopt;
}

// Paths are Windows' or others'.
std::string name_of_file(std::string_view path) {
    auto const slash = path.find_last_of("/\\");
    return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

void add_scan(Node const& at, char const* rows, char const* cols, std::string from, Sidecar& out) {
    auto const y = number<index>(at.child_value(rows)), x = number<index>(at.child_value(cols));
    if (!x || !y || *x < 1 || *y < 1 || *x > most_points || *y > most_points) return;
    out.scans.push_back({{*y, *x}, std::move(from)});
}

void add_scans(Node const& root, Sidecar& out) {
    // Some files state the scan that was acquired as the one of the search.
    for (std::string_view const mode : {"acquire", "search"})
        for (Node const scan : root.children("scan_parameters"))
            if (scan.attribute("mode").value() == mode)
                add_scan(scan, "scan_resolution_y", "scan_resolution_x",
                         fmt::format("the XML's scan_parameters ({})", mode), out);
    add_scan(root, "pix_y", "pix_x", "the XML's pix_y and pix_x", out);
    auto const count = number<index>(root.child_value("count"));
    if (trimmed(root.child_value("type")) == "series" && count && *count > 0)
        out.scans.insert(out.scans.begin(), {{1, *count}, "the XML's count of a series"});
}

// Whatever the microscope said, in its own words.
void add_fields(Node const& at, Sidecar& out) {
    for (Node const n : at.children()) {
        std::string_view const value = trimmed(n.child_value());
        bool const usable = !value.empty() && value.size() <= most_text;
        if (usable && out.fields.size() < most_fields)
            out.fields.push_back({n.name(), std::string(value), ""});
    }
}

}  // namespace

Result<Sidecar> parse_sidecar(std::string_view xml) {
    pugi::xml_document document;
    pugi::xml_parse_result const parsed = document.load_buffer(xml.data(), xml.size());
    if (!parsed)
        return Error{
            .code = Code::corrupt,
            .message = fmt::format("is not valid XML ({}); copy it again", parsed.description()),
            .at = static_cast<std::uint64_t>(parsed.offset)};
    Node const root = document.document_element();
    Sidecar out;
    out.raw_file = name_of_file(root.child("raw_file").attribute("filename").value());
    add_scans(root, out);
    Node const measured = root.child("iom_measurements");
    // In volts.
    if (auto const v = number<double>(measured.child_value("high_voltage"));
        v && *v > 1e3 && *v < 1e7)
        out.energy_kv = *v / 1e3;
    for (Node const scan : root.children("scan_parameters"))
        if (scan.attribute("mode").value() == std::string_view("acquire")) add_fields(scan, out);
    add_fields(measured, out);
    return out;
}

bool is_sidecar(Bytes head) {
    std::string_view const text(reinterpret_cast<char const*>(head.data()), head.size());
    auto const has = [&](std::string_view word) {
        return text.find(word) != std::string_view::npos;
    };
    return has("<raw_file") &&
           (has("<scan_parameters") || has("<pix_x") || has("<root") || has("<type"));
}

std::optional<ScanGrid> scan_of_name(std::string_view name) {
    auto const x = name.rfind("_x"), y = name.rfind("_y"), dot = name.rfind(".raw");
    if (x == std::string_view::npos || y == std::string_view::npos ||
        dot == std::string_view::npos || x + 2 > y || y + 2 > dot)
        return {};
    auto const cols = number<index>(name.substr(x + 2, y - x - 2));
    auto const rows = number<index>(name.substr(y + 2, dot - y - 2));
    if (!rows || !cols || *rows < 1 || *cols < 1 || *rows > most_points || *cols > most_points)
        return {};
    return ScanGrid{*rows, *cols};
}

}  // namespace sluice::empad
