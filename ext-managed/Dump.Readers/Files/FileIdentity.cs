namespace Dump.Readers.Files;

/// <summary>Which file it is, whatever it is called.</summary>
/// <param name="DeviceMajor">Major number of the device that it lies on.</param>
/// <param name="DeviceMinor">Minor number of that device.</param>
/// <param name="Number">Its number there (inode).</param>
public readonly record struct FileIdentity(uint DeviceMajor, uint DeviceMinor, ulong Number);
