-- The key is the id in base62, always 11 characters, so keys sort as the ids do. D1 would return an
-- INTEGER as a JavaScript number, rounded above 2^53.
CREATE TABLE link (
  key TEXT PRIMARY KEY,
  url TEXT NOT NULL
) WITHOUT ROWID;
