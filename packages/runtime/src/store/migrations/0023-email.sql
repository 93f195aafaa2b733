-- The channel has the name that all texts use.
UPDATE memory_relationship_entities SET canonical_name = 'email', version = version + 1
WHERE entity_kind = 'channel' AND canonical_name = 'e-mail';
