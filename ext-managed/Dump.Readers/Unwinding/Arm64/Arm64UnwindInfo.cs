using Dump.Readers.Pe;

namespace Dump.Readers.Unwinding.Arm64;

/// <summary>Unwind information of one ARM64 code range, from packed data or from a record. Offsets count instructions from the range's beginning.</summary>
/// <param name="Codes">Unwind codes: those of the prolog first, in the order in which its effects are to be undone.</param>
/// <param name="Epilog">The epilog that an instruction stands in or behind the beginning of: where it starts
/// and the index of its first code; null when it has none.</param>
internal sealed record Arm64UnwindInfo(byte[] Codes, (uint Start, int CodeIndex)? Epilog)
{
    /// <summary>True when the range is a part of a function that begins elsewhere: some of its codes stand for instructions of another range.</summary>
    public bool IsFragment
    {
        get
        {
            Arm64UnwindCode code = default;
            for (int at = 0; at < Codes.Length && !code.IsEnd; at += code.Size)
            {
                code = Arm64UnwindCode.Decode(Codes.AsSpan(at));
            }

            return code.Operation == Arm64UnwindOperation.EndChained;
        }
    }

    /// <summary>Reads what unwinding from an instruction needs; null when it is not readable, of an unknown version or reserved.</summary>
    /// <param name="image">The image.</param>
    /// <param name="function">The range; its last field is the second word of the directory's entry.</param>
    /// <param name="offset">Offset of the instruction.</param>
    public static Arm64UnwindInfo? Read(IRvaReader image, RuntimeFunction function, uint offset) => (function.UnwindInfo & Arm64FunctionLayout.FlagMask) switch
    {
        Arm64FunctionLayout.FlagRecord => ReadRecord(image, function.UnwindInfo, offset),
        Arm64FunctionLayout.FlagPacked or Arm64FunctionLayout.FlagPackedFragment => Arm64PackedUnwind.Expand(function.UnwindInfo),
        _ => null,
    };

    /// <summary>Instructions that the codes from an index up to their end stand for.</summary>
    public uint CountInstructions(int codeIndex)
    {
        uint count = 0;
        for (int at = codeIndex; at < Codes.Length;)
        {
            Arm64UnwindCode code = Arm64UnwindCode.Decode(Codes.AsSpan(at));
            if (code.IsEnd)
            {
                break;
            }

            count += (uint)code.Instructions;
            at += code.Size;
        }

        return count;
    }

    private static Arm64UnwindInfo? ReadRecord(IRvaReader image, uint record, uint offset)
    {
        if (image.ReadUInt32(record) is not { } header || ((header >> Arm64FunctionLayout.VersionShift) & Arm64FunctionLayout.VersionMask) != 0
            || record > uint.MaxValue - 2 * Arm64FunctionLayout.HeaderSize)
        {
            return null;
        }

        uint scopes = (header >> Arm64FunctionLayout.EpilogCountShift) & Arm64FunctionLayout.EpilogCountMask;
        uint words = header >> Arm64FunctionLayout.CodeWordsShift;
        uint behind = record + Arm64FunctionLayout.HeaderSize;
        if (scopes == 0 && words == 0)
        {
            if (image.ReadUInt32(behind) is not { } extension)
            {
                return null;
            }

            scopes = extension & Arm64FunctionLayout.ExtendedEpilogCountMask;
            words = (extension >> Arm64FunctionLayout.ExtendedCodeWordsShift) & Arm64FunctionLayout.ExtendedCodeWordsMask;
            behind += Arm64FunctionLayout.HeaderSize;
        }

        bool isSingle = ((header >> Arm64FunctionLayout.SingleEpilogShift) & 1) != 0;
        uint codesAt = behind + (isSingle ? 0 : scopes * Arm64FunctionLayout.ScopeSize);
        byte[] codes = new byte[words * sizeof(uint)];
        if (codesAt < behind || !image.ReadRva(codesAt, codes))
        {
            return null;
        }

        Arm64UnwindInfo info = new(codes, null);
        return isSingle
            ? info.WithEpilogAtEnd(header & Arm64FunctionLayout.LengthMask, (int)scopes)
            : info with { Epilog = FindEpilog(image, behind, scopes, offset) };
    }

    /// <summary>The same with an epilog that ends where the range does. It has one instruction more than codes: the return.</summary>
    public Arm64UnwindInfo WithEpilogAtEnd(uint length, int codeIndex)
    {
        uint size = CountInstructions(codeIndex) + 1;
        return this with { Epilog = size <= length ? (length - size, codeIndex) : null };
    }

    /// <summary>The last scope that starts at or before the instruction; scopes are sorted by their start.</summary>
    private static (uint Start, int CodeIndex)? FindEpilog(IRvaReader image, uint scopes, uint count, uint offset)
    {
        (uint, int)? found = null;
        uint low = 0;
        uint high = count;
        while (low < high)
        {
            uint middle = low + (high - low) / 2;
            if (image.ReadUInt32(scopes + middle * Arm64FunctionLayout.ScopeSize) is not { } scope)
            {
                return null;
            }

            uint start = scope & Arm64FunctionLayout.ScopeStartMask;
            if (start <= offset)
            {
                found = (start, (int)(scope >> Arm64FunctionLayout.ScopeCodeShift));
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return found;
    }
}
