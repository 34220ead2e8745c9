using System.Collections.Immutable;

namespace Dump.Store.Schema;

/// <summary>
/// The views for people who ask in SQL, described in <c>docs/store.md</c>. Only what every database understands; text where SQL has several ways (times,
/// yes and no), so that a question is the same everywhere.
/// </summary>
internal static class StoreViews
{
    /// <summary>What makes them.</summary>
    public static ImmutableArray<string> Statements { get; } =
    [
        """
        CREATE VIEW dumps AS
        SELECT identity, path, member, size, outcome, reason, tool, captured, day, process, machine, system, answer, bucket, run, written
        FROM stored_record
        """,
        """
        CREATE VIEW findings AS
        SELECT r.identity, f.position, f.detector, f.title, f.confidence, r.bucket, r.path, r.captured, r.day, r.process, r.machine
        FROM stored_finding f JOIN stored_record r ON r.sequence = f.sequence
        """,
        """
        CREATE VIEW buckets AS
        SELECT b.bucket, b.kind, b.detector, b.title, b.signature, COUNT(*) AS dumps, COUNT(DISTINCT r.machine) AS machines,
            MIN(r.captured) AS first_seen, MAX(r.captured) AS last_seen
        FROM stored_bucket b JOIN stored_record r ON r.bucket = b.bucket
        GROUP BY b.bucket, b.kind, b.detector, b.title, b.signature
        """,
        """
        CREATE VIEW modules AS
        SELECT m.name, NULLIF(m.version, '') AS version, NULLIF(m.build, '') AS build, NULLIF(m.vendor, '') AS vendor, NULLIF(m.system, '') AS system,
            COUNT(*) AS dumps, COUNT(DISTINCT r.machine) AS machines, MIN(r.captured) AS first_seen, MAX(r.captured) AS last_seen
        FROM stored_module m JOIN stored_load l ON l.module = m.module JOIN stored_record r ON r.sequence = l.sequence
        GROUP BY m.module, m.name, m.version, m.build, m.vendor, m.system
        """,
        """
        CREATE VIEW loaded_modules AS
        SELECT r.identity, m.name, NULLIF(m.version, '') AS version, NULLIF(m.build, '') AS build, NULLIF(m.vendor, '') AS vendor,
            NULLIF(m.system, '') AS system, r.bucket, r.captured, r.day, r.process, r.machine
        FROM stored_load l JOIN stored_module m ON m.module = l.module JOIN stored_record r ON r.sequence = l.sequence
        """,
        """
        CREATE VIEW machines AS
        SELECT machine, COUNT(*) AS dumps, SUM(CASE WHEN answer IN ('confirmed', 'likely', 'suspected') THEN 1 ELSE 0 END) AS hangs,
            MIN(captured) AS first_seen, MAX(captured) AS last_seen
        FROM stored_record WHERE machine IS NOT NULL GROUP BY machine
        """,
        """
        CREATE VIEW days AS
        SELECT day, COUNT(*) AS dumps, SUM(CASE WHEN answer IN ('confirmed', 'likely', 'suspected') THEN 1 ELSE 0 END) AS hangs
        FROM stored_record WHERE day IS NOT NULL GROUP BY day
        """,
        "CREATE VIEW runs AS SELECT run, machine, inputs, shard, started, ended FROM stored_run",
    ];
}
