using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Makes wait graphs that nobody thought of.</summary>
internal static class RandomHang
{
    private static readonly ResourceKind[] s_kinds =
    [
        ResourceKind.CriticalSection, ResourceKind.CriticalSection, ResourceKind.CriticalSection, ResourceKind.LoaderLock, ResourceKind.Mutex,
            ResourceKind.Event,
        ResourceKind.Thread, ResourceKind.SpinLock, ResourceKind.ManagedReaderWriterLock, ResourceKind.Monitor, ResourceKind.ManagedTask,
    ];

    /// <summary>The graph of a seed.</summary>
    public static ProcessSnapshot Make(Random random)
    {
        SnapshotBuilder builder = new();
        uint threads = (uint)random.Next(2, 9);
        for (uint id = 0; id < threads; id++)
        {
            ThreadActivityKind activity = random.Next(4) == 0 ? ThreadActivityKind.Running : ThreadActivityKind.Waiting;
            builder.Thread(0x1000 + (id * 4), activity, random.Next(3) == 0 ? ["lib!Work", "app!main"] : ["app!main"], random.Next(3) == 0 ? Times(random)
                : null);
        }

        Resource[] resources = [.. Enumerable.Range(0, random.Next(1, 8)).Select(i => Make(random, i, threads))
            .DistinctBy(r => (r.Kind == ResourceKind.LoaderLock, r.Identity))];
        foreach (Resource resource in resources)
        {
            int owners = resource.Kind == ResourceKind.Event ? 0 : resource.Kind == ResourceKind.ManagedReaderWriterLock ? random.Next(1, 4)
                : random.Next(0, 2);
            foreach (int owner in Enumerable.Range(0, (int)threads).OrderBy(_ => random.Next()).Take(owners))
            {
                uint holder = resource.Kind == ResourceKind.Thread ? (uint)resource.Identity : 0x1000 + ((uint)owner * 4);
                builder.Own(resource, random.Next(12) == 0 && resource.Kind != ResourceKind.Thread ? 0x9000u : holder, random.Next(12) != 0,
                    (Grade)random.Next(3));
            }
        }

        for (uint id = 0; id < threads; id++)
        {
            for (int waits = random.Next(8) switch { 0 => 0, 1 => 2, 2 => 3, _ => 1 }; waits > 0; waits--)
            {
                builder.Wait(0x1000 + (id * 4), resources[random.Next(resources.Length)], random.Next(4) == 0 ? WaitTimeout.Unknown : WaitTimeout.Infinite,
                    (Grade)random.Next(3));
            }
        }

        return builder.Build();
    }

    private static Resource Make(Random random, int number, uint threads)
    {
        ResourceKind kind = s_kinds[random.Next(s_kinds.Length)];
        return kind switch
        {
            ResourceKind.Thread => new Resource(kind, 0x1000 + ((ulong)random.Next((int)threads) * 4)),
            ResourceKind.LoaderLock => SnapshotBuilder.LoaderLock,
            ResourceKind.Event or ResourceKind.Mutex => new Resource(kind, 0x40 + ((ulong)number * 4)),
            _ => new Resource(kind, 0x5_0000 + ((ulong)number * 0x100)),
        };
    }

    private static ThreadTimes Times(Random random) => new(TimeSpan.Zero, TimeSpan.FromSeconds(random.Next(60)), null, TimeSpan.FromMinutes(1));
}
