// A stand-in for the parts of Citus that retention uses, on plain PostgreSQL: the list of distributed tables, `run_command_on_shards`, and
// workers that are down. It runs the given commands for real; it does not distribute anything. A real cluster is tested separately.
import type postgres from 'postgres'

/** By the first byte of its user. */
export const shardCount = 4

export function userOfShard(shard: number, n = 0): string {
  return `0${shard}890000-0000-7000-8000-${String(n).padStart(12, '0')}`
}

/** Run it as the superuser. Rows of the owner and of users are then visible only on shards that are not down. */
export async function installCitusStandIn(sql: postgres.Sql, owner: string): Promise<void> {
  await sql
    .unsafe(`
      set allow_system_table_mods = on;
      create table pg_catalog.pg_dist_partition (logicalrelid regclass);
      grant select on pg_catalog.pg_dist_partition to public;
      insert into pg_catalog.pg_dist_partition select oid::regclass from pg_class
        where relnamespace = 'tandem'::regnamespace and relkind = 'r' and relname not in ('server_epoch', 'schema_migrations', 'email_directory');

      create schema stand_in;
      grant usage on schema stand_in to public;
      create table stand_in.down (shard integer);
      grant select on stand_in.down to public;

      -- A statement without a user reaches every shard; one of a shard sees only its rows.
      create function stand_in.visible(user_id uuid) returns boolean language plpgsql stable as $$
      declare
        of_row integer := get_byte(uuid_send(user_id), 0) % ${shardCount};
        asked integer := nullif(current_setting('stand_in.shard', true), '')::integer;
      begin
        if asked is not null and asked <> of_row then return false; end if;
        if exists (select from stand_in.down where shard = of_row) then
          raise exception 'connection to the remote node worker-%:5432 failed', of_row using errcode = '08006';
        end if;
        return true;
      end $$;

      create function pg_catalog.run_command_on_shards(table_name regclass, command text, parallel bool default true,
        out shardid bigint, out success bool, out result text) returns setof record language plpgsql as $$
      begin
        <<shards>> for shard in 0..${shardCount - 1} loop
          shardid := 102008 + shard;
          success := not exists (select from stand_in.down d where d.shard = shards.shard);
          if success then
            perform set_config('stand_in.shard', shard::text, true);
            execute format(command, table_name) into result;
            perform set_config('stand_in.shard', '', true);
          else
            result := 'failed to connect to worker-' || shard || ':5432';
          end if;
          return next;
        end loop;
      end $$;

      create or replace function tandem.current_user_id() returns uuid language plpgsql stable as $$
      declare
        id uuid := nullif(current_setting('app.user_id', true), '')::uuid;
      begin
        perform stand_in.visible(id);
        return id;
      end $$;

      do $$
      declare name text;
      begin
        for name in select tablename from pg_policies where schemaname = 'tandem' and policyname = 'owner_rows' and tablename <> 'email_directory' loop
          execute format('alter policy owner_rows on tandem.%I to ${owner} using (stand_in.visible(user_id))', name);
        end loop;
      end $$;`)
    .simple()
}

/** Records in `stand_in.calls` which tables a script distributes. Run it as the superuser. */
export async function installDistributionStandIn(sql: postgres.Sql): Promise<void> {
  await sql
    .unsafe(`
      set allow_system_table_mods = on;
      create table pg_catalog.pg_dist_partition (logicalrelid regclass);
      grant select on pg_catalog.pg_dist_partition to public;
      create schema stand_in;
      create table stand_in.calls (name text, "column" text, beside text);

      create function pg_catalog.create_distributed_function(function_name regprocedure) returns void language sql as '';
      create function pg_catalog.create_distributed_table(table_name regclass, distribution_column text, distribution_type text default 'hash',
        colocate_with text default 'default') returns void language plpgsql security definer as $$
      begin
        insert into pg_catalog.pg_dist_partition values (table_name);
        insert into stand_in.calls values (table_name::text, distribution_column, colocate_with);
      end $$;`)
    .simple()
}
