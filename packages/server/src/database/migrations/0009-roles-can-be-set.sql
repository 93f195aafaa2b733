-- Runs beside servers of schema 0001 or later.
-- Since PostgreSQL 16 a role that creates another becomes its administrator, but may not act as it until it is granted that too.

do $$
declare
  role_name text;
begin
  if current_setting('server_version_num')::integer < 160000 then
    return;
  end if;
  foreach role_name in array array['tandem_app', 'tandem_accounts'] loop
    if not pg_has_role(current_user, role_name, 'set') then
      execute format('grant %I to current_user with set true', role_name);
    end if;
  end loop;
end
$$;
