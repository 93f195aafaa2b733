-- What the user added by hand was learned in no conversation. Its graph is built again after each addition.
CREATE INDEX memories_of_no_conversation ON memories (created_at, id) WHERE conversation_id IS NULL;
