namespace Dump.Testing.Synthetic;

/// <summary>The stack memory of a <see cref="FakeThread"/> and the registers that belong to it.</summary>
internal interface IFakeStack
{
    /// <summary>The memory.</summary>
    byte[] Bytes { get; }

    /// <summary>The innermost stack pointer.</summary>
    ulong StackPointer { get; }

    /// <summary>Registers by number at the innermost frame.</summary>
    ulong[] Registers { get; }
}
