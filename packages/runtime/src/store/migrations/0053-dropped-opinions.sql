-- A second opinion that a model gave and that is not used: the model and the reason, as JSON.
ALTER TABLE runtime_outcome_evaluations ADD COLUMN dropped_opinion TEXT;
