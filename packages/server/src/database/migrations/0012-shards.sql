-- Runs beside servers of schema 0003 or later.
-- Policies without a subquery: Citus cannot distribute a statement with one.

alter policy own_rows on tandem.sync_entities
  using (user_id = tandem.current_user_id()) with check (user_id = tandem.current_user_id());
