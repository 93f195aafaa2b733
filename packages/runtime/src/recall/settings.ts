import { Type } from 'typebox'
import type { SettingsSection } from '../settings/section.ts'

const schema = Type.Object({
  embeddings: Type.Union([Type.Literal('bundled'), Type.Literal('model'), Type.Literal('off')], {
    description: 'Compare texts by meaning: with the bundled English model, with an embeddings model of yours, or not at all.',
  }),
  embeddings_model: Type.String({
    maxLength: 200,
    description: 'The embeddings model at the address of your models, if embeddings is "model".',
  }),
})

export const recallSettings: SettingsSection<typeof schema> = {
  name: 'recall',
  schema,
  initial: { embeddings: 'bundled', embeddings_model: '' },
}
