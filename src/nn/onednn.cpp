// Operators by oneDNN, the only file that knows it; each runs on the thread that calls it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <dnnl.hpp>
#include <unordered_map>

#include "device/isa.h"
#include "nn/operator.h"

#if DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_OMP
// libdnnl shares its work by OpenMP, and asks the calling thread how many threads it may take.
// omp.h belongs to the compiler, these functions to the library that libdnnl brings.
extern "C" int omp_get_max_threads();
extern "C" void omp_set_num_threads(int);
#else
// It has no threads, which is all that is asked of it here.
static int omp_get_max_threads() {
    return 1;
}
static void omp_set_num_threads(int) {}
#endif

namespace sluice::nn {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

// Strips are what threads share, so that each primitive has one thread, and results do not depend
// on how many there are.
class OneThread {
  public:
    OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
    ~OneThread() { omp_set_num_threads(before_); }
    OneThread(OneThread const&) = delete;
    OneThread& operator=(OneThread const&) = delete;

  private:
    int before_;
};

dnnl::cpu_isa isa_of(Isa isa) {
    switch (isa) {
        case Isa::baseline:
            return dnnl::cpu_isa::sse41;
        case Isa::avx2:
            return dnnl::cpu_isa::avx2;
        case Isa::avx512:
            break;
    }
#if DNNL_VERSION_MAJOR < 3
    return dnnl::cpu_isa::all;
#else
    return dnnl::cpu_isa::isa_default;
#endif
}

dnnl::engine const& engine() {
    static dnnl::engine const made = [] {
        // Where SLUICE_ISA asks for less than the processor has, so does this.
        dnnl::set_max_cpu_isa(isa_of(chosen_isa()));
        return dnnl::engine(dnnl::engine::kind::cpu, 0);
    }();
    return made;
}

memory::data_type type_of(Element e) {
    return e == Element::f32 ? memory::data_type::f32 : memory::data_type::bf16;
}

struct Made {
    dnnl::primitive primitive;
    memory::desc x, weights, y, scratch;
    std::string name;
};

template <class Described>
Made made(Described const& d, dnnl::primitive primitive) {
    return {std::move(primitive), d.src_desc(),        d.weights_desc(),
            d.dst_desc(),         d.scratchpad_desc(), d.impl_info_str()};
}

dnnl::primitive_attr attributes(bool add) {
    dnnl::primitive_attr a;
    a.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (add) {
        dnnl::post_ops ops;
        ops.append_sum(1.0F);
        a.set_post_ops(ops);
    }
    return a;
}

// A primitive, by the words that describe it.
template <class Primitive, class... Words>
typename Primitive::primitive_desc described(bool add, Words const&... words) {
#if DNNL_VERSION_MAJOR < 3
    return {typename Primitive::desc(words...), attributes(add), engine()};
#else
    return {engine(), words..., attributes(add)};
#endif
}

memory::dims kernel_of(Shape const& s) {
    if (s.kind == Kind::square) return {3, 3};
    return {s.scale[0], s.scale[1]};
}

Made make_convolution(Task const& t) {
    Shape const& s = t.shape;
    memory::dims const k = kernel_of(s);
    memory::desc const x({1, s.in, s.rows_in() + 2 * s.halo(), s.width}, type_of(t.from),
                         Tag::nhwc);
    memory::desc const y({1, s.out, s.rows_out(), s.width_out()}, type_of(t.to), Tag::nhwc);
    memory::desc const w({s.out, s.in, k[0], k[1]}, type_of(t.from), Tag::any);
    memory::dims const step =
        s.kind == Kind::square ? memory::dims{1, 1} : memory::dims{s.scale[0], s.scale[1]};
    // The rows above and below are in the strip.
    memory::dims const around = {0, s.halo()};
    auto const d = described<dnnl::convolution_forward>(t.add, dnnl::prop_kind::forward_inference,
                                                        dnnl::algorithm::convolution_direct, x, w,
                                                        y, step, around, around);
    return made(d, dnnl::convolution_forward(d));
}

Made make_transposed(Task const& t) {
    Shape const& s = t.shape;
    memory::dims const k = kernel_of(s);
    memory::desc const x({1, s.in, s.rows_in(), s.width}, type_of(t.from), Tag::nhwc);
    memory::desc const y({1, s.out, s.rows_out(), s.width_out()}, type_of(t.to), Tag::nhwc);
    memory::desc const w({s.out, s.in, k[0], k[1]}, type_of(t.from), Tag::any);
    memory::dims const none = {0, 0};
    auto const d = described<dnnl::deconvolution_forward>(t.add, dnnl::prop_kind::forward_inference,
                                                          dnnl::algorithm::deconvolution_direct, x,
                                                          w, y, k, none, none);
    return made(d, dnnl::deconvolution_forward(d));
}

// A product of matrices for each row: the weights are the left one, channels are columns. What
// oneDNN calls source are our weights.
Made make_product(Task const& t) {
    Shape const& s = t.shape;
    memory::desc const w({1, s.across, s.width}, type_of(t.from), Tag::abc);
    memory::desc const x({s.rows, s.width, s.in}, type_of(t.from), Tag::abc);
    memory::desc const y({s.rows, s.across, s.in}, type_of(t.to), Tag::abc);
    auto const d = described<dnnl::matmul>(t.add, w, x, y);
    return {dnnl::matmul(d), x, w, y, d.scratchpad_desc(), d.impl_info_str()};
}

Made make_primitive(Task const& t) {
    switch (t.shape.kind) {
        case Kind::grow:
            return make_transposed(t);
        case Kind::along_width:
            return make_product(t);
        default:
            return make_convolution(t);
    }
}

// How PyTorch lays them out, in the order of dimensions that oneDNN has.
memory::desc published(Shape const& s) {
    auto const f32 = memory::data_type::f32;
    if (s.kind == Kind::along_width) return {{1, s.across, s.width}, f32, Tag::abc};
    memory::dims const k = kernel_of(s);
    return {{s.out, s.in, k[0], k[1]}, f32, s.kind == Kind::grow ? Tag::iohw : Tag::oihw};
}

class Primitive final : public Operator {
  public:
    Primitive(Task const& task, std::span<float const> weights)
        : product_(task.shape.kind == Kind::along_width),
          made_(make_primitive(task)),
          weights_(made_.weights, engine()) {
        // The library reads it only.
        memory given(published(task.shape), engine(), const_cast<float*>(weights.data()));
        dnnl::stream stream(engine());
        dnnl::reorder(given, weights_).execute(stream, given, weights_);
        stream.wait();
    }

    void run(void const* x, void* y, std::byte* scratch) const override {
        OneThread const one;
        dnnl::stream stream(engine());
        memory const from(made_.x, engine(), const_cast<void*>(x));
        memory const to(made_.y, engine(), y);
        memory const room(made_.scratch, engine(), scratch);
        made_.primitive.execute(stream, {{product_ ? DNNL_ARG_WEIGHTS : DNNL_ARG_SRC, from},
                                         {product_ ? DNNL_ARG_SRC : DNNL_ARG_WEIGHTS, weights_},
                                         {DNNL_ARG_DST, to},
                                         {DNNL_ARG_SCRATCHPAD, room}});
        stream.wait();
    }

    index scratch_bytes() const override { return static_cast<index>(made_.scratch.get_size()); }
    index weight_bytes() const override { return static_cast<index>(made_.weights.get_size()); }
    std::string name() const override { return made_.name; }

  private:
    bool product_;
    Made made_;
    memory weights_;
};

}  // namespace

Result<std::unique_ptr<Operator const>> dnnl_operator(Task const& task,
                                                      std::span<float const> weights) {
    OneThread const one;
    try {
        return std::unique_ptr<Operator const>(std::make_unique<Primitive>(task, weights));
    } catch (dnnl::error const& e) {
        Shape const& s = task.shape;
        return Error{e.status == dnnl_out_of_memory ? Code::out_of_memory : Code::unavailable,
                     fmt::format("a layer from {} to {} channels of width {} cannot be computed "
                                 "(oneDNN: {}) take fp32, or another processor",
                                 s.in, s.out, s.width, e.message)};
    }
}

namespace {

bool has(dnnl::cpu_isa wanted) {
    static_cast<void>(engine());
    auto const isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    return (isa & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
}

}  // namespace

bool multiplies_bf16() {
    return has(dnnl::cpu_isa::avx512_core_bf16);
}

bool multiplies_bf16_matrices() {
    return has(dnnl::cpu_isa::avx512_core_amx);
}

}  // namespace sluice::nn
