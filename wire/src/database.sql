-- These tables and functions make a PostgreSQL database the authority of edgeflake's holders. Run
-- this file once, as the owner of the database. To upgrade, run the file of the later release.
--
-- A holder reads an excerpt of the tables (edgeflake.read), decides from the excerpt, and writes
-- its decision (edgeflake.write). A holder that renews its lease may decide from its last write
-- instead. The functions decide nothing: they store a write only if the rows from which the holder
-- decided have not changed, and if the time for which it decided has come. The rules, and the
-- commits that a failover can lose, are in src/lease/authority/database.rs.
--
-- SECURITY DEFINER and SET clauses cost time, so functions that no role calls directly do without
-- them, except triggers. Most of those functions are in SQL and cost nothing, because PostgreSQL
-- puts their expressions in the place of the calls.

BEGIN;

-- If two sessions run this file at once, the second one waits.
SELECT pg_advisory_xact_lock(1701079141);

DO $$
BEGIN
    IF current_setting('server_version_num')::integer < 140000 THEN
        RAISE EXCEPTION 'the server is PostgreSQL %: use 14 or newer',
            current_setting('server_version');
    END IF;
END
$$;

CREATE SCHEMA IF NOT EXISTS edgeflake;

-- The server, in one row. The tables rely on the server's promise to keep confirmed commits.
CREATE TABLE IF NOT EXISTS edgeflake.server (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    version integer NOT NULL,
    -- The server's history (see edgeflake.history) when the tables were made.
    history text NOT NULL,
    -- Whether a standby that is promoted has every confirmed commit. The value does not apply to
    -- histories before synchronous_since. After you restore a backup, set is_synchronous to false
    -- before the first holder connects. Never promote a standby that lacks a change of this column.
    is_synchronous boolean NOT NULL,
    synchronous_since text,
    -- Whether holders may use a server that can lose commits in a crash (fsync is off).
    accepts_lost_commits boolean NOT NULL DEFAULT false
);

CREATE TABLE IF NOT EXISTS edgeflake.sequencer (
    id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    name text PRIMARY KEY,
    sequencer jsonb NOT NULL,
    -- A random number, drawn anew at each change of the row. Two servers that were promoted from
    -- the same server may have equal histories, but they draw different numbers.
    change bigint NOT NULL DEFAULT floor(random() * 9007199254740991) + 1,
    -- The history of the server to which the sequencer's rows belong.
    history text NOT NULL,
    failover jsonb
);

-- The settings of a sequencer. A sequencer without a row here has the default settings. Change
-- settings only by edgeflake.set, which also changes the sequencer's row, so that a holder that has
-- read the old settings cannot write a longer lease afterwards. After a failover, the end of all
-- leases that may be lost is computed from the settings.
CREATE TABLE IF NOT EXISTS edgeflake.settings (
    name text PRIMARY KEY,
    settings jsonb NOT NULL
);

CREATE TABLE IF NOT EXISTS edgeflake.node (
    -- The sequencer's id. A foreign key would lock the sequencer's row for each new node.
    sequencer integer NOT NULL,
    node bigint NOT NULL,
    from_tick bigint NOT NULL,
    until_tick bigint NOT NULL CHECK (until_tick >= from_tick),
    until_sequence bigint NOT NULL,
    token text,
    issued bigint NOT NULL,
    issued_of_span bigint NOT NULL,
    PRIMARY KEY (sequencer, node)
);

CREATE INDEX IF NOT EXISTS node_held ON edgeflake.node (sequencer, until_tick, node)
    WHERE token IS NOT NULL;
CREATE INDEX IF NOT EXISTS node_released ON edgeflake.node (sequencer, until_tick, node)
    WHERE token IS NULL;
CREATE INDEX IF NOT EXISTS node_token ON edgeflake.node (token) WHERE token IS NOT NULL;

-- Returns the server's time in Unix ms.
CREATE OR REPLACE FUNCTION edgeflake.now_ms() RETURNS bigint LANGUAGE sql VOLATILE
RETURN floor(extract(epoch FROM clock_timestamp()) * 1000);

-- Returns the first part of the history, which names the server's system and the tables. Neither
-- changes during a session, so the function is IMMUTABLE: PostgreSQL computes it when it plans a
-- statement of the functions below, which each session does once.
CREATE OR REPLACE FUNCTION edgeflake.installation() RETURNS text LANGUAGE sql IMMUTABLE
RETURN (pg_control_system()).system_identifier
    || '/' || 'edgeflake.sequencer'::regclass::oid || '/';

-- Returns the history of this server. The history changes when a standby is promoted, a backup is
-- restored, or a dump makes the tables anew. The timeline comes from the log that is written now,
-- because the control file has an older timeline until the first checkpoint after a promotion.
--
-- The history does not change when a snapshot of the disk is restored, or a dump of the rows is
-- loaded into the same tables. In both cases, before holders reach the database, run
-- UPDATE edgeflake.sequencer SET history = 'restored' and
-- UPDATE edgeflake.server SET is_synchronous = false.
CREATE OR REPLACE FUNCTION edgeflake.history() RETURNS text LANGUAGE sql VOLATILE
RETURN edgeflake.installation() || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8);

-- Stores the history since which the server is synchronous. A later history of a server compares as
-- greater, because timelines are numbered.
CREATE OR REPLACE FUNCTION edgeflake.note_synchronous() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT NEW.is_synchronous THEN
        NEW.synchronous_since := NULL;
    ELSIF NOT OLD.is_synchronous THEN
        NEW.synchronous_since := edgeflake.history();
    END IF;
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER note_synchronous BEFORE UPDATE ON edgeflake.server
    FOR EACH ROW EXECUTE FUNCTION edgeflake.note_synchronous();

-- After a change of the settings, prevents writes by holders that have read the old settings.
CREATE OR REPLACE FUNCTION edgeflake.note_settings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        RAISE EXCEPTION 'settings cannot be truncated: delete the rows instead';
    END IF;
    PERFORM pg_advisory_xact_lock(1701079142, hashtext(name))
        FROM unnest(ARRAY[OLD.name, NEW.name]) name WHERE name IS NOT NULL;
    UPDATE edgeflake.sequencer SET change = DEFAULT WHERE name IN (NEW.name, OLD.name);
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER note_settings AFTER INSERT OR UPDATE OR DELETE ON edgeflake.settings
    FOR EACH ROW EXECUTE FUNCTION edgeflake.note_settings();
CREATE OR REPLACE TRIGGER keep_settings BEFORE TRUNCATE ON edgeflake.settings
    EXECUTE FUNCTION edgeflake.note_settings();

-- Fails with a code; returns NULL if an argument is NULL. `version` is the caller's version.
CREATE OR REPLACE FUNCTION edgeflake.fail(code text, version text) RETURNS boolean
LANGUAGE plpgsql STRICT AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = code, MESSAGE = CASE code
        WHEN 'EF001' THEN
            'fsync is off, so a crash loses confirmed leases: set fsync = on, or, for a database '
            'that may repeat ids, UPDATE edgeflake.server SET accepts_lost_commits = true'
        WHEN 'EF002' THEN
            'synchronous_standby_names is empty, so a failover loses confirmed leases: name the '
            'standby, or UPDATE edgeflake.server SET is_synchronous = false'
        WHEN 'EF003' THEN
            'the isolation is ' || current_setting('transaction_isolation') ||
            ': only read committed is allowed, and no transaction around the call'
        WHEN 'EF005' THEN
            'the tables are of version ' || (SELECT server.version FROM edgeflake.server)
            || ', and this release uses version ' || version
            || ': run the output of "npx edgeflake authority sql" of the newer release'
        END;
END
$$;

-- Returns true. Fails if the server may lose confirmed commits although its row does not allow
-- this, or if the version or the transaction isolation is wrong.
CREATE OR REPLACE FUNCTION edgeflake.is_usable(server edgeflake.server, given jsonb) RETURNS boolean
LANGUAGE sql VOLATILE
RETURN edgeflake.fail(CASE
    WHEN (given->>'version')::integer IS DISTINCT FROM server.version THEN 'EF005'
    WHEN current_setting('fsync') = 'off' AND NOT server.accepts_lost_commits THEN 'EF001'
    WHEN server.is_synchronous AND current_setting('synchronous_standby_names') = '' THEN 'EF002'
    WHEN current_setting('transaction_isolation') <> 'read committed' THEN 'EF003'
    END, coalesce(given->>'version', 'unknown')) IS NULL;

-- Until the operator says otherwise, the server counts as one that may lose commits in a failover.
INSERT INTO edgeflake.server (version, history, is_synchronous)
    VALUES (1, edgeflake.history(), false) ON CONFLICT DO NOTHING;

-- Makes the server confirm this transaction's commit only when the commit is on the disk and on the
-- synchronous standby, and returns true. If the server confirms the commit earlier, it sends a
-- warning. The settings last until the transaction ends.
CREATE OR REPLACE FUNCTION edgeflake.confirm_durably() RETURNS boolean LANGUAGE sql VOLATILE
RETURN (current_setting('synchronous_commit') IN ('on', 'remote_apply')
        OR set_config('synchronous_commit', 'on', true) IS NOT NULL)
    AND (current_setting('client_min_messages') <> 'error'
        OR set_config('client_min_messages', 'warning', true) IS NOT NULL);

-- Returns an excerpt of a sequencer's table. Parts for which the holder did not ask are left out.
CREATE OR REPLACE FUNCTION edgeflake.read(for_name text, part text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
-- Planning would take longer than running the statements. Each statement has an index, which is the
-- right plan for a table of any size.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    asked CONSTANT jsonb := part;
    most CONSTANT integer := asked->'nodes';
    excluded CONSTANT bigint := coalesce(asked->>'excluded_node', '-1');
    window_nodes CONSTANT bigint := 1024;
    present CONSTANT text := edgeflake.history();
    s record;
    first_node bigint;
    nodes_end bigint;
    used_end bigint;
    beyond bigint;
    start bigint;
    unused bigint[];
    granted json;
    held json;
    released json;
    latest json;
BEGIN
    SELECT is_synchronous, synchronous_since, coalesce(known.history, server.history) AS history,
        id, change, sequencer, failover
        INTO STRICT s FROM edgeflake.server LEFT JOIN edgeflake.sequencer known ON name = for_name
        WHERE one AND edgeflake.is_usable(server, asked);
    first_node := s.sequencer->'first_node';
    IF NOT asked ? 'node' THEN
        SELECT coalesce(max(node) + 1, 0) INTO used_end
            FROM edgeflake.node WHERE sequencer = s.id;
    END IF;
    IF most > 0 THEN
        nodes_end := first_node + (s.sequencer->'node_count')::bigint;
        -- Take up to three nodes at a random place in a range of unused nodes that is up to 32
        -- times as long as the list of held nodes. If many holders start at once, few of them then
        -- choose the same nodes.
        beyond := greatest(used_end, first_node + 1);
        start := beyond
            + floor(random() * least(most * 32, window_nodes, nodes_end - beyond))::bigint;
        SELECT array_agg(node) INTO unused
            FROM generate_series(greatest(start - 1, beyond), least(start + 1, nodes_end - 1)) node
            WHERE node <> excluded;
        IF unused IS NULL THEN
            -- No node is left after the last used node, so take unused nodes before it, in a random
            -- part of the table.
            start := first_node + 1
                + floor(random() * greatest(0, used_end - first_node - window_nodes))::bigint;
            SELECT array_agg(node) INTO unused FROM (
                SELECT node FROM generate_series(start,
                    least(start + window_nodes, used_end - 1)) node
                WHERE node <> excluded AND NOT EXISTS (
                    SELECT FROM edgeflake.node used
                    WHERE used.sequencer = s.id AND used.node = node.node)
                LIMIT most) passed_over;
        END IF;
        SELECT (SELECT json_agg(n) FROM edgeflake.node n
                WHERE n.sequencer = s.id AND n.token = asked->>'token'),
            (SELECT json_agg(n) FROM (
                SELECT * FROM edgeflake.node n WHERE n.sequencer = s.id AND n.token IS NOT NULL
                AND n.node NOT IN (first_node, excluded)
                ORDER BY n.until_tick, n.node LIMIT most) n),
            (SELECT json_agg(n) FROM (
                SELECT * FROM edgeflake.node n WHERE n.sequencer = s.id AND n.token IS NULL
                AND n.node NOT IN (first_node, excluded)
                ORDER BY n.until_tick, n.node LIMIT most) n)
            INTO granted, held, released;
    END IF;
    IF (asked->'ends')::boolean THEN
        latest := (SELECT json_agg(n) FROM (
            SELECT * FROM edgeflake.node n WHERE n.sequencer = s.id
            ORDER BY n.until_tick DESC, n.until_sequence DESC LIMIT 9) n);
    END IF;
    RETURN json_build_object(
        'now_ms', edgeflake.now_ms(),
        'history', present,
        'is_synchronous', s.is_synchronous,
        -- A backup that was restored up to a target has lost commits, even if the standby has all
        -- commits.
        'has_all_commits', s.synchronous_since IS NOT NULL
            AND s.synchronous_since COLLATE "C" <= s.history
            AND left(s.history, -8) = left(s.synchronous_since, -8)
            AND left(s.history, -8) = left(present, -8)
            AND concat(current_setting('recovery_target'), current_setting('recovery_target_lsn'),
                current_setting('recovery_target_name'), current_setting('recovery_target_time'),
                current_setting('recovery_target_xid')) = '',
        'known_history', s.history,
        'failover', s.failover,
        'change', coalesce(s.change, 0),
        'sequencer', s.sequencer,
        'settings', (SELECT settings FROM edgeflake.settings WHERE name = for_name),
        'row', (SELECT row_to_json(n) FROM edgeflake.node n WHERE n.sequencer = s.id
            AND n.node = coalesce((asked->'node')::bigint, first_node)),
        'used_end', used_end,
        'unused', unused,
        'granted', granted,
        'held', held,
        'released', released,
        'latest', latest);
END
$$;

-- Stores the changes of the sequencer or, if a commit has no changes at all, writes its row as it
-- is. Returns whether the conditions held.
CREATE OR REPLACE FUNCTION edgeflake.store_sequencer(for_name text, given jsonb, known_id integer)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    effect CONSTANT text := given->>'effect';
    changed CONSTANT jsonb := given->'sequencer';
    drops_rows CONSTANT boolean := given->'drops_rows';
BEGIN
    IF changed IS NOT NULL THEN
        IF EXISTS (SELECT FROM edgeflake.node WHERE sequencer = known_id
            AND (until_tick + (until_sequence > 0)::integer > (given->'ended_by')::bigint
                OR NOT drops_rows AND node >= (given->'nodes_end')::bigint))
        THEN
            RETURN false;
        END IF;
        IF drops_rows THEN
            DELETE FROM edgeflake.node WHERE sequencer = known_id;
        END IF;
    END IF;
    IF known_id IS NULL THEN
        INSERT INTO edgeflake.sequencer (name, sequencer, history)
            SELECT for_name, changed, history FROM edgeflake.server WHERE one
            ON CONFLICT DO NOTHING;
    ELSIF changed IS NOT NULL OR effect <> 'keep' THEN
        UPDATE edgeflake.sequencer SET
            change = DEFAULT,
            sequencer = coalesce(changed, sequencer.sequencer),
            history = CASE effect WHEN 'adopt' THEN given->>'history' ELSE history END,
            failover = CASE effect WHEN 'note' THEN given->'failover' WHEN 'adopt' THEN NULL
                ELSE failover END
        WHERE id = known_id;
    ELSE
        -- A commit without changes still writes to the log, because its confirmation then proves
        -- that all earlier commits are durable.
        UPDATE edgeflake.sequencer SET change = change WHERE id = known_id;
    END IF;
    RETURN FOUND;
END
$$;

-- Stores a commit if all its conditions hold, and returns the answer to the holder.
CREATE OR REPLACE FUNCTION edgeflake.store(for_name text, given jsonb) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
    is_change CONSTANT boolean := given->>'effect' <> 'keep' OR given ? 'sequencer';
    before CONSTANT jsonb := given #> '{nodes,0,before}';
    after CONSTANT jsonb := given #> '{nodes,0,after}';
    s record;
    is_stored boolean;
BEGIN
    -- Changes of the sequencer and writes of nodes wait for each other. The statements below come
    -- after the lock, so they see everything that was committed before the lock.
    PERFORM edgeflake.confirm_durably(), CASE WHEN is_change
        THEN pg_advisory_xact_lock(1701079142, hashtext(for_name))
        ELSE pg_advisory_xact_lock_shared(1701079142, hashtext(for_name)) END;
    SELECT is_synchronous, edgeflake.now_ms() AS now_ms, id, change, known.history
        INTO STRICT s FROM edgeflake.server LEFT JOIN edgeflake.sequencer known ON name = for_name
        WHERE one AND edgeflake.is_usable(server, given);
    is_stored := coalesce((given->>'now_ms')::bigint <= s.now_ms
        AND given->>'history' = edgeflake.history()
        AND (given->>'change')::bigint = coalesce(s.change, 0)
        AND (given->>'effect' = 'keep') = coalesce(s.history = given->>'history', true), false);
    IF is_stored AND (is_change OR after IS NULL) THEN
        is_stored := edgeflake.store_sequencer(for_name, given, s.id);
    END IF;
    -- A commit has at most one node, or the nodes of a restart. The latter have no row before, and
    -- cannot conflict, because the restart has deleted all rows.
    IF is_stored AND before IS NOT NULL THEN
        UPDATE edgeflake.node SET
            from_tick = (after->>'from_tick')::bigint,
            until_tick = (after->>'until_tick')::bigint,
            until_sequence = (after->>'until_sequence')::bigint,
            token = after->>'token',
            issued = (after->>'issued')::bigint,
            issued_of_span = (after->>'issued_of_span')::bigint
        WHERE sequencer = s.id AND node = (given #>> '{nodes,0,node}')::bigint
            AND from_tick = (before->>'from_tick')::bigint
            AND until_tick = (before->>'until_tick')::bigint
            AND until_sequence = (before->>'until_sequence')::bigint
            AND token IS NOT DISTINCT FROM before->>'token';
        is_stored := FOUND;
    ELSIF is_stored AND after IS NOT NULL THEN
        INSERT INTO edgeflake.node
            SELECT s.id, item.node, new.*
            FROM jsonb_to_recordset(given->'nodes') AS item (node bigint, after jsonb),
                jsonb_to_record(item.after) AS new (from_tick bigint, until_tick bigint,
                    until_sequence bigint, token text, issued bigint, issued_of_span bigint)
            ON CONFLICT DO NOTHING;
        is_stored := FOUND;
    END IF;
    RETURN json_build_object('stored', is_stored, 'now_ms', s.now_ms,
        'is_synchronous', s.is_synchronous);
END
$$;

-- Stores an administrator's commit.
CREATE OR REPLACE FUNCTION edgeflake.commit(for_name text, given jsonb) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
    RETURN edgeflake.store(for_name, given);
END
$$;

-- Stores a holder's commit. The commit may change the sequencer only to adopt a new history of the
-- server.
CREATE OR REPLACE FUNCTION edgeflake.holder_commit(for_name text, given jsonb) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
    IF given ? 'sequencer' AND given->>'effect' IS DISTINCT FROM 'adopt' THEN
        RAISE EXCEPTION USING ERRCODE = 'EF004', MESSAGE =
            'a holder may not change a sequencer: call edgeflake.administer';
    END IF;
    RETURN edgeflake.store(for_name, given);
END
$$;

-- Stores the settings of a sequencer. The sequencer need not exist yet. Fails after a failover
-- until a holder has noted the failover in the sequencer's row, because the noted tick depends on
-- the old settings.
CREATE OR REPLACE FUNCTION edgeflake.change_settings(for_name text, given jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    s edgeflake.sequencer;
BEGIN
    PERFORM edgeflake.confirm_durably();
    PERFORM pg_advisory_xact_lock(1701079142, hashtext(for_name));
    SELECT * INTO s FROM edgeflake.sequencer WHERE name = for_name;
    IF edgeflake.history() NOT IN (s.history,
        CASE WHEN s.failover ? 'until_tick' THEN s.failover->>'history' ELSE '' END) THEN
        RAISE EXCEPTION USING ERRCODE = 'EF006', MESSAGE = 'the server was promoted or restored, and '
            'the sequencer has not noticed: ask for an id, or CALL edgeflake.confirm_failover() if '
            'no commit was lost';
    END IF;
    -- Settings that only a later release knows stay as they are. The old sequence_start_max is
    -- dropped, because only a random start of the sequence has one.
    INSERT INTO edgeflake.settings AS old VALUES (for_name, given)
        ON CONFLICT (name) DO UPDATE SET settings = old.settings || given
            || jsonb_build_object('terms',
                (old.settings->'terms') - 'sequence_start_max' || (given->'terms'));
    RETURN true;
END
$$;

-- Makes all sequencers adopt the current history of the server.
CREATE OR REPLACE FUNCTION edgeflake.adopt_history() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    present CONSTANT text := edgeflake.history();
BEGIN
    PERFORM edgeflake.confirm_durably();
    PERFORM pg_advisory_xact_lock(1701079142, lock)
        FROM (SELECT hashtext(name) AS lock FROM edgeflake.sequencer ORDER BY lock) locks;
    UPDATE edgeflake.sequencer SET history = present, failover = NULL, change = DEFAULT
        WHERE history <> present;
    UPDATE edgeflake.server SET history = present;
END
$$;

-- The procedures commit before they answer. A function cannot commit, and some drivers report
-- success when a SELECT returns, although the commit comes later and may fail. PostgreSQL refuses a
-- COMMIT within the caller's transaction, so each call is a transaction of its own.
CREATE OR REPLACE PROCEDURE edgeflake.write(for_name text, given text, INOUT answer text)
LANGUAGE plpgsql AS $$
BEGIN
    answer := edgeflake.holder_commit(for_name, given::pg_catalog.jsonb);
    COMMIT;
END
$$;

CREATE OR REPLACE PROCEDURE edgeflake.administer(for_name text, given text, INOUT answer text)
LANGUAGE plpgsql AS $$
BEGIN
    answer := edgeflake.commit(for_name, given::pg_catalog.jsonb);
    COMMIT;
END
$$;

CREATE OR REPLACE PROCEDURE edgeflake.set(for_name text, given text, INOUT answer text)
LANGUAGE plpgsql AS $$
BEGIN
    answer := edgeflake.change_settings(for_name, given::pg_catalog.jsonb);
    COMMIT;
END
$$;

-- Call this only if the promoted server has every confirmed commit and no backup was restored. All
-- sequencers can then grant leases at once. Without this call, each sequencer waits until all
-- leases that may have been lost have ended.
CREATE OR REPLACE PROCEDURE edgeflake.confirm_failover()
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM edgeflake.adopt_history();
    COMMIT;
END
$$;

-- The sequencers with their nodes, for monitoring. A sequencer that has not adopted the server's
-- history waits until all leases that a failover may have lost have ended.
CREATE OR REPLACE VIEW edgeflake.status AS
SELECT s.name,
    s.sequencer->>'life' AS state,
    (s.sequencer->'incarnation')::bigint AS incarnation,
    s.history = edgeflake.history() AS has_adopted_history,
    (s.sequencer->'node_count')::bigint - 1 AS total,
    counts.held,
    (s.sequencer->'node_count')::bigint - 1 - counts.held AS free,
    counts.used,
    counts.issued
FROM edgeflake.sequencer s
CROSS JOIN LATERAL (
    -- The first node is reserved for batches.
    SELECT count(*) FILTER (WHERE node <> first_node) AS used,
        count(*) FILTER (WHERE node <> first_node AND until_tick > now_tick) AS held,
        coalesce(sum(issued), 0)::bigint AS issued
    FROM edgeflake.node, (
        SELECT (s.sequencer->'first_node')::bigint AS first_node,
            (extract(epoch FROM clock_timestamp()) * 1000
                - substring(s.sequencer->>'layout' FROM '@([0-9]+)')::bigint)
                / substring(s.sequencer->>'layout' FROM 'tick=([0-9]+)')::bigint AS now_tick) clock
    WHERE sequencer = s.id) counts;

-- The roles. Grant them to the users of holders, administrators and monitoring.
DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['edgeflake_holder', 'edgeflake_admin', 'edgeflake_reader'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I', role);
        END IF;
    END LOOP;
END
$$;

REVOKE ALL ON ALL ROUTINES IN SCHEMA edgeflake FROM PUBLIC;
GRANT USAGE ON SCHEMA edgeflake TO edgeflake_holder, edgeflake_admin, edgeflake_reader;
GRANT EXECUTE ON ROUTINE edgeflake.read, edgeflake.write, edgeflake.holder_commit
    TO edgeflake_holder, edgeflake_admin;
GRANT EXECUTE ON ROUTINE edgeflake.administer, edgeflake.commit, edgeflake.set,
    edgeflake.change_settings, edgeflake.confirm_failover, edgeflake.adopt_history
    TO edgeflake_admin;
GRANT EXECUTE ON FUNCTION edgeflake.history, edgeflake.installation
    TO edgeflake_admin, edgeflake_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA edgeflake TO edgeflake_admin, edgeflake_reader;

COMMIT;
