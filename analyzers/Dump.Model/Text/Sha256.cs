using System.Buffers.Binary;
using System.Numerics;

namespace Dump.Model.Text;

/// <summary>
/// SHA-256 (FIPS 180-4) of names, stacks and files, by which they are told apart. The class library asks OpenSSL for it on Linux and ends the whole process where
/// that is not installed; an analysis needs no cipher and must not depend on one. What is verified for its author (<c>Dump.Fetching</c>) goes through the class
/// library.
/// </summary>
public sealed class Sha256
{
    /// <summary>Bytes of a hash.</summary>
    public const int Size = 32;

    private const int BlockSize = 64;
    private const int LengthSize = sizeof(ulong);
    private const int Rounds = 64;
    private const int BufferSize = 1 << 16;

    // The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static readonly uint[] s_constants =
    [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ];

    private readonly uint[] _state = Beginning();
    private readonly byte[] _rest = new byte[BlockSize];
    private ulong _length;

    /// <summary>The hash of bytes.</summary>
    public static byte[] HashData(ReadOnlySpan<byte> bytes)
    {
        Sha256 hash = new();
        hash.Append(bytes);
        return hash.Finish();
    }

    /// <summary>The hash of what is left of a stream.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static byte[] HashData(Stream stream)
    {
        Sha256 hash = new();
        byte[] buffer = new byte[BufferSize];
        while (stream.Read(buffer) is > 0 and var read)
        {
            hash.Append(buffer.AsSpan(0, read));
        }

        return hash.Finish();
    }

    /// <summary>Adds bytes to what is hashed.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        int kept = (int)(_length % BlockSize);
        _length += (ulong)bytes.Length;
        if (kept > 0)
        {
            int taken = Math.Min(BlockSize - kept, bytes.Length);
            bytes[..taken].CopyTo(_rest.AsSpan(kept));
            bytes = bytes[taken..];
            if (kept + taken < BlockSize)
            {
                return;
            }

            Compress(_rest);
        }

        for (; bytes.Length >= BlockSize; bytes = bytes[BlockSize..])
        {
            Compress(bytes);
        }

        bytes.CopyTo(_rest);
    }

    /// <summary>The hash of all that was added. Nothing can be added afterwards.</summary>
    public byte[] Finish()
    {
        ulong bits = _length * 8;
        int kept = (int)(_length % BlockSize);
        Span<byte> end = stackalloc byte[2 * BlockSize];
        end.Clear();
        end[0] = 0x80;
        int padding = (kept < BlockSize - LengthSize ? BlockSize : 2 * BlockSize) - kept;
        BinaryPrimitives.WriteUInt64BigEndian(end[(padding - LengthSize)..], bits);
        Append(end[..padding]);

        byte[] hash = new byte[Size];
        for (int i = 0; i < _state.Length; i++)
        {
            BinaryPrimitives.WriteUInt32BigEndian(hash.AsSpan(i * sizeof(uint)), _state[i]);
        }

        return hash;
    }

    private void Compress(ReadOnlySpan<byte> block)
    {
        Span<uint> words = stackalloc uint[Rounds];
        for (int i = 0; i < BlockSize / sizeof(uint); i++)
        {
            words[i] = BinaryPrimitives.ReadUInt32BigEndian(block[(i * sizeof(uint))..]);
        }

        for (int i = BlockSize / sizeof(uint); i < Rounds; i++)
        {
            uint early = words[i - 15], late = words[i - 2];
            words[i] = words[i - 16] + (BitOperations.RotateRight(early, 7) ^ BitOperations.RotateRight(early, 18) ^ (early >> 3))
                + words[i - 7] + (BitOperations.RotateRight(late, 17) ^ BitOperations.RotateRight(late, 19) ^ (late >> 10));
        }

        uint a = _state[0], b = _state[1], c = _state[2], d = _state[3], e = _state[4], f = _state[5], g = _state[6], h = _state[7];
        for (int i = 0; i < Rounds; i++)
        {
            uint first = h + (BitOperations.RotateRight(e, 6) ^ BitOperations.RotateRight(e, 11) ^ BitOperations.RotateRight(e, 25))
                + ((e & f) ^ (~e & g)) + s_constants[i] + words[i];
            uint second = (BitOperations.RotateRight(a, 2) ^ BitOperations.RotateRight(a, 13) ^ BitOperations.RotateRight(a, 22))
                + ((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) = (g, f, e, d + first, c, b, a, first + second);
        }

        _state[0] += a;
        _state[1] += b;
        _state[2] += c;
        _state[3] += d;
        _state[4] += e;
        _state[5] += f;
        _state[6] += g;
        _state[7] += h;
    }

    /// <summary>The first 32 bits of the fractions of the square roots of the first eight primes.</summary>
    private static uint[] Beginning() =>
        [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
}
