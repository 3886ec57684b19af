-- The key is the id in base62, always 11 characters, which sort as the ids do. As an INTEGER it
-- would come out of D1 as a number, rounded above 2^53.
CREATE TABLE link (
  key TEXT PRIMARY KEY,
  url TEXT NOT NULL
) WITHOUT ROWID;
