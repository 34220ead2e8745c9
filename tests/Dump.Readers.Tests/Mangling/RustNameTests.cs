using Dump.Model.Mangling;

namespace Dump.Readers.Tests.Mangling;

/// <summary>Rust names of both schemes. What is expected is what <c>c++filt -p -i</c> of binutils 2.40 prints.</summary>
public sealed class RustNameTests
{
    [Theory]
    [InlineData("_RNvC5crate4main", "crate::main")]
    [InlineData("_RNvNtCs1234_4shop5queue4push", "shop::queue::push")]
    [InlineData("_RNvMNtCs1234_4shop5queueNtB2_5Queue4push", "<shop::queue::Queue>::push")]
    [InlineData("_RNvXNtCs1234_4shop5queueNtB2_5QueueNtB4_4Sell4sell", "<shop::queue::Queue as shop::Sell>::sell")]
    [InlineData("_RNvYNtCs1234_4shop5QueueNtB2_4Sell4sell", "<shop::Queue as shop::Queue::Sell>::sell")]
    [InlineData("_RINvNtC4core3mem8align_ofdE", "core::mem::align_of::<f64>")]
    [InlineData("_RINvCs1234_4shop3runINtB2_5QueuehKj3_EE", "shop::run::<shop::Queue<u8, 3>>")]
    [InlineData("_RNCNvCs1234_4shop4main0", "shop::main::{closure#0}")]
    [InlineData("_RNCNCNvCs1234_4shop4main00B5_", "shop::main::{closure#0}::{closure#0}")]
    [InlineData("_RNCNvCs1234_4shop4mains_0", "shop::main::{closure#1}")]
    [InlineData("_RNSNvCs1234_4shop4main6vtable", "shop::main::{shim:vtable#0}")]
    [InlineData("_RINvC4shop1fRShE", "shop::f::<&[u8]>")]
    [InlineData("_RINvC4shop1fTQeOzPlEE", "shop::f::<(&mut str, *mut !, *const i32)>")]
    [InlineData("_RINvC4shop1fDG_INtC4core2FnTRL0_eEEp6OutputhEL_E", "shop::f::<dyn for<'a> core::Fn<(&'a str,), Output = u8>>")]
    [InlineData("_RINvC4shop1fKb1_Kc78_Kan3_E", "shop::f::<true, 'x', -3>")]
    [InlineData("_RNvMs_Cs1234_4shopSh4sort", "<[u8]>::sort")]
    [InlineData("_RNvCs1234_4shop4main.llvm.123456", "shop::main")]
    [InlineData("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad")]
    [InlineData("_ZN4shop3run28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "shop::run::{{closure}}")]
    [InlineData(
        "_ZN62_$LT$shop..Queue$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE",
        "<shop::Queue<T> as core::ops::drop::Drop>::drop")]
    [InlineData("_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE.llvm.1234", "core::ptr::drop_in_place<alloc::string::String>")]
    [InlineData("_ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4sort17h0123456789abcdefE", "core::slice::<impl [T]>::sort")]
    [InlineData("_RNvXs0_Cs1234_4shopRShNtB5_4Sell4sell", "<&[u8] as shop::Sell>::sell")]
    [InlineData("_RNvMs_Cs1234_4shopINtB4_5QueuepE4push", "<shop::Queue<_>>::push")]
    [InlineData("_RINvC4shop1fFUKCRhEuE", "shop::f::<unsafe extern \"C\" fn(&u8)>")]
    [InlineData("_RINvC4shop1fDNtC4shop1TNtC4core4SendEL_E", "shop::f::<dyn shop::T + core::Send>")]
    [InlineData("_RNvC4shopu8gdel_5qa", "shop::gödel")]
    [InlineData("_RINvC4shop1fFEuFhEmE", "shop::f::<fn(), fn(u8) -> u32>")]
    [InlineData("_RINvC4shop1fFG_RL0_hERB7_E", "shop::f::<for<'a> fn(&'a u8) -> &_>")]
    [InlineData("_ZN51_$LT$shop..Queue$LT$T$GT$$u20$as$u20$shop..Sell$GT$4sell17h0123456789abcdefE", "<shop::Queue<T> as shop::Sell>::sell")]
    public void Name_is_that_of_the_binutils(string mangled, string expected) => Assert.Equal(expected, MangledNames.Readable(mangled));

    /// <summary>Where the binutils stop: characters outside of ASCII in the older scheme, hyphens of arrows, quotation marks.</summary>
    [Theory]
    [InlineData("_ZN4shop9g$uf6$del17h0123456789abcdefE", "shop::gödel")]
    [InlineData(
        "_ZN64_$LT$fn$LP$$RF$u8$RP$$u20$.$GT$$u20$u8$u20$as$u20$shop..Sell$GT$4sell17h0123456789abcdefE", "<fn(&u8) -> u8 as shop::Sell>::sell")]
    [InlineData("_RINvC4shop1fKc27_E", @"shop::f::<'\''>")]
    public void Name_is_read_where_the_binutils_do_not_read_it(string mangled, string expected) => Assert.Equal(expected, MangledNames.Readable(mangled));

    [Theory]
    [InlineData("_R")]
    [InlineData("_RN")]
    [InlineData("_R1NvC4shop3run")]
    [InlineData("_RNvC4shop")]
    [InlineData("_RNvC9shop3run")]
    [InlineData("_RNvC4shop3runX")]
    [InlineData("_RNvB_3run")]
    [InlineData("_RNvNvB0_3run3run")]
    [InlineData("_RNvC4shopu7gdel_5q")]
    [InlineData("_RINvC4shop3runKh3E")]
    [InlineData("_Reader")]
    [InlineData("_Run")]
    public void What_is_no_mangled_name_has_none(string name) => Assert.Null(MangledNames.Readable(name));

    /// <summary>A hash has many different digits; this is a name of C++.</summary>
    [Fact]
    public void A_name_that_looks_like_a_hash_stays() =>
        Assert.Equal("shop::run::h0000000000000000", MangledNames.Readable("_ZN4shop3run17h0000000000000000E"));

    [Fact]
    public void Long_lists_are_shortened() => Assert.Equal(
        "shop::run::<...>",
        MangledNames.Readable("_RINvC4shop3runINtC4shop20AVeryLongNameOfAQueuehEINtC4shop20AVeryLongNameOfAQueuetEINtC4shop20AVeryLongNameOfAQueuemEE"));

    /// <summary>Characters that change what a terminal shows come out of names too.</summary>
    [Fact]
    public void Result_is_clean() => Assert.Equal("shop::a?b", MangledNames.Readable("_ZN4shop9a$u202e$b17h0123456789abcdefE"));
}
