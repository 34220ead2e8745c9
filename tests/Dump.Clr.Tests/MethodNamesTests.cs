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
    [InlineData("Shop.Orders+Line", ".ctor", "Shop.Orders.Line..ctor")]
    [InlineData("Shop.Enumerator", "MoveNext", "Shop.Enumerator.MoveNext")]
    [InlineData("System.Threading.Tasks.Task<System.__Canon>", "GetResultCore", "System.Threading.Tasks.Task<__Canon>.GetResultCore")]
    public void Name_is_readable(string type, string method, string expected) => Assert.Equal(expected, MethodNames.Of(type, method));
}
