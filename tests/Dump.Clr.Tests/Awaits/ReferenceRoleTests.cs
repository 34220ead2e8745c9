using Dump.Clr.Awaits;

namespace Dump.Clr.Tests.Awaits;

/// <summary>What references of objects mean to who looks for those that may complete a task, by the names of their types.</summary>
public sealed class ReferenceRoleTests
{
    [Theory]
    [InlineData("System.Threading.TimerQueueTimer", false, nameof(ReferenceRole.Timer))]
    [InlineData("System.Threading.CancellationTokenSource+CallbackNode", false, nameof(ReferenceRole.Registration))]
    [InlineData("System.Threading.QueueUserWorkItemCallbackDefaultContext<System.Object>", false, nameof(ReferenceRole.WorkItem))]
    [InlineData("System.Net.Sockets.SocketAsyncContext+BufferMemoryReceiveOperation", false, nameof(ReferenceRole.Operation))]
    [InlineData("System.Collections.Concurrent.ConcurrentDictionary<System.Int32, App.Call>+Node", false, nameof(ReferenceRole.Inside))]
    [InlineData("App.Call[]", true, nameof(ReferenceRole.Inside))]
    [InlineData("System.Object[]", true, nameof(ReferenceRole.Everybody))]
    [InlineData("System.Threading.ExecutionContext", false, nameof(ReferenceRole.Everybody))]
    [InlineData("Microsoft.Extensions.DependencyInjection.ServiceLookup.ServiceProviderEngineScope", false, nameof(ReferenceRole.Everybody))]
    [InlineData("App.System.Threading.TimerQueueTimer", false, nameof(ReferenceRole.Object))]
    [InlineData("App.Client", false, nameof(ReferenceRole.Object))]
    public void Names_decide(string type, bool isArray, string expected) => Assert.Equal(expected, ReferenceRoles.Of(type, isArray).ToString());
}
