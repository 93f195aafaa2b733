-- Why a review ended early. Null if it was completed.
ALTER TABLE memory_heartbeat_reviews ADD COLUMN failure TEXT;
