import { Type } from 'typebox'
import type { SettingsSection } from '../settings/section.ts'

const schema = Type.Object({
  compare_meaning: Type.Boolean({
    description: 'Also search the knowledge base by meaning, with the model set in recall.embeddings.',
  }),
  most_embedded: Type.Integer({
    minimum: 0,
    maximum: 10_000_000,
    description: 'With the bundled model, a knowledge base with more passages than this is searched by words only.',
  }),
  check_minutes: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    description: 'How often files and folders are checked for changes, in minutes. A change takes effect after the next check.',
  }),
})

export const knowledgeSettings: SettingsSection<typeof schema> = {
  name: 'knowledge',
  schema,
  initial: { compare_meaning: true, most_embedded: 5_000, check_minutes: 15 },
}
