-- Profiles of conversations had copies of memories, also of forgotten ones. They are written again without them.
PRAGMA secure_delete = ON;
DELETE FROM user_models WHERE conversation_id IS NOT NULL;
DELETE FROM agent_identity_profiles WHERE conversation_id IS NOT NULL;
PRAGMA secure_delete = OFF;
