using Dump.Clr.Frames;

namespace Dump.Clr.Tests;

/// <summary>Compiler-made names are shown as the author wrote them.</summary>
public sealed class MethodNamesTests
{
    [Theory]
    [InlineData("Shop.Orders", "Load", "Shop.Orders.Load")]
    [InlineData("Shop.Orders+<LoadAsync>d__3", "MoveNext", "Shop.Orders.LoadAsync")]
    [InlineData("Shop.Orders+<LoadAsync>d__3<System.Int32>", "MoveNext", "Shop.Orders.LoadAsync")]
    [InlineData("Shop.Orders+<>c__DisplayClass4_0", "<Load>b__1", "Shop.Orders.Load.lambda")]
    [InlineData("Shop.Orders+<>c", "<Load>b__4_0", "Shop.Orders.Load.lambda")]
    [InlineData("Shop.Orders", "<Load>g__Retry|4_0", "Shop.Orders.Load.Retry")]
    [InlineData("Shop.Orders+<<Load>g__Retry|4_0>d", "MoveNext", "Shop.Orders.Load.Retry")]
    [InlineData("Shop.Orders+<>c__DisplayClass4_0+<<Load>g__Retry|0>d", "MoveNext", "Shop.Orders.Load.Retry")]
    [InlineData("Shop.Orders+<>c+<<Load>b__4_0>d", "MoveNext", "Shop.Orders.Load.lambda")]
    [InlineData("Shop.Orders<System.__Canon>+<>c__DisplayClass4_0+<<Load>b__1>d", "MoveNext", "Shop.Orders<__Canon>.Load.lambda")]
    [InlineData("Shop.Orders+<LoadAsync>d__3<Shop.Orders+<OtherAsync>d__4>", "MoveNext", "Shop.Orders.LoadAsync")]
    [InlineData("Program+<<<Main>$>g__Consume|0_4>d", "MoveNext", "Program.Main.Consume")]
    [InlineData("Program+<>c__DisplayClass0_0+<<<Main>$>b__0>d", "MoveNext", "Program.Main.lambda")]
    [InlineData("Program+<<Main>$>d__0", "MoveNext", "Program.Main")]
    [InlineData("Program", "<<Main>$>g__Consume|0_4", "Program.Main.Consume")]
    [InlineData("Program", "<Main>$", "Program.Main")]
    [InlineData("Shop.Orders+Line", ".ctor", "Shop.Orders.Line..ctor")]
    [InlineData("Shop.Enumerator", "MoveNext", "Shop.Enumerator.MoveNext")]
    [InlineData("System.Threading.Tasks.Task<System.__Canon>", "GetResultCore", "System.Threading.Tasks.Task<__Canon>.GetResultCore")]
    public void Name_is_readable(string type, string method, string expected) => Assert.Equal(expected, MethodNames.Of(type, method));
}
