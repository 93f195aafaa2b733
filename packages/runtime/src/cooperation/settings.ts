import { defaultTeamLimits } from '@tandem/contract/team'
import { Type } from 'typebox'
import type { SettingsSection } from '../settings/section.ts'

const schema = Type.Object({
  depth: Type.Integer({ minimum: 0, maximum: 10, description: 'How many levels of agents may start other agents. With 0, none may.' }),
  at_once: Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many agents of a team may work at the same time.' }),
  total: Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many agents one run may start, including those that they start.' }),
  copies_gigabytes: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'How much space the copies of folders that agents work in may take. When it is used up, no new copies are made.',
  }),
})

export const teamSettings: SettingsSection<typeof schema> = {
  name: 'teams',
  schema,
  initial: { ...defaultTeamLimits, copies_gigabytes: 20 },
}
