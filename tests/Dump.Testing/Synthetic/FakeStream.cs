namespace Dump.Testing.Synthetic;

/// <summary>A stream of a synthetic minidump.</summary>
/// <param name="Type">Its type number.</param>
/// <param name="Write">Writes it, with all that it points to, and returns where it begins and its size.</param>
public sealed record FakeStream(uint Type, Func<ByteWriter, (int Offset, int Size)> Write);
