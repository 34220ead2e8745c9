namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>The row of call-frame information that applies at one instruction.</summary>
internal struct FrameState
{
    /// <summary>The register that the frame's address is counted from; -1 where an expression gives it.</summary>
    public int Base { get; set; }

    /// <summary>The distance from that register, bytes.</summary>
    public long Distance { get; set; }

    /// <summary>The expression for the frame's address, or null.</summary>
    public byte[]? Expression { get; set; }

    /// <summary>A rule for each register.</summary>
    public RegisterRule[] Rules { get; set; }

    /// <summary>A copy that does not share its rules.</summary>
    public readonly FrameState Copy() => this with { Rules = [.. Rules] };
}
