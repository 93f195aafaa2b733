import { Type } from 'typebox'
import type { SettingsSection } from '../settings/section.ts'

const schema = Type.Object({
  embeddings: Type.Union([Type.Literal('bundled'), Type.Literal('model'), Type.Literal('off')], {
    description: 'Compare texts by meaning: with the bundled English model, with your own embeddings model, or not at all.',
  }),
  embeddings_model: Type.String({
    maxLength: 200,
    description: 'The name of the embeddings model at your model URL. Used only if embeddings is "model".',
  }),
})

export const recallSettings: SettingsSection<typeof schema> = {
  name: 'recall',
  schema,
  initial: { embeddings: 'bundled', embeddings_model: '' },
}
