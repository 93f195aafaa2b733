-- Runs beside servers of schema 0001 or later.
-- The ground for every later table: the two roles statements run as, who the current user is, and the server's epoch.

create schema if not exists tandem;

do $$
declare
  role_name text;
begin
  foreach role_name in array array['tandem_app', 'tandem_accounts'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin nobypassrls noinherit', role_name);
      exception when duplicate_object or unique_violation then
        null; -- another database of this cluster was quicker
      end;
    end if;
    if not pg_has_role(current_user, role_name, 'member') then
      execute format('grant %I to current_user', role_name);
    end if;
    execute format('grant usage on schema tandem to %I', role_name);
  end loop;
end
$$;

-- Null when no user is set, so that a policy comparing with it lets nothing through.
create function tandem.current_user_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;

-- Shuts a table to all but the rows of the current user. Later migrations call this for every table with a user_id.
-- The owner keeps a policy of its own: managed platforms give it no BYPASSRLS, and FORCE would blind it.
create function tandem.isolate(isolated regclass) returns void
  language plpgsql
as $$
begin
  execute format('alter table %s enable row level security', isolated);
  execute format('alter table %s force row level security', isolated);
  execute format('create policy own_rows on %s to tandem_app using (user_id = tandem.current_user_id()) with check (user_id = tandem.current_user_id())', isolated);
  execute format('create policy owner_rows on %s to %I using (true) with check (true)', isolated, current_user);
  execute format('grant select, insert, update, delete on %s to tandem_app', isolated);
end
$$;

revoke all on function tandem.isolate(regclass) from public;

create table tandem.server_epoch (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid(),
  renewed_at timestamptz not null default now()
);

insert into tandem.server_epoch default values;
