namespace Dump.Readers.Cabinets;

/// <summary>Unpacks cabinets with one file in them, the form in which symbol stores compress.</summary>
public interface ICabinets
{
    /// <summary>Unpacks the only file.</summary>
    /// <param name="cabinet">Path of the cabinet.</param>
    /// <param name="target">Path of the file to write; it must not exist. What was written of it stays when this fails.</param>
    /// <param name="most">Bytes that it may have.</param>
    /// <exception cref="InvalidDataException">It cannot be unpacked; the message says why, as a clause.</exception>
    /// <exception cref="IOException">A file cannot be read or written.</exception>
    void UnpackOnly(string cabinet, string target, long most);
}
