-- A quote names the conversation of its message, so that the message can be opened. Quotes of messages that are not here stay as they are.
UPDATE memories SET quotes = (
  SELECT json_group_array(
    json(CASE WHEN c.conversation_id IS NULL THEN q.value ELSE json_set(q.value, '$.conversation_id', c.conversation_id) END)
    ORDER BY q.key)
  FROM json_each(memories.quotes) q
  LEFT JOIN messages m ON m.message_id = q.value ->> 'message_id'
  LEFT JOIN conversations c ON c.no = m.conversation
) WHERE quotes <> '[]';
