// What an agent knows about the user and about itself: for the agent as a whole, and for each conversation.
import type { AgentIdentityProfile, Profile, UserModel } from '@tandem/contract/memory'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'

export type UserModelParts = Omit<UserModel, 'id' | 'agent_id' | 'conversation_id' | 'created_at' | 'updated_at' | 'version'>
export type IdentityParts = Omit<AgentIdentityProfile, 'id' | 'agent_id' | 'conversation_id' | 'created_at' | 'updated_at' | 'version'>

export interface Profiles {
  userModel(agent_id: string, conversation_id: string | null): UserModel | undefined
  identity(agent_id: string, conversation_id: string | null): AgentIdentityProfile | undefined
  /** Equal parts are not a new version. */
  setUserModel(agent_id: string, conversation_id: string | null, parts: UserModelParts): UserModel
  setIdentity(agent_id: string, conversation_id: string | null, parts: IdentityParts): AgentIdentityProfile
  eraseUserModels(): void
}

const emptyProfile: Profile = { summary: '', signals: [] }
export const emptyUserModel: UserModelParts = {
  preference_signals: [],
  habit_profile: emptyProfile,
  goal_profile: emptyProfile,
  persona_profile: emptyProfile,
  communication_profile: emptyProfile,
  cadence_profile: emptyProfile,
  risk_profile: emptyProfile,
}

const modelFields = Object.keys(emptyUserModel) as (keyof UserModelParts)[]
const identityLists = ['principles', 'boundaries', 'signals'] as const

type Stored<Record> = { readonly [Field in keyof Record]: string | number | null }

export function openProfiles({ sql, newId, clock, kept }: Pick<Store, 'sql' | 'newId' | 'clock' | 'kept'>): Profiles {
  const models = kept<UserModel | undefined>('user_models')
  const identities = kept<AgentIdentityProfile | undefined>('agent_identity_profiles')
  const parsed = <Record extends object>(row: Stored<Record> | undefined, lists: readonly (keyof Record)[]): Record | undefined =>
    row && ({ ...row, ...Object.fromEntries(lists.map((field) => [field, JSON.parse(String(row[field]))])) } as Record)
  const storedModel = (agent_id: string, conversation_id: string | null) =>
    sql.get<Stored<UserModel>>`
      SELECT * FROM user_models WHERE agent_id = ${agent_id} AND ifnull(conversation_id, '') = ${conversation_id ?? ''}`
  const userModel: Profiles['userModel'] = (agent_id, conversation_id) =>
    models.get(keyOf(agent_id, conversation_id), () => parsed<UserModel>(storedModel(agent_id, conversation_id), modelFields))
  const identity: Profiles['identity'] = (agent_id, conversation_id) =>
    identities.get(keyOf(agent_id, conversation_id), () =>
      parsed<AgentIdentityProfile>(
        sql.get<Stored<AgentIdentityProfile>>`
          SELECT * FROM agent_identity_profiles WHERE agent_id = ${agent_id} AND ifnull(conversation_id, '') = ${conversation_id ?? ''}`,
        identityLists,
      ),
    )
  const keyOf = (agent_id: string, conversation_id: string | null) => `${agent_id} ${conversation_id ?? ''}`
  const stamps = (before: { readonly id: string; readonly created_at: string; readonly version: number } | undefined) => {
    const now = timestamp(clock.now())
    return { id: before?.id ?? newId(), created_at: before?.created_at ?? now, updated_at: now, version: (before?.version ?? 0) + 1 }
  }
  const stampsOf = ({ id, created_at, updated_at, version }: Stored<UserModel>) => ({
    ...{ id: String(id), created_at: String(created_at), updated_at: String(updated_at), version: Number(version) },
  })
  const isSame = (before: object | undefined, parts: object) =>
    before !== undefined && JSON.stringify({ ...before, ...parts }) === JSON.stringify(before)
  return {
    userModel,
    identity,
    setUserModel(agent_id, conversation_id, parts) {
      const before = storedModel(agent_id, conversation_id)
      // Evidence makes a profile long: the texts are compared as they are stored.
      const texts = modelFields.map((field) => JSON.stringify(parts[field]))
      const isSame = before !== undefined && modelFields.every((field, at) => before[field] === texts[at])
      const next = { agent_id, conversation_id, ...parts, ...(isSame ? stampsOf(before) : stamps(before && stampsOf(before))) }
      if (isSame) return next
      const [signals, habit, goal, persona, communication, cadence, risk] = texts
      sql.run`
        INSERT OR REPLACE INTO user_models (id, agent_id, conversation_id, preference_signals, habit_profile, goal_profile, persona_profile,
          communication_profile, cadence_profile, risk_profile, created_at, updated_at, version)
        VALUES (${next.id}, ${agent_id}, ${conversation_id}, ${signals ?? ''}, ${habit ?? ''}, ${goal ?? ''}, ${persona ?? ''},
          ${communication ?? ''}, ${cadence ?? ''}, ${risk ?? ''}, ${next.created_at}, ${next.updated_at}, ${next.version})`
      return next
    },
    setIdentity(agent_id, conversation_id, parts) {
      const before = identity(agent_id, conversation_id)
      if (before && isSame(before, parts)) return before
      const next: AgentIdentityProfile = { agent_id, conversation_id, ...parts, ...stamps(before) }
      sql.run`
        INSERT OR REPLACE INTO agent_identity_profiles (id, agent_id, conversation_id, name, role, purpose, tone, principles, boundaries, signals,
          created_at, updated_at, version)
        VALUES (${next.id}, ${agent_id}, ${conversation_id}, ${next.name}, ${next.role}, ${next.purpose}, ${next.tone},
          ${JSON.stringify(next.principles)}, ${JSON.stringify(next.boundaries)}, ${JSON.stringify(next.signals)}, ${next.created_at},
          ${next.updated_at}, ${next.version})`
      return next
    },
    eraseUserModels() {
      sql.run`DELETE FROM user_models`
    },
  }
}
