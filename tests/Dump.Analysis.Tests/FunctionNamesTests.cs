using Dump.Analysis.Names;

namespace Dump.Analysis.Tests;

/// <summary>Names of functions and modules in signatures: what builds and compilers add goes, what tells functions apart stays.</summary>
public sealed class FunctionNamesTests
{
    [Theory]
    [InlineData("Shop.Orders+<LoadAsync>d__5.MoveNext", "Shop.Orders.LoadAsync")]
    [InlineData("Shop.Orders+<LoadAsync>d__17`1.MoveNext", "Shop.Orders.LoadAsync")]
    [InlineData("Shop.Orders+<LoadAsync>d.MoveNext", "Shop.Orders.LoadAsync")]
    [InlineData("Shop.Orders.LoadAsync", "Shop.Orders.LoadAsync")]
    [InlineData("Shop.Orders+<>c__DisplayClass3_0.<Load>b__0", "Shop.Orders.Load.lambda")]
    [InlineData("Shop.Orders+<>c.<Load>b__12_3", "Shop.Orders.Load.lambda")]
    [InlineData("Shop.Orders.<Load>g__Check|3_0", "Shop.Orders.Load.Check")]
    [InlineData("Shop.Orders.VB$StateMachine_5_Load.MoveNext", "Shop.Orders.Load")]
    [InlineData("Program.<Main>$", "Program.Main")]
    [InlineData("Program.<Main>", "Program.Main")]
    [InlineData("Program.<Main>(System.String[])", "Program.Main")]
    [InlineData("<Main>", "Main")]
    [InlineData("Shop.Program.<Main>$(System.String[])", "Shop.Program.Main")]
    [InlineData("Shop.Point.<Clone>$", "Shop.Point.Clone")]
    [InlineData("Shop.Program+<Main>d__0.MoveNext", "Shop.Program.Main")]
    [InlineData("Shop.Factory<Main>.Make", "Shop.Factory.Make")]
    [InlineData("Program.<>c__DisplayClass0_0.<<Main>$>b__1", "Program.Main.lambda")]
    [InlineData("Program+<>c+<<<Main>$>b__0_0>d.MoveNext", "Program.Main.lambda")]
    [InlineData("Program+<<<Main>$>g__Serve|0_1>d.MoveNext", "Program.Main.Serve")]
    [InlineData("Worker.<>c.<<Run>b__5_0>d.MoveNext", "Worker.Run.lambda")]
    [InlineData("Worker+<>c__DisplayClass5_0+<<Run>b__0>d.MoveNext", "Worker.Run.lambda")]
    [InlineData("Worker.<<Run>g__Other|5_1>d.MoveNext", "Worker.Run.Other")]
    [InlineData("Program.<>c.<<Main>$>b__0_14", "Program.Main.lambda")]
    [InlineData("Program.<<Main>$>b__14", "Program.Main.lambda")]
    [InlineData("Program.<<Main>$>g__Local|0_3", "Program.Main.Local")]
    [InlineData("Program.<<Main>$>d__0.MoveNext", "Program.Main")]
    [InlineData("Program.<<<Main>$>b__0_2>d.MoveNext", "Program.Main.lambda")]
    [InlineData("App.Worker.<App.IFoo<Int32>.Bar>d__3.MoveNext", "App.Worker.App.IFoo.Bar")]
    [InlineData("App.Worker+<App-IFoo<System-Int32>-Bar>d__3.MoveNext", "App.Worker.App.IFoo.Bar")]
    [InlineData("App.Worker.App.IFoo<Int32>.Bar", "App.Worker.App.IFoo.Bar")]
    [InlineData("Shop.Orders+<LoadAsync>d__17`1[[System.Int32]].MoveNext", "Shop.Orders.LoadAsync")]
    [InlineData("System.Collections.Generic.Dictionary<System.Int32,System.Collections.Generic.List<System.String>>.FindValue",
        "System.Collections.Generic.Dictionary.FindValue")]
    [InlineData("System.Collections.Generic.Dictionary`2[[System.Int32, mscorlib],[System.__Canon, mscorlib]].FindEntry(Int32)",
        "System.Collections.Generic.Dictionary.FindEntry")]
    [InlineData("Shop.Orders..ctor", "Shop.Orders..ctor")]
    [InlineData("std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back")]
    [InlineData("Queue::Push(int) const", "Queue::Push")]
    [InlineData("operator<<<char>(std::ostream&)", "operator<<")]
    [InlineData("Order::operator->", "Order::operator->")]
    [InlineData("Order::operator()(int)", "Order::operator()")]
    [InlineData("Order::operator==", "Order::operator==")]
    [InlineData("(anonymous namespace)::Run(int)", "(anonymous)::Run")]
    [InlineData("`anonymous namespace'::Run", "(anonymous)::Run")]
    [InlineData("?Push@Queue@@QEAAXH@Z", "Queue::Push")]
    [InlineData("?Push@Queue@@QAEXH@Z", "Queue::Push")]
    [InlineData("_ZN5Queue4PushEi", "Queue::Push")]
    [InlineData("_ZNK5Queue4SizeEv", "Queue::Size")]
    [InlineData("_Z3addii", "add")]
    [InlineData("??0Queue@Shop@@QAE@XZ", "Shop::Queue::Queue")]
    [InlineData("??0Queue@Shop@@QEAA@XZ", "Shop::Queue::Queue")]
    [InlineData("??1Queue@@QEAA@XZ", "Queue::~Queue")]
    [InlineData("_ZN4Shop5QueueC1Ev", "Shop::Queue::Queue")]
    [InlineData("_ZN5QueueC2Ei", "Queue::Queue")]
    [InlineData("_ZN5QueueD0Ev", "Queue::~Queue")]
    [InlineData("_ZN12_GLOBAL__N_13RunEv", "(anonymous)::Run")]
    [InlineData("_ZN4Shop5QueueIiSaIiEE4pushERKi", "Shop::Queue::push")]
    [InlineData("_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJPFvvEEEEEE6_M_runEv", "std::thread::_State_impl::_M_run")]
    [InlineData("_ZlsIcEvT_", "operator<<")]
    [InlineData("_ZN5OrderclIiEEvT_", "Order::operator()")]
    [InlineData("_ZN1AI1BXadL_ZNS0_ltERKS0_EEE1fEv", "A::f")]
    [InlineData("_ZN1AIXgtLi4ELi5EEE1fEv", "A::f")]
    [InlineData("_ZN1AIXltLi4ELi5EEE1fEv", "A::f")]
    [InlineData("_ZN1AIXrsLi4ELi5EEE1fEv", "A::f")]
    [InlineData("_ZNSs6appendEPKc", "std::string::append")]
    [InlineData("_ZN4Shop4LoadB5cxx11Ev", "Shop::Load")]
    [InlineData("_ZN4Shop4LoadEi.isra.0.cold", "Shop::Load")]
    [InlineData("_ZZN4Shop3runEjENKUljE0_clEj", "Shop::run::lambda::operator()")]
    [InlineData("_ZZN4Shop3runEmENKUlmE0_clEm", "Shop::run::lambda::operator()")]
    [InlineData("Shop::run(unsigned int)::{lambda(unsigned int)#2}::operator()", "Shop::run::lambda::operator()")]
    [InlineData("_ZZZ4mainENKUlvE_clEvENKUlRSt5mutexE_clES0_", "main::lambda::operator()::lambda::operator()")]
    [InlineData("main::$_2::operator()", "main::lambda::operator()")]
    [InlineData("main::$_0::__invoke", "main::lambda::__invoke")]
    [InlineData("shop::run::$_11", "shop::run::lambda")]
    [InlineData("Shop::run::<lambda_2>::operator()", "Shop::run::lambda::operator()")]
    [InlineData("_RNvMNtCs1234_4shop5queueINtB2_5QueuehE4push", "shop::queue::Queue::push")]
    [InlineData("_ZN4shop5queue14Queue$LT$T$GT$4push17h0123456789abcdefE", "shop::queue::Queue::push")]
    [InlineData("_RNvXs0_Cs1234_4shopINtB5_5QueuehENtB5_4Sell4sell", "<shop::Queue as shop::Sell>::sell")]
    [InlineData("_ZN51_$LT$shop..Queue$LT$T$GT$$u20$as$u20$shop..Sell$GT$4sell17h0123456789abcdefE", "<shop::Queue as shop::Sell>::sell")]
    [InlineData("_RNvXs0_Cs1234_4shopSShNtB5_4Sell4sell", "<_ as shop::Sell>::sell")]
    [InlineData("_RNvXs0_Cs1234_4shopFhEmNtB5_4Sell4sell", "<fn -> u32 as shop::Sell>::sell")]
    [InlineData("_RNCNvCs1234_4shop3runs0_0", "shop::run::closure")]
    [InlineData("_ZN4shop3run28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "shop::run::closure")]
    [InlineData("_RINvNtC4core3mem8align_ofdE", "core::mem::align_of")]
    [InlineData("_ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4sort17h0123456789abcdefE", "core::slice::sort")]
    [InlineData("Facade", "Facade")]
    [InlineData("decade", "decade")]
    [InlineData("_PushOrder@8", "PushOrder")]
    [InlineData("@PushOrder@8", "PushOrder")]
    [InlineData("worker.constprop.0.isra.3", "worker")]
    [InlineData("worker.cold", "worker")]
    [InlineData("shop::run::h0123456789abcdef", "shop::run")]
    [InlineData("LoadLibraryExW", "LoadLibraryExW")]
    public void Name_is_what_its_author_wrote(string name, string expected)
    {
        Assert.Equal(expected, FunctionNames.Normal(name));
        Assert.Equal(expected, FunctionNames.Normal(FunctionNames.Normal(name)!));
    }

    [Theory]
    [InlineData("sub_140001000")]
    [InlineData("FUN_00401000")]
    [InlineData("0x140001000")]
    [InlineData("0xfacade")]
    [InlineData("00401000")]
    [InlineData("dec0de")]
    [InlineData("")]
    [InlineData("   ")]
    public void What_a_disassembler_made_up_is_no_name(string name) => Assert.Null(FunctionNames.Normal(name));

    [Theory]
    [InlineData("Shop.Orders.Load", "Shop.Orders.Save")]
    [InlineData("Shop.Orders.Load", "Shop.Invoices.Load")]
    [InlineData("Queue::Push", "Queue::Pop")]
    [InlineData("operator<", "operator>")]
    [InlineData("_ZN4Shop5QueueIiE4pushEi", "_ZN4Shop5QueueIiE3popEv")]
    [InlineData("_RNvXs0_Cs1234_4shopINtB5_5QueuehENtB5_4Sell4sell", "_RNvXs0_Cs1234_4shopINtB5_5StackhENtB5_4Sell4sell")]
    [InlineData("Shop.Orders+<LoadAsync>d__5.MoveNext", "Shop.Orders+<SaveAsync>d__5.MoveNext")]
    [InlineData("Shop.Orders.<Load>g__Check|3_0", "Shop.Orders.<Load>g__Apply|3_0")]
    [InlineData("Worker.<>c.<<Run>b__5_0>d.MoveNext", "Worker.<>c.<<Stop>b__6_0>d.MoveNext")]
    [InlineData("Worker.<<Run>g__Other|5_1>d.MoveNext", "Worker.<<Run>b__5_1>d.MoveNext")]
    [InlineData("Worker.<App.IFoo<Int32>.Bar>d__3.MoveNext", "Worker.<App.IFoo<Int32>.Baz>d__3.MoveNext")]
    public void Different_functions_stay_different(string one, string other) => Assert.NotEqual(FunctionNames.Normal(one), FunctionNames.Normal(other));

    /// <summary>Names come from strangers' dumps.</summary>
    [Fact]
    public void Any_text_gives_a_name_or_none()
    {
        const string Alphabet = "<>()[]`|+.:$@?_~0123aZ oper<";
        Random random = new(5);
        for (int i = 0; i < 5_000; i++)
        {
            string name = new([.. Enumerable.Range(0, random.Next(1, 60)).Select(_ => Alphabet[random.Next(Alphabet.Length)])]);
            Assert.True(FunctionNames.Normal(name) is null or { Length: > 0 }, name);
        }

        Assert.NotNull(FunctionNames.Normal(new string('<', 500_000) + "a") ?? "none");
        Assert.NotNull(FunctionNames.Normal("_ZN" + new string('9', 400_000)) ?? "none");
    }

    [Theory]
    [InlineData("Shop.dll", "shop")]
    [InlineData("SHOP.EXE", "shop")]
    [InlineData("libfoo.so.1.2", "foo")]
    [InlineData("foo.dll", "foo")]
    [InlineData("libfoo-2.31.so", "foo")]
    [InlineData("mkl_core.2.dll", "mkl_core")]
    [InlineData("Shop.ni.dll", "shop")]
    [InlineData("Shop.Sound.dll", "shop.sound")]
    [InlineData("ntdll.dll", "windows")]
    [InlineData("KERNELBASE.dll", "windows")]
    [InlineData("shop", "shop")]
    public void Module_name_has_no_extension_version_or_system_prefix(string file, string expected) => Assert.Equal(expected, ModuleNames.Normal(file));
}
