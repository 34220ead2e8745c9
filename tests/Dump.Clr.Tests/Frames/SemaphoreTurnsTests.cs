using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;
using Dump.Clr.Frames;

namespace Dump.Clr.Tests.Frames;

/// <summary>Which methods use a semaphore as a lock, and at which of their awaits they hold it, by code that the compiler has made of the methods below.</summary>
public sealed class SemaphoreTurnsTests
{
    /// <summary>Method, field of its semaphore, and the awaits at which it is held.</summary>
    public static TheoryData<string, string?, int[]> Methods => new()
    {
        { nameof(Sample.SaveAsync), "_gate", [1, 2] },
        { nameof(Sample.SaveWithTokenAsync), "_gate", [1] },
        { nameof(Sample.SaveThenRestAsync), "_gate", [1] },
        { nameof(Sample.SaveTwiceAsync), "_gate", [1, 4] },
        { nameof(Sample.SaveByArgumentAsync), "gate", [1] },
        { nameof(Sample.SaveByPropertyAsync), "<Gate>k__BackingField", [1] },
        { nameof(Sample.SaveInBlockAsync), "_gate", [0] },
        { nameof(Sample.SaveSharedAsync), "s_shared", [1] },
    };

    [Theory]
    [MemberData(nameof(Methods))]
    public void Call_holds_the_semaphore_between_its_wait_and_its_release(string method, string? field, int[] held)
    {
        SemaphoreTurns turns = Read(method);
        Assert.Equal(held, Enumerable.Range(0, 10).Where(s => turns.Around(s).Any()));
        Assert.All(held, s => Assert.Equal(field, Assert.Single(turns.Around(s)).Field));
        Assert.Equal(method == nameof(Sample.SaveSharedAsync), turns.Around(held[0]).Single().StaticType is not null);
    }

    [Fact]
    public void Thread_takes_turns_as_well()
    {
        Assert.True(Read(nameof(Sample.Save)).Any);
        Assert.True(Read(nameof(Sample.SaveAtArgument)).Any);
        Assert.False(Read(nameof(Sample.PassOnAtArguments)).Any);
    }

    /// <summary>A consumer, a producer, a queue that gives back what it failed to take, and a method with two semaphores that are each used in one way.</summary>
    [Theory]
    [InlineData(nameof(Sample.TakeAsync))]
    [InlineData(nameof(Sample.PutAsync))]
    [InlineData(nameof(Sample.TryTakeAsync))]
    [InlineData(nameof(Sample.PassOnAsync))]
    [InlineData(nameof(Sample.LeaveAsync))]
    public void Other_uses_are_no_turns(string method) => Assert.False(Read(method).Any);

    [Fact]
    public void Damaged_body_is_an_error_or_nothing()
    {
        byte[] whole = Body(nameof(Sample.SaveAsync), out MetadataReader names);
        for (int at = 0; at < whole.Length; at++)
        {
            byte[] damaged = [.. whole];
            damaged[at] ^= 0xFF;
            Exception? error = Record.Exception(() => SemaphoreTurns.Read(damaged, names).Around(1).Count());
            Assert.True(error is null or BadImageFormatException or ArgumentException or OverflowException or InvalidOperationException, $"byte {at}: {error}");
        }

        for (int length = 0; length < whole.Length; length++)
        {
            Exception? error = Record.Exception(() => SemaphoreTurns.Read(whole.AsSpan(0, length), names).Around(1).Count());
            Assert.True(error is null or BadImageFormatException, $"length {length}: {error}");
        }
    }

    private static SemaphoreTurns Read(string method) => SemaphoreTurns.Read(Body(method, out MetadataReader names), names);

    /// <summary>The body of a method, or of what the compiler has made of an async one.</summary>
    private static byte[] Body(string method, out MetadataReader names)
    {
        System.Reflection.MethodInfo found = typeof(Sample).GetMethod(method)!;
        Type? machine = ((AsyncStateMachineAttribute?)Attribute.GetCustomAttribute(found, typeof(AsyncStateMachineAttribute)))?.StateMachineType;
        int token = machine?.GetMethod("MoveNext", System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Instance)!.MetadataToken ?? found.MetadataToken;
        PEReader image = new(File.OpenRead(typeof(Sample).Assembly.Location));
        names = image.GetMetadataReader();
        int address = names.GetMethodDefinition((MethodDefinitionHandle)MetadataTokens.EntityHandle(token)).RelativeVirtualAddress;
        return [.. image.GetSectionData(address).GetContent(0, image.GetMethodBody(address).Size)];
    }

    private sealed class Sample
    {
        private static readonly SemaphoreSlim s_shared = new(1);
        private readonly SemaphoreSlim _gate = new(1), _items = new(0), _room = new(5);

        private SemaphoreSlim Gate { get; } = new(1);

        public async Task SaveAsync()
        {
            await _gate.WaitAsync();
            try
            {
                await Task.Delay(1);
                await Task.Delay(2);
            }
            finally
            {
                _gate.Release();
            }
        }

        public async Task SaveWithTokenAsync(CancellationToken token)
        {
            if (!await _gate.WaitAsync(TimeSpan.FromSeconds(5), token).ConfigureAwait(false))
            {
                return;
            }

            await Task.Delay(1, token);
            _gate.Release();
        }

        public async Task SaveThenRestAsync()
        {
            while (_items.CurrentCount == 0)
            {
                await _gate.WaitAsync();
                await Task.Delay(1);
                _gate.Release();
                await Task.Delay(2);
            }
        }

        public async Task SaveTwiceAsync()
        {
            await _gate.WaitAsync();
            await Task.Delay(1);
            _gate.Release();
            await Task.Delay(2);
            await _gate.WaitAsync();
            await Task.Delay(3);
            _gate.Release();
        }

        public async Task SaveByArgumentAsync(SemaphoreSlim gate)
        {
            await gate.WaitAsync();
            await Task.Delay(1);
            gate.Release();
        }

        public async Task SaveByPropertyAsync()
        {
            await Gate.WaitAsync();
            await Task.Delay(1);
            Gate.Release();
        }

        public async Task SaveInBlockAsync()
        {
            _gate.Wait();
            await Task.Delay(1);
            _gate.Release();
        }

        public async Task SaveSharedAsync()
        {
            await s_shared.WaitAsync();
            await Task.Delay(1);
            s_shared.Release();
        }

        public void Save()
        {
            _gate.Wait();
            try
            {
                Thread.Sleep(1);
            }
            finally
            {
                _gate.Release();
            }
        }

        public static void SaveAtArgument(SemaphoreSlim gate)
        {
            gate.Wait();
            gate.Release();
        }

        public static void PassOnAtArguments(SemaphoreSlim from, SemaphoreSlim to)
        {
            from.Wait();
            to.Release();
        }

        public async Task TakeAsync()
        {
            while (true)
            {
                await _items.WaitAsync();
                await Task.Delay(1);
            }
        }

        public async Task PutAsync()
        {
            await Task.Delay(1);
            _items.Release();
        }

        public async Task TryTakeAsync()
        {
            await _items.WaitAsync();
            try
            {
                Thread.Sleep(1);
            }
            catch (InvalidOperationException)
            {
                _items.Release();
                throw;
            }
        }

        public async Task PassOnAsync()
        {
            await _items.WaitAsync();
            await Task.Delay(1);
            _room.Release();
        }

        public async Task LeaveAsync()
        {
            _gate.Release();
            await Task.Delay(1);
            await _gate.WaitAsync();
        }
    }
}
