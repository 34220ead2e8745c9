using Dump.Model.Mangling;

namespace Dump.Readers.Tests.Mangling;

/// <summary>C++ names of the Itanium scheme. What is expected is what <c>c++filt -p -i</c> of binutils 2.40 prints.</summary>
public sealed class ItaniumNameTests
{
    [Theory]
    [InlineData("_Z3addii", "add")]
    [InlineData("_ZN5Queue4PushEi", "Queue::Push")]
    [InlineData("_ZNK5Queue4SizeEv", "Queue::Size")]
    [InlineData("_ZNKO5Queue4TakeEv", "Queue::Take")]
    [InlineData("_ZN4Shop5QueueC1Ev", "Shop::Queue::Queue")]
    [InlineData("_ZN5QueueD0Ev", "Queue::~Queue")]
    [InlineData("_ZN12_GLOBAL__N_13RunEv", "(anonymous namespace)::Run")]
    [InlineData("_ZL6helperv", "helper")]
    [InlineData("_ZN4Shop4LoadB5cxx11Ev", "Shop::Load[abi:cxx11]")]
    [InlineData("_Z4workPFvPvES_.constprop.0", "work")]
    [InlineData("_ZN4Shop4LoadEi.isra.0.cold", "Shop::Load")]
    [InlineData("_ZN4Shop4LoadEi.part.0", "Shop::Load")]
    [InlineData("_ZSt3minIiERKT_S2_S2_", "std::min<int>")]
    [InlineData("_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back")]
    [InlineData("_ZNSs6appendEPKc", "std::string::append")]
    [InlineData("_ZNSsC1ERKSs", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string")]
    [InlineData("_ZNSo5flushEv", "std::ostream::flush")]
    [InlineData(
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc",
        "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::append")]
    [InlineData("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "std::operator<< <std::char_traits<char> >")]
    [InlineData("_ZN5OrderltERKS_", "Order::operator<")]
    [InlineData("_ZN5OrderssERKS_", "Order::operator<=>")]
    [InlineData("_ZN5OrderclIiEEvT_", "Order::operator()<int>")]
    [InlineData("_ZN5OrderixEi", "Order::operator[]")]
    [InlineData("_ZN5OrdernwEm", "Order::operator new")]
    [InlineData("_ZdaPv", "operator delete[]")]
    [InlineData("_Zli3_kme", "operator\"\" _km")]
    [InlineData("_ZNK5OrdercvbEv", "Order::operator bool")]
    [InlineData("_ZN5OrdercvPT_IiEEv", "Order::operator int*<int>")]
    [InlineData("_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()")]
    [InlineData("_ZZ4mainENKUliE0_clEi", "main::{lambda(int)#2}::operator()")]
    [InlineData("_ZZN4Shop3runIiEEvT_ENKUlS1_E_clEi", "Shop::run<int>(int)::{lambda(auto:1)#1}::operator()")]
    [InlineData("_ZZ3runIJilEEvDpT_ENKUlT_T0_E_clIicEEDaS2_S3_", "run<int, long>(int, long)::{lambda(auto:1, auto:2)#1}::operator()<int, char>")]
    [InlineData("_ZZ3runvENKUlTyT_iE_clIiEEDaS0_i", "run()::{lambda<typename $T0>($T0, int)#1}::operator()<int>")]
    [InlineData("_ZZ3runvENKUlTtTyETyT_IT0_EE_clIiiEEv", "run()::{lambda<template<typename> class $TT0, typename $T1>($TT0<$T1>)#1}::operator()<int, int>")]
    [InlineData("_ZZ3runvENKUlDpT_E_clIJiiEEEvS1_", "run()::{lambda((auto:1)...)#1}::operator()<int, int>")]
    [InlineData("_ZN4Shop5PriceMUlvE_clEv", "Shop::Price::{lambda()#1}::operator()")]
    [InlineData("_ZZN5OrderC4EiEd_NKUlvE_clEv", "Order::Order(int)::{default arg#1}::{lambda()#1}::operator() const")]
    [InlineData("_ZN5OrderUt_3getEv", "Order::{unnamed type#1}::get")]
    [InlineData("_ZZ3runvEN5Local4stepEv", "run()::Local::step")]
    [InlineData("_ZZ3runvE5count_0", "run()::count")]
    [InlineData("_Z1fILin3ELDn0EEvv", "f<-3, (decltype(nullptr))0>")]
    [InlineData("_Z1fIXadL_Z3barvEEEvv", "f<&(bar())>")]
    [InlineData("_Z1fIXadL_ZN1A1gEiEEEvv", "f<&A::g>")]
    [InlineData("_Z1fIL_Z3barEEvv", "f<bar>")]
    [InlineData("_Z1fILd3ff8000000000000EEvv", "f<(double)[3ff8000000000000]>")]
    [InlineData("_Z1fIPFviEEvT_", "f<void (*)(int)>")]
    [InlineData("_Z1fIPFPFivEcEEvT_", "f<int (*(*)(char))()>")]
    [InlineData("_Z1fIA3_A4_KcEvRT_", "f<char const [3][4]>")]
    [InlineData("_Z1fIRA5_iEvT_", "f<int (&) [5]>")]
    [InlineData("_Z1fIM5OrderKFviEEvT_", "f<void (Order::*)(int) const>")]
    [InlineData("_Z1fIM5OrderiEvT_", "f<int Order::*>")]
    [InlineData("_Z1fIFviREEvv", "f<void (int) &>")]
    [InlineData("_Z1fIPDoFivEEvT_", "f<int (*)() noexcept>")]
    [InlineData("_Z1fIDv4_iEvT_", "f<int __vector(4)>")]
    [InlineData("_Z1fIJEEvDpT_", "f<>")]
    [InlineData("_Z1fIJiicEEvDpT_", "f<int, int, char>")]
    [InlineData("_Z1fIiJEEvDpT0_", "f<int>")]
    [InlineData("_Z1fIRiEvOT_", "f<int&>")]
    [InlineData("_ZN1AI1BIiEE1fEv", "A<B<int> >::f")]
    [InlineData("_Z1fIiENSt9enable_ifIXgtstT_Li4EEE4typeES1_", "f<int>")]
    [InlineData("_ZN2B2CI12B1Eic", "B2::B1")]
    [InlineData("_ZThn16_N4Shop5Queue4PushEi", "non-virtual thunk to Shop::Queue::Push(int)")]
    [InlineData("_ZTv0_n24_N4Shop5Queue4PushEi", "virtual thunk to Shop::Queue::Push(int)")]
    [InlineData("_ZTch0_v0_n24_N4Shop5Queue5CloneEv", "covariant return thunk to Shop::Queue::Clone()")]
    [InlineData("_ZTW7current", "TLS wrapper function for current")]
    [InlineData("_ZTV5Queue", "vtable for Queue")]
    [InlineData("_ZGVZ3runvE5count", "guard variable for run()::count")]
    [InlineData(
        "_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJPFvvEEEEEE6_M_runEv",
        "std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)()> > >::_M_run")]
    [InlineData("_Z1fILi3ELj4ELl5ELc97ELb1ELin3EEvv", "f<3, 4u, 5l, (char)97, true, -3>")]
    [InlineData("_ZZ1gILi2EEvP1IIXplT_Li1EEEENKUlvE_clEv", "g<2>(I<(2)+(1)>*)::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gILi2EEvP1IIXgtT_Li1EEEENKUlvE_clEv", "g<2>(I<((2)>(1))>*)::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gILi2EEvP1IIXquntT_ngT_Li0EEEENKUlvE_clEv", "g<2>(I<(!(2))?(-(2)) : (0)>*)::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvP1IIXstT_EEENKUlvE_clEv", "g<int>(I<sizeof (int)>*)::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvP1IIXsr3CapIT_E5valueEEENKUlvE_clEv", "g<int>(I<Cap<int>::value>*)::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIJilEEvP1IIXsZT_EEENKUlvE_clEv", "g<int, long>(I<2>*)::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIJilEEvP1IIXspstT_EEENKUlvE_clEv", "g<int, long>(I<sizeof (int), sizeof (long)>*)::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIJLi1ELi2EEEvP1IIXfrplT_EEENKUlvE_clEv", "g<1, 2>(I<((1, 2)+...)>*)::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIJLi1ELi2EEEvP1IIXfLplLi0ET_EEENKUlvE_clEv", "g<1, 2>(I<((0)+...+(1, 2))>*)::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTcl4testfp_Li1EEEENKUlvE_clEv", "g<int>(int, decltype (test({parm#1}, 1)))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTcldtfp_4sizeEEENKUlvE_clEv", "g<int>(int, decltype (({parm#1}.size)()))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTptfp_4sizeEENKUlvE_clEv", "g<int>(int, decltype ({parm#1}->size))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTscT_fp_EENKUlvE_clEv", "g<int>(int, decltype (static_cast<int>({parm#1})))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTcvT_fp_EENKUlvE_clEv", "g<int>(int, decltype ((int){parm#1}))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTixfp_Li0EEENKUlvE_clEv", "g<int>(int, decltype ({parm#1}[0]))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTtlT_fp_EEENKUlvE_clEv", "g<int>(int, decltype (int{{parm#1}}))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTppfp_EENKUlvE_clEv", "g<int>(int, decltype ({parm#1}++))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTpp_fp_EENKUlvE_clEv", "g<int>(int, decltype (++{parm#1}))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTnw_T_piLi1EEEENKUlvE_clEv", "g<int>(int, decltype (new int(1)))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTdlfp_EENKUlvE_clEv", "g<int>(int, decltype (delete {parm#1}))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTtwfp_EENKUlvE_clEv", "g<int>(int, decltype (throw {parm#1}))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTtrEENKUlvE_clEv", "g<int>(int, decltype (throw))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvT_DTcl2onIhEgsfp_EEENKUlvE_clEv", "g<int>(int, decltype ((on<unsigned char>)(::{parm#1})))::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvRA_KT_ENKUlvE_clEv", "g<int>(int const (&) [])::{lambda()#1}::operator()")]
    [InlineData("_ZZ1gIiEvCdGfENKUlvE_clEv", "g<int>(double _Complex, float _Imaginary)::{lambda()#1}::operator()")]
    [InlineData("_ZN1A1xC1IiEEv", "A::x::x<int>")]
    [InlineData(
        "_ZN4absl11string_viewcvNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEv",
        "absl::string_view::operator std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >")]
    [InlineData("_ZZ1fvENK1XclEi", "f()::X::operator()")]
    [InlineData(
        "_ZSt4moveIRSt10unique_ptrIiSt14default_deleteIiEEEONSt16remove_referenceIT_E4typeEOS6_",
        "std::move<std::unique_ptr<int, std::default_delete<int> >&>")]
    [InlineData("_ZNSt8functionIFviEE4swapERS1_", "std::function<void (int)>::swap")]
    [InlineData("_Z1fIFPA3_iiEEvv", "f<int (*(int)) [3]>")]
    [InlineData("_Z1fIPVrKiEvv", "f<int const restrict volatile*>")]
    [InlineData("_Z1fIU3AS1iEvv", "f<int AS1>")]
    [InlineData("_ZN1S1mEDF16_", "S::m")]
    [InlineData("_Z1fIDF16_DhDiDsDuDnEvv", "f<_Float16, half, char32_t, char16_t, char8_t, decltype(nullptr)>")]
    public void Name_is_that_of_the_binutils(string mangled, string expected) => Assert.Equal(expected, MangledNames.Readable(mangled));

    /// <summary>Where the binutils print the linker's name, or something that is not in the source.</summary>
    [Theory]
    [InlineData("_ZN5OrdercvSt6vectorIT_SaIS1_EEIiEEv", "Order::operator std::vector<int, std::allocator<int> ><int>")]
    [InlineData("_ZZ1gIiEvT_DTnxfp_EENKUlvE_clEv", "g<int>(int, decltype (noexcept({parm#1})))::{lambda()#1}::operator()")]
    [InlineData("_Z1fIJEvEvv", "f<void>")]
    public void Name_is_read_where_the_binutils_do_not_read_it(string mangled, string expected) => Assert.Equal(expected, MangledNames.Readable(mangled));

    [Theory]
    [InlineData("")]
    [InlineData("_")]
    [InlineData("_Z")]
    [InlineData("_ZN")]
    [InlineData("_ZNE")]
    [InlineData("_ZN5Queue4Push")]
    [InlineData("_ZN9Queue")]
    [InlineData("_Z1fIiv")]
    [InlineData("_ZNS_1fEv")]
    [InlineData("_ZN1AC1")]
    [InlineData("_Z1fIT_Evv")]
    [InlineData("_Z99999999999999999999f")]
    [InlineData("main")]
    [InlineData("_start")]
    [InlineData("pthread_mutex_lock")]
    [InlineData("__cxa_guard_acquire")]
    [InlineData("___pthread_cond_wait")]
    [InlineData("malloc.cold")]
    public void What_is_no_mangled_name_has_none(string name) => Assert.Null(MangledNames.Readable(name));

    /// <summary>A frame stays readable: inner lists are shortened before the ones around them.</summary>
    [Theory]
    [InlineData(
        "_ZNSt8_Rb_treeINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt4pairIKS5_iESt10_Select1stIS8_ESt4lessIS5_ESaIS8_EE4findERS7_",
        "std::_Rb_tree<...>::find")]
    [InlineData(
        "_ZNSt6vectorISt4pairINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiESaIS7_EE9push_backERKS7_",
        "std::vector<std::pair<...>, std::allocator<std::pair<...> > >::push_back")]
    [InlineData(
        "_ZZ4loadNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES4_ENKUlvE_clEv",
        "load(...)::{lambda()#1}::operator()")]
    public void Long_lists_are_shortened(string mangled, string expected) => Assert.Equal(expected, MangledNames.Readable(mangled));

    [Fact]
    public void Lists_are_whole_where_that_is_asked_for() => Assert.Equal(
        "std::vector<std::pair<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, int>, std::allocator<std::pair<"
            + "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, int> > >::push_back",
        MangledNames.Readable("_ZNSt6vectorISt4pairINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiESaIS7_EE9push_backERKS7_", int.MaxValue));
}
