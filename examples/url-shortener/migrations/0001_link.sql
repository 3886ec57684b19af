-- The key is the id in base62. A key always has 11 characters, so keys sort as the ids do. The
-- column is not an INTEGER, because D1 returns integers as JavaScript numbers, which are rounded
-- above 2^53.
CREATE TABLE link (
  key TEXT PRIMARY KEY,
  url TEXT NOT NULL
) WITHOUT ROWID;
