import { Type } from 'typebox'
import type { SettingsSection } from '../settings/section.ts'

const schema = Type.Object({
  to_models: Type.Union([Type.Literal('auto'), Type.Literal('always'), Type.Literal('never')], {
    description:
      'Send images to your model: from results of tools, and those attached to messages. "auto" sends them unless the server of the model reports that it does not accept images, or has refused one.',
  }),
})

export const imageSettings: SettingsSection<typeof schema> = { name: 'images', schema, initial: { to_models: 'auto' } }
