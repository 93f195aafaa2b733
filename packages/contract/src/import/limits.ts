// What an import may have.

/** Larger files are refused by name: reading one takes several times its size. */
export const importLimits = {
  file_bytes: 300 * 1_048_576,
  conversations: 20_000,
  messages: 2_000,
  characters: 200_000,
  /** Of one conversation, all messages together. */
  conversation_characters: 4_000_000,
  branches: 20,
} as const
