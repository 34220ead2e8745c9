namespace Dump.Fuzz.Inputs;

/// <summary>Numbers in a file that look like a count, a size or a place in it: small, aligned, not zero.</summary>
internal static class LikelyFields
{
    private const int MostFields = 4_096;
    private const int SmallFile = 4_096;
    private const int HeadSize = 1_024;
    private const byte SequenceTag = 0x30;

    /// <summary>Finds them. Of large files with many, those at the beginning and some of the others.</summary>
    public static Field[] Of(byte[] bytes)
    {
        List<Field> found = [];
        for (int at = 0; at + 2 <= bytes.Length; at += 2)
        {
            if (at % 8 == 0 && Is(bytes, new Field(at, 8)))
            {
                found.Add(new Field(at, 8));
            }

            if (at % 4 == 0 && Is(bytes, new Field(at, 4)))
            {
                found.Add(new Field(at, 4));
            }
            else if ((at < HeadSize || bytes.Length <= SmallFile) && Is(bytes, new Field(at, 2)))
            {
                found.Add(new Field(at, 2));
            }
        }

        AddLengths(bytes, found);
        return found.Count <= MostFields ? [.. found]
            : [.. found.Where((f, i) => f.Offset < HeadSize || i % (1 + found.Count / MostFields) == 0)];
    }

    /// <summary>Lengths of values in the encoding rules of ASN.1 (X.690 8.1.3.5), two bytes, the most significant first.</summary>
    private static void AddLengths(byte[] bytes, List<Field> found)
    {
        if (bytes.Length == 0 || bytes[0] != SequenceTag)
        {
            return;
        }

        for (int at = 1; at + 3 <= bytes.Length; at++)
        {
            if (bytes[at] == 0x82 && new Field(at + 1, 2, IsBigEndian: true) is var field && Is(bytes, field))
            {
                found.Add(field);
            }
        }
    }

    private static bool Is(byte[] bytes, Field field) => field.Read(bytes) is > 0 and var value && value <= (ulong)bytes.Length * 2;
}
