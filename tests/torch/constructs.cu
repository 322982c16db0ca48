/* What functions around kernels say, a construct each; compiled as CUDA C++ and as plain C++17, and
 * checked where they run. Each function throws where a construct does not do what it does in torch. */
#include <ATen/ATen.h>
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/ceil_div.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>
#include <c10/util/Optional.h>
#include <pybind11/pybind11.h>
#include <torch/all.h>
#include <torch/extension.h>
#include <torch/library.h>
#include <torch/python.h>
#include <torch/script.h>
#include <torch/torch.h>
#include <torch/types.h>

using torch::Tensor;

/* --- Macros that projects define for themselves. */
#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")
#define CHECK_TYPE(x) AT_ASSERTM(x.type().is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x)                                                                             \
    CHECK_CUDA(x);                                                                                 \
    CHECK_CONTIGUOUS(x)
#define CHECK_TORCH_TENSOR_DTYPE(T, th_type)                                                       \
    if (((T).options().dtype() != (th_type))) {                                                    \
        std::cout << "Tensor Info:" << (T).options() << std::endl;                                 \
        throw std::runtime_error("values must be " #th_type);                                      \
    }
#define DISPATCH_HALF_AND_BF16(TYPE, NAME, ...)                                                    \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                 \
                       AT_DISPATCH_CASE(at::ScalarType::Half, __VA_ARGS__)                         \
                           AT_DISPATCH_CASE(at::ScalarType::BFloat16, __VA_ARGS__))

void checks_of_projects(Tensor A) {
    CHECK_INPUT(A);
    CHECK_TYPE(A);
    CHECK_TORCH_TENSOR_DTYPE(A, torch::kHalf)
}
void checks_of_words(Tensor A, Tensor B) {
    TORCH_CHECK(A.dim() == 2 && B.dim() == 2, "2-D, got ", A.dim(), " and ", B.sizes());
    TORCH_CHECK_EQ(A.size(1), B.size(0));
    TORCH_CHECK_LE(A.size(-1), A.numel());
    TORCH_INTERNAL_ASSERT(A.defined());
    TORCH_WARN("slow");
    if (A.dim() != 2)
        AT_ERROR("no matrix");
}
void checks_of_types(Tensor A) {
    TORCH_CHECK(A.scalar_type() == at::ScalarType::Half, "half, got ", A.scalar_type());
    TORCH_CHECK(A.dtype() == torch::kHalf && A.dtype() == at::kHalf);
    TORCH_CHECK(A.dtype() == torch::kFloat16 && A.dtype() != torch::kFloat32);
    TORCH_CHECK(A.dtype() != torch::kBFloat16 && A.scalar_type() != c10::ScalarType::BFloat16);
    TORCH_CHECK(A.type().scalarType() == torch::kFloat16 && A.is_floating_point());
    TORCH_CHECK(A.dtype().itemsize() == 2 && A.element_size() == 2 && A.itemsize() == 2);
    TORCH_CHECK(c10::CppTypeToScalarType<at::Half>::value == A.scalar_type());
    TORCH_CHECK(std::string(toString(A.scalar_type())) == "Half");
}
void checks_of_devices(Tensor A, Tensor B) {
    TORCH_CHECK(A.is_cuda() && A.device().type() == torch::kCUDA && A.device() == B.device());
    TORCH_CHECK(A.get_device() == A.device().index(), A.device());
    TORCH_CHECK(!A.is_cpu() && A.layout() == torch::kStrided && !A.requires_grad());
}
void checks_of_cuda(Tensor) {
    C10_CUDA_CHECK(cudaGetLastError());
    AT_CUDA_CHECK(cudaPeekAtLastError());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
}

/* --- Guards and streams. */
void cuda_guard(Tensor A) {
    const c10::cuda::CUDAGuard guard(A.device());
    at::cuda::CUDAGuard other{(char)A.get_device()};
}
void optional_guard(Tensor A) {
    const at::cuda::OptionalCUDAGuard device_guard(device_of(A));
    const c10::cuda::OptionalCUDAGuard other(at::device_of(A));
    c10::DeviceGuard guard(A.device());
}
void streams(Tensor A) {
    cudaStream_t a = at::cuda::getCurrentCUDAStream();
    cudaStream_t b = c10::cuda::getCurrentCUDAStream(A.get_device()).stream();
    auto c = at::cuda::getCurrentCUDAStream(A.device().index());
    TORCH_CHECK(a == b && b == c.stream());
    at::cuda::CUDAStreamGuard guard(c);
}
void properties(Tensor) {
    const cudaDeviceProp *p = at::cuda::getCurrentDeviceProperties();
    TORCH_CHECK(p->multiProcessorCount > 0 && at::cuda::warp_size() == 32);
    TORCH_CHECK(torch::cuda::is_available() && c10::cuda::current_device() == 0);
}
void no_grad(Tensor) {
    torch::NoGradGuard no_grad;
    c10::InferenceMode mode;
}

/* --- Views. */
void sizes_and_strides(Tensor A) {
    const auto sizes = A.sizes();
    const auto M = sizes[0], K = sizes[1];
    std::vector<int64_t> vec = A.sizes().vec();
    const int64_t *strides = A.strides().data();
    TORCH_CHECK(A.stride(0) == K && A.stride(-1) == 1 && strides[0] == K, A.strides());
    TORCH_CHECK(vec.size() == 2 && vec[0] == M && A.sizes() == torch::IntArrayRef({M, K}));
    TORCH_CHECK(A.sizes().equals(vec) && A.ndimension() == 2 && A.numel() == M * K);
    TORCH_CHECK(A.nbytes() == 2 * static_cast<size_t>(M * K) && A.sizes().front() == M);
}
void transposed(Tensor A) {
    auto t = A.t();
    TORCH_CHECK(t.size(0) == A.size(1) && t.stride(0) == 1 && t.data_ptr() == A.data_ptr());
    TORCH_CHECK(A.size(0) == 1 || !t.is_contiguous());
    TORCH_CHECK(A.transpose(0, 1).sizes() == t.sizes() &&
                A.transpose(-2, -1).stride(1) == A.size(1));
    TORCH_CHECK(A.permute({1, 0}).strides() == t.strides() && A.mT().t().is_contiguous());
}
void viewed(Tensor A) {
    TORCH_CHECK(A.view({A.size(0), A.size(1)}).sizes() == A.sizes() && A.view(-1).dim() == 1);
    TORCH_CHECK(A.view({1, -1, A.size(1)}).size(1) == A.size(0) && A.view_as(A).dim() == 2);
    TORCH_CHECK(A.reshape({A.numel()}).size(0) == A.numel() && A.flatten().dim() == 1);
    TORCH_CHECK(A.unsqueeze(0).squeeze(0).sizes() == A.sizes() && A.unsqueeze(-1).dim() == 3);
    TORCH_CHECK(A.slice(0, 1, 2).data_ptr<at::Half>() == A.data_ptr<at::Half>() + A.size(1));
    TORCH_CHECK(A.narrow(1, 0, 1).size(1) == 1 && A[0].dim() == 1 &&
                A.select(0, 0).size(0) == A.size(1));
    bool thrown = false;
    try {
        A.t().view({-1, 1});
    } catch (const c10::Error &e) {
        thrown = true;
    }
    TORCH_CHECK(thrown || A.size(0) == 1);
}

/* --- Pointers and accessors. */
void pointers(Tensor A) {
    half *raw = reinterpret_cast<half *>(A.data_ptr());
    const __half *typed = reinterpret_cast<const __half *>(A.data_ptr<at::Half>());
    const at::Half *constant = A.const_data_ptr<at::Half>();
    TORCH_CHECK(raw == typed && raw == (half *)A.mutable_data_ptr<at::Half>());
    TORCH_CHECK((const void *)constant == static_cast<void *>(A.data_ptr<c10::Half>()));
    TORCH_CHECK((half *)A.unsafeGetTensorImpl()->mutable_data() == raw &&
                A.data<at::Half>() == constant);
}
void wrong_pointer(Tensor A) {
    std::string words;
    try {
        A.data_ptr<float>();
    } catch (const std::exception &e) {
        words = e.what();
    }
    TORCH_CHECK(words.find("expected scalar type Float but found Half") != std::string::npos,
                words);
}
template <typename T>
__global__ void
through_accessor(const torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits> a,
                 torch::PackedTensorAccessor64<T, 2> c) {
    c[0][0] = a[a.size(0) - 1][a.size(1) - 1];
}
void accessors(Tensor A) {
    auto p = A.packed_accessor32<at::Half, 2, torch::RestrictPtrTraits>();
    auto q = A.packed_accessor64<at::Half, 2>();
    TORCH_CHECK(p.size(1) == A.size(1) && q.stride(0) == A.stride(0));
    TORCH_CHECK(p[1].data() == A.data_ptr<at::Half>() + A.size(1) && &q[1][1] == p[1].data() + 1);
}

/* --- Tensors that are made. */
void made(Tensor A) {
    auto C = torch::empty({3, 5}, A.options());
    auto D =
        torch::zeros({3, 5}, torch::TensorOptions().dtype(torch::kFloat32).device(torch::kCUDA, 0));
    auto E = at::empty({4}, A.options().dtype(at::kFloat));
    auto F = torch::zeros_like(D, torch::dtype(torch::kBFloat16)), G = torch::empty_like(A);
    auto H = torch::empty({A.size(0), 2}, torch::dtype(torch::kInt32).device(A.device()));
    auto I = A.new_empty({7}), J = A.new_zeros({2, 2}, torch::kFloat);
    std::vector<int64_t> sizes = {2, 3};
    auto K = torch::empty(sizes, A.options().requires_grad(false)), L = torch::ones({2}, at::kHalf);
    auto M = torch::full({2, 2}, 0.5, A.options()), N = torch::empty({1}, torch::kUInt8);
    TORCH_CHECK(C.dtype() == torch::kHalf && D.dtype() == torch::kFloat && E.numel() == 4);
    TORCH_CHECK(F.scalar_type() == at::kBFloat16 && G.sizes() == A.sizes() &&
                H.element_size() == 4);
    TORCH_CHECK(I.nbytes() == 14 && J.nbytes() == 16 && K.dim() == 2 && L.size(0) == 2);
    TORCH_CHECK(M.is_same_size(J) && N.nbytes() == 1 && C.data_ptr() != K.data_ptr());
    TORCH_CHECK(torch::from_blob(A.data_ptr(), {2, 2}, A.options()).data_ptr() == A.data_ptr());
}
void changed(Tensor A) {
    auto C = A.t().contiguous(), D = A.to(torch::kFloat32),
         E = A.to(A.options().dtype(at::kBFloat16));
    auto F = torch::empty_like(D);
    F.copy_(A);
    F.fill_(0);
    F.fill_(1.5f).zero_();
    F.zero_();
    TORCH_CHECK(C.is_contiguous() && C.size(0) == A.size(1) && D.dtype() == torch::kFloat);
    TORCH_CHECK(E.dtype() == torch::kBFloat16 && A.contiguous().data_ptr() == A.data_ptr());
    TORCH_CHECK(A.clone().data_ptr() != A.data_ptr() && D.half().dtype() == torch::kHalf);
    TORCH_CHECK(A.to(torch::kCUDA).data_ptr() == A.data_ptr() && A.detach().cuda().dim() == 2);
}
void optionals(Tensor A, std::optional<Tensor> bias = std::nullopt,
               c10::optional<Tensor> out = c10::nullopt) {
    TORCH_CHECK(!bias.has_value() && !out && c10::make_optional(A)->dim() == 2);
}

/* --- Types. */
template <typename scalar_t> __global__ void element(const scalar_t *a, scalar_t *c, int k) {
    using acc_t = at::acc_type<scalar_t, true>;
    acc_t sum = 0;
    CUDA_KERNEL_LOOP(i, k) sum += static_cast<acc_t>(a[i]) * static_cast<acc_t>(a[i]);
    scalar_t plain = a[0] * a[1] + scalar_t(1);
    plain += a[2];
    if (plain < a[0] || plain != a[1])
        c[1] = plain / a[2] - a[1];
    c[0] = static_cast<scalar_t>(sum);
}
void dispatched(Tensor A, Tensor C) {
    dim3 grid(at::ceil_div(A.size(0), (int64_t)16)), block(16);
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(A.scalar_type(), "f", ([&] {
                                            element<scalar_t><<<grid, block>>>(
                                                A.data_ptr<scalar_t>(), C.data_ptr<scalar_t>(), 0);
                                        }));
    AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, A.scalar_type(),
                                    "g", [&] {
                                        const scalar_t *p = A.const_data_ptr<scalar_t>();
                                        TORCH_CHECK((const void *)p == A.data_ptr());
                                    });
    DISPATCH_HALF_AND_BF16(A.scalar_type(), "h", [&] { (void)sizeof(scalar_t); });
    const int bits = AT_DISPATCH_REDUCED_FLOATING_TYPES(A.scalar_type(), "i",
                                                        [&] { return 8 * (int)sizeof(scalar_t); });
    AT_DISPATCH_ALL_TYPES_AND(torch::kHalf, A.type(), "j",
                              [&] { TORCH_CHECK(sizeof(scalar_t) == 2); });
    TORCH_CHECK(bits == 16);
}
void not_dispatched(Tensor A) {
    std::string words;
    try {
        AT_DISPATCH_FLOATING_TYPES(A.scalar_type(), "mine", [&] { (void)sizeof(scalar_t); });
    } catch (const std::exception &e) {
        words = e.what();
    }
    TORCH_CHECK(words == "mine: not implemented for 'Half'", words);
}
void numbers(Tensor) {
    at::Half h = 1.5f;
    c10::BFloat16 b = 2.0f;
    h = h * 2 + 0.5f;
    b -= 1;
    TORCH_CHECK(static_cast<float>(h) == 3.5f && float(b) == 1 && h > at::Half(3.0f) && -h < h);
    TORCH_CHECK(static_cast<__half>(h).operator float() == 3.5f && sizeof(h) == 2);
    at::opmath_type<at::Half> wide = h;
    TORCH_CHECK(wide / 2 == 1.75f && at::Scalar(2).to<float>() == 2 &&
                std::max(h, at::Half(4)) == at::Half(4));
}
void printed(Tensor A) {
    std::ostringstream out;
    out << A.dtype() << ' ' << torch::IntArrayRef({1, 2}) << ' ' << torch::Device(torch::kCUDA, 0)
        << ' ' << A.options().dtype(torch::kBFloat16);
    TORCH_CHECK(out.str() == "Half [1, 2] cuda:0 BFloat16", out.str());
}

/* --- Registrations. */
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    using namespace pybind11::literals;
    m.doc() = "products";
    m.def("f", &checks_of_words, "a product", py::arg("A"), py::arg("B") = 1);
    m.def("g", &checks_of_types, "A"_a, py::call_guard<py::gil_scoped_release>());
    m.def("h", [](Tensor a) { return a; });
    m.attr("version") = "1";
}
TORCH_LIBRARY(mine, m) {
    m.def("f(Tensor A, Tensor B) -> ()");
    m.def("g(Tensor A) -> ()", {at::Tag::pt2_compliant_tag});
    m.impl("g", torch::kCUDA, &checks_of_types);
}
TORCH_LIBRARY_FRAGMENT(mine, m) {
    m.def("h", TORCH_FN(checks_of_types));
}
TORCH_LIBRARY_IMPL(mine, CUDA, m) {
    m.impl("f", &checks_of_words);
    m.impl("g", torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(checks_of_types)));
}
static auto registry =
    torch::RegisterOperators("mine::f", &checks_of_words).op("mine::g", &checks_of_types);

/* All of them; then the product, so that this is a kernel. */
Tensor all(Tensor &A, const Tensor &B, Tensor &&) {
    const Tensor C = torch::empty({A.size(0), B.size(1)}, A.options());
    checks_of_projects(A), checks_of_words(A, B), checks_of_types(A), checks_of_devices(A, B),
        checks_of_cuda(A);
    cuda_guard(A), optional_guard(A), streams(A), properties(A), no_grad(A);
    sizes_and_strides(A), transposed(A), viewed(A), pointers(A), wrong_pointer(A), accessors(A);
    made(A), changed(A), optionals(A), dispatched(A, C), not_dispatched(A), numbers(A), printed(A);
    return C;
}
template __global__ void through_accessor<at::Half>(
    const torch::PackedTensorAccessor32<at::Half, 2, torch::RestrictPtrTraits>,
    torch::PackedTensorAccessor64<at::Half, 2>);
__global__ void product(const half *a, const half *b, half *c, int m, int n, int k) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y,
              col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += __half2float(a[row * k + i]) * __half2float(b[i * n + col]);
    c[row * n + col] = __float2half(sum);
}
Tensor forward(Tensor A, Tensor B) {
    Tensor C = all(A, B, A.clone());
    dim3 block(16, 16), grid((B.size(1) + 15) / 16, (A.size(0) + 15) / 16);
    product<<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>(
        reinterpret_cast<const half *>(A.data_ptr<at::Half>()),
        reinterpret_cast<const half *>(B.data_ptr<at::Half>()),
        reinterpret_cast<half *>(C.data_ptr<at::Half>()), A.size(0), B.size(1), A.size(1));
    return C;
}
