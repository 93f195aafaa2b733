import { Type } from 'typebox'
import type { SettingsSection } from '../settings/section.ts'

const schema = Type.Object({
  background_model: Type.Boolean({
    description: 'Use your model in the background to find what is worth remembering. When off, only local rules (in English) are used.',
  }),
  daily_tokens: Type.Integer({
    minimum: 0,
    maximum: 100_000_000,
    description:
      'Maximum number of tokens per day that your model may use in the background. When they are used up, only local rules are used.',
  }),
  prompt_tokens: Type.Integer({
    minimum: 0,
    maximum: 20_000,
    description: 'Maximum number of tokens that memories may use in each prompt.',
  }),
  use_in_runs: Type.Boolean({ description: 'Add relevant memories to the prompt of each run.' }),
  compare_meaning: Type.Boolean({
    description:
      'Also search memories by meaning, with the model set in recall.embeddings; with the bundled one, also find which memory a statement replaces.',
  }),
  reviews: Type.Boolean({
    description: 'Review recent conversations while Tandem is running and no run is active: once a day, or after 200 new messages.',
  }),
  own_preferences: Type.Array(Type.String({ maxLength: 200 }), {
    description: 'The ids of agents that do not share your preferences with the other agents.',
  }),
  without_reviews: Type.Array(Type.String({ maxLength: 200 }), {
    description: 'The ids of agents whose conversations are not reviewed automatically.',
  }),
})

export const memorySettings: SettingsSection<typeof schema> = {
  name: 'memory',
  schema,
  initial: {
    background_model: true,
    daily_tokens: 50_000,
    prompt_tokens: 1_500,
    use_in_runs: true,
    compare_meaning: true,
    reviews: true,
    own_preferences: [],
    without_reviews: [],
  },
}
