-- Runs beside servers of schema 0001 or later.
-- API keys of an account, and accounts whose data is still being deleted.

create table if not exists tandem.api_keys (
  user_id uuid not null,
  key_id uuid not null,
  name text not null,
  scopes text[] not null,
  -- SHA-256 of the key's secret, which is 32 random bytes: nothing slower is needed against guessing.
  hash bytea not null,
  ends_with text not null,
  created_at timestamptz(3) not null,
  -- Written at most once a minute.
  last_used_at timestamptz(3),
  primary key (user_id, key_id)
);

-- A deleted account stays here until no request that was under way can write for it any more.
create table if not exists tandem.deleted_accounts (
  user_id uuid primary key,
  deleted_at timestamptz(3) not null
);

do $$
declare
  name text;
begin
  foreach name in array array['api_keys', 'deleted_accounts'] loop
    execute format('alter table tandem.%I enable row level security', name);
    execute format('alter table tandem.%I force row level security', name);
    execute format('create policy owner_rows on tandem.%I to %I using (true) with check (true)', name, current_user);
    execute format(
      'create policy account_rows on tandem.%I to tandem_accounts
        using (user_id = tandem.current_user_id()) with check (user_id = tandem.current_user_id())',
      name
    );
  end loop;
end
$$;

grant select, insert, update, delete on tandem.api_keys to tandem_accounts;
grant select, insert on tandem.deleted_accounts to tandem_accounts;
grant delete on tandem.email_directory, tandem.credentials, tandem.users to tandem_accounts;
