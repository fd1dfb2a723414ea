// GPUs as a table: which hold the work, and how long it takes there by formulas.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "doctor/amounts.h"

namespace sluice::cli {
namespace {

constexpr char const* one_gpu =
    "Sluice itself runs on one GPU: several are what a program takes that shares the work out so.";

Json to_json(SeveralGpus const& s) {
    return {{"gpus", s.gpus},     {"link", s.link},
            {"work_s", s.work_s}, {"all_reduce_s", s.all_reduce_s},
            {"halo_s", s.halo_s}, {"efficiency", s.efficiency},
            {"pays", s.pays}};
}

Json to_json(GpuPlan const& p) {
    Json j{{"name", p.gpu.name},
           {"memory_bytes", p.gpu.memory},
           {"memory_bytes_per_s", p.gpu.memory_per_s},
           {"flop_per_s", p.gpu.flop_per_s},
           {"pcie", p.gpu.pcie},
           {"nvlink_bytes_per_s", p.gpu.nvlink_per_s},
           {"source", p.gpu.source},
           {"fits", p.fits},
           {"needed", p.needed},
           {"transfer_s", p.transfer_s},
           {"work_s", nullptr},
           {"bound", p.bound},
           {"several", Json::array()}};
    if (p.work_s) j["work_s"] = *p.work_s;
    for (SeveralGpus const& s : p.several) j["several"].push_back(to_json(s));
    return j;
}

/// One meeting of GPUs over each way between them.
struct Meeting {
    std::string link;
    int gpus;
    double all_reduce_s, halo_s;
};

std::vector<Meeting> meetings_of(GpuWork const& work) {
    std::vector<Meeting> all;
    if (work.exchanges == 0) return all;
    std::vector<Interconnect> links(pcie_links().begin() + 1, pcie_links().end());
    links.push_back({"NVLink of an H200", 450e9});
    for (Interconnect const& link : links)
        for (int const n : {2, 4, 8})
            all.push_back({link.name, n, all_reduce_s(work.all_reduce, n, link.bytes_per_s),
                           halo_exchange_s(work.halo, n, link.bytes_per_s)});
    return all;
}

std::string seconds(double s) {
    return s < 1 ? fmt::format("{:.3g} ms", 1e3 * s) : fmt::format("{:.3g} s", s);
}

std::string held(GpuPlan const& p) {
    if (p.fits) return "one";
    return p.needed > 0 ? fmt::format("{}", p.needed) : "none";
}

void print_row(GpuPlan const& p) {
    std::string several;
    for (SeveralGpus const& s : p.several)
        several += fmt::format(" {:>10}",
                               s.pays ? seconds(s.work_s) : fmt::format("({})", seconds(s.work_s)));
    say("  {:<30} {:>7} {:>8} {:>9} {:>9} {:<10}{}\n", p.gpu.name, doctor::bytes_text(p.gpu.memory),
        held(p), seconds(p.transfer_s), p.work_s ? seconds(*p.work_s) : "not known", p.bound,
        several);
}

void print_meetings(GpuWork const& work) {
    auto const all = meetings_of(work);
    if (all.empty()) return;
    say("\n  each of {} they add up {} (all-reduce), or hand over edges of {} (halo)\n",
        plural(static_cast<index>(work.exchanges), "meeting"), doctor::bytes_text(work.all_reduce),
        doctor::bytes_text(work.halo));
    say("  {:<20} {:>5} {:>11} {:>11}\n", "", "GPUs", "all-reduce", "halo");
    for (Meeting const& m : all)
        say("  {:<20} {:>5} {:>11} {:>11}\n", m.link, m.gpus, seconds(m.all_reduce_s),
            seconds(m.halo_s));
}

}  // namespace

Json devices_to_json(WorkPlan const& plan) {
    if (!plan.gpu) return nullptr;
    GpuWork const& w = *plan.gpu;
    Json j{{"measured", false},
           {"work",
            {{"shared_bytes", w.shared},
             {"whole_bytes", w.whole},
             {"up_bytes", w.up},
             {"bytes", w.bytes},
             {"flop", w.flop},
             {"launches", w.launches},
             {"exchanges", w.exchanges},
             {"all_reduce_bytes", w.all_reduce},
             {"halo_bytes", w.halo},
             {"basis", w.basis}}},
           {"assumptions", plan_assumptions()},
           {"notes", {one_gpu}},
           {"meetings", Json::array()},
           {"gpus", Json::array()}};
    for (Meeting const& m : meetings_of(w))
        j["meetings"].push_back({{"link", m.link},
                                 {"gpus", m.gpus},
                                 {"all_reduce_s", m.all_reduce_s},
                                 {"halo_s", m.halo_s}});
    for (GpuPlan const& p : plan_gpus(w)) j["gpus"].push_back(to_json(p));
    return j;
}

void print_devices(WorkPlan const& plan) {
    say("\nGPUs, estimated from data sheets: nothing of this was measured\n");
    if (!plan.gpu) {
        say("  none: {}\n", plan.no_gpu);
        return;
    }
    GpuWork const& w = *plan.gpu;
    say("  {} on it, {} of them shared out where there are several; {}, {} read and written\n",
        doctor::bytes_text(w.shared + w.whole), doctor::bytes_text(w.shared),
        doctor::amount(w.flop, "FLOP"), doctor::amount(w.bytes, "B"));
    say("  {:<30} {:>7} {:>8} {:>9} {:>9} {:<10} {:>10} {:>10} {:>10}\n", "", "memory", "hold it",
        "copying", "work", "bound by", "2 GPUs", "4 GPUs", "8 GPUs");
    for (GpuPlan const& p : plan_gpus(w)) print_row(p);
    print_meetings(w);
    say("\n  hold it: how many such GPUs do; in brackets: less than 70 % of what each could do\n");
    say("  {}\n", w.basis);
    for (std::string const& line : plan_assumptions()) say("  {}\n", line);
    say("  {}\n", one_gpu);
}

}  // namespace sluice::cli
