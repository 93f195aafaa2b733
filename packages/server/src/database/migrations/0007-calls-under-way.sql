-- Runs beside servers of schema 0006 or later.
-- A call of a model has its row from soon after it began. If its node dies the row stays as it is, and tells that nobody heard the end.

alter table tandem.model_calls add column if not exists ended boolean not null default true;
