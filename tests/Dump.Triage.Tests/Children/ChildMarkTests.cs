using Dump.Triage.Children;

namespace Dump.Triage.Tests.Children;

public sealed class ChildMarkTests
{
    [Theory]
    [InlineData(false, false, false)]
    [InlineData(true, false, false)]
    [InlineData(true, true, false)]
    [InlineData(false, false, true)]
    [InlineData(true, true, true)]
    public void What_is_told_is_understood(bool guarded, bool careful, bool withheld)
    {
        ChildMark told = new() { IsGuarded = guarded, IsCareful = careful, WithholdsStrings = withheld };
        string[] arguments = [.. told.Before(["hang.dmp", "--brief"])];
        Assert.Equal(told, ChildMark.Take(ref arguments));
        Assert.Equal(["hang.dmp", "--brief"], arguments);
    }

    [Theory]
    [InlineData("child:")]
    [InlineData("child:hang.dmp")]
    [InlineData("child:guarded,hang")]
    [InlineData("Child:guarded")]
    public void A_name_that_begins_like_it_stays_a_name(string name)
    {
        string[] arguments = [name];
        Assert.Equal(new ChildMark(), ChildMark.Take(ref arguments));
        Assert.Equal([name], arguments);
    }

    [Fact]
    public void It_stands_first_only()
    {
        string[] arguments = ["hang.dmp", "child:guarded"];
        Assert.False(ChildMark.Take(ref arguments).IsGuarded);
        Assert.Equal(2, arguments.Length);
    }
}
