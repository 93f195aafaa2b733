import type { CommandErrorCode, ListedSkill, ListedSkillBinding } from '@tandem/contract/command'
import { defaultSandboxMode, type SandboxMode } from '@tandem/contract/tool'
import type { CommandTable } from '../feature/command-table.ts'
import { pageBy } from '../feature/cursor.ts'
import { agentNotFound } from '../feature/not-found.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import type { Journal } from '../journal/journal.ts'
import type { CatalogSkill } from './catalog.ts'
import type { RunSkills } from './run-skills.ts'
import type { ListedBinding, SkillContext, SkillFailure, SkillService } from './service.ts'

export interface SkillCommandPorts {
  readonly workspaces: Pick<Workspaces, 'resolve' | 'started'>
  readonly agents: {
    get(agent_id: string): { readonly agent: { readonly sandbox_mode: SandboxMode } } | undefined
    default(): { readonly agent_id: string }
  }
  readonly skills: SkillService
  readonly runSkills: Pick<RunSkills, 'given' | 'changed'>
  readonly journal: Pick<Journal, 'run'>
}

export function skillHandlers({ skills, runSkills, agents, workspaces, journal }: SkillCommandPorts): CommandTable {
  interface Place {
    readonly workspace?: string
    readonly sandbox_mode?: SandboxMode
  }

  async function inPlace<Value>(
    { workspace, sandbox_mode = defaultSandboxMode }: Place,
    look: (situation: SkillContext) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const place = workspace ?? workspaces.started()
    if (place === null) return await look({ workspace: null, sandbox_mode })
    const folder = workspaces.resolve(place)
    return folder.ok ? await look({ workspace: folder.value, sandbox_mode }) : folder
  }

  /** The sandbox mode of the agent decides what it can use. */
  async function forAgent<Value>(
    agent_id: string,
    place: Place,
    look: (situation: SkillContext) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const kept = agents.get(agent_id)
    return kept ? await inPlace({ sandbox_mode: kept.agent.sandbox_mode, ...place }, look) : agentNotFound(agent_id)
  }

  /** The skills of a list whose first pages were read, so that all pages come from one scan. */
  let listing: { readonly key: string; readonly skills: readonly ListedSkill[] } | null = null

  return {
    skill_list: ({ limit, cursor, ...place }) =>
      inPlace(place, async (situation) => {
        const paging = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }
        const key = JSON.stringify(situation)
        const all =
          cursor !== undefined && listing?.key === key ? listing.skills : (await skills.listSkills(situation)).skills.map(toListed)
        const page = pageBy('skill_list', all, ({ skill }) => skill.path, paging)
        listing = page.ok && page.value.next_cursor !== null ? { key, skills: all } : null
        return page
      }),
    skill_check: (place) =>
      inPlace(place, async (situation) => {
        const found = await skills.listSkills(situation)
        const usable = found.skills.filter(({ skill }) => skill.problems.length === 0).length
        return { ok: true, value: { found: found.skills.length, usable, notices: found.notices.map((notice) => ({ ...notice })) } }
      }),
    skill_get: ({ name, ...place }) =>
      inPlace(place, async (situation) => {
        const got = await skills.getSkill(situation, name)
        if (!got.ok) return refused(got.failure)
        const { flags, files, folder_notes, ...detail } = got.value
        const lists = { suspicions: flags.map((flag) => ({ ...flag })), files: [...files], folder_notes: [...folder_notes] }
        return { ok: true, value: { ...detail, ...lists } }
      }),
    skill_bind: ({ agent_id = agents.default().agent_id, skill_name, binding_policy, reviewed_sha256, ...place }) =>
      forAgent(agent_id, place, async (situation) => {
        const request = { agent_id, skill_name, binding_policy, reviewed_sha256, source: 'user' as const, recommendation_id: null }
        const bound = await skills.bindSkill(situation, request)
        if (!bound.ok) return refused(bound.failure)
        runSkills.changed()
        return { ok: true, value: { binding: listed(bound.value) } }
      }),
    skill_unbind({ agent_id, skill_name }) {
      const unbound = skills.unbindSkill(agent_id, skill_name)
      if (!unbound.ok) return refused(unbound.failure)
      runSkills.changed()
      return { ok: true, value: { agent_id, skill_name } }
    },
    skill_binding_list: ({ agent_id, limit, cursor, ...place }) =>
      forAgent(agent_id, place, async (situation) => {
        const all = (await skills.listBindings({ ...situation, agent_id })).map(listed)
        const paging = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }
        return pageBy(`skill_binding_list ${agent_id}`, all, ({ binding }) => binding.skill_name, paging)
      }),
    agent_run_get_skills({ run_id }) {
      if (!journal.run(run_id)) return { ok: false, code: 'not_found', message: `there is no run ${run_id}` }
      const given = runSkills.given(run_id)
      if (!given) return { ok: true, value: { given: null } }
      const { tokens, left_out } = given
      const each = given.skills.map((skill) => ({ ...skill, allowed_tools: [...skill.allowed_tools] }))
      return { ok: true, value: { given: { tokens, skills: each, left_out: [...left_out] } } }
    },
  }
}

const codes: Record<SkillFailure['code'], CommandErrorCode> = {
  unknown_skill: 'not_found',
  unknown_binding: 'not_found',
  unknown_file: 'not_found',
  not_reviewed: 'consent_needed',
  stale_review: 'version_conflict',
  not_loadable: 'validation_failed',
  not_usable: 'incompatible_host',
}

function refused({ code, message, remedy }: SkillFailure): Extract<Outcome<never>, { ok: false }> {
  return { ok: false, code: codes[code], message: `${message}. ${remedy}` }
}

function toListed({ skill, flags }: CatalogSkill): ListedSkill {
  return { skill, suspicions: flags.map((flag) => ({ ...flag })) }
}

function listed({ folder, problems, ...bound }: ListedBinding): ListedSkillBinding {
  return {
    ...bound,
    problems: [...problems],
    changed_files: folder?.state === 'changed' ? [...folder.changed] : [],
    folder_note: folder?.state === 'closed' && bound.barrier === null ? folder.note : null,
  }
}
