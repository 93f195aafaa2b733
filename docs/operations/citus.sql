-- Distributes the tables of Tandem over the workers of a Citus cluster, by user. Run it on the coordinator as the owner of the schema, after
-- the first start of the backend, which creates the tables. You can run it again: what is already distributed stays as it is.
--
--   psql "$BAAS_URL" -v ON_ERROR_STOP=1 -f citus.sql

-- The coordinator connects to workers as the role that runs the statement.
alter role tandem_app login;
alter role tandem_accounts login;

-- Policies call it on the workers.
select create_distributed_function('tandem.current_user_id()');

do $$
declare
  name text;
  -- All rows of a user are on one worker: the tables share their shards.
  tables constant text[] := array[
    'users',
    'credentials',
    'sessions',
    'api_keys',
    'deleted_accounts',
    'devices',
    'sync_heads',
    'sync_entities',
    'workflows',
    'tasks',
    'files',
    'log_records',
    'model_calls',
    'model_months',
    'idempotency_keys'
  ];
begin
  foreach name in array tables loop
    if not exists (select from pg_dist_partition where logicalrelid = format('tandem.%I', name)::regclass) then
      perform create_distributed_table(
        format('tandem.%I', name)::regclass, 'user_id', colocate_with => case name when 'users' then 'none' else 'tandem.users' end);
    end if;
  end loop;
  -- Searched by address: no other table has its shards.
  if not exists (select from pg_dist_partition where logicalrelid = 'tandem.email_directory'::regclass) then
    perform create_distributed_table('tandem.email_directory'::regclass, 'email', colocate_with => 'none');
  end if;
end
$$;

-- server_epoch and schema_migrations stay on the coordinator.
