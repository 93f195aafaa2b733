-- Memories are read in pages, the newest first: what the user said about a subject, and what was learned in a conversation.
CREATE INDEX memories_said ON memories (subject, created_at, id) WHERE state = 'active' AND authority = 'person';
DROP INDEX memories_of_conversation;
CREATE INDEX memories_of_conversation ON memories (conversation_id, created_at, id) WHERE conversation_id IS NOT NULL;
