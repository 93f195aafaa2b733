// The interface of skills for commands, the loop and sync. Failures are values.
import { join } from 'node:path'
import { skillBindingEntityId } from '@tandem/contract/entity'
import type { BindingPolicy, BindingSource, Skill, SkillBinding, SkillProblem } from '@tandem/contract/skill'
import { SkillBinding as SkillBindingSchema } from '@tandem/contract/skill/schema'
import type { CompatibilityReport } from '@tandem/contract/skill-recommendation'
import type { SandboxMode } from '@tandem/contract/tool'
import type { SkillLoadOutput } from '@tandem/contract/tool/output'
import { Check } from 'typebox/value'
import { timestamp } from '../clock/clock.ts'
import type { RunBinding } from '../feature/feature.ts'
import type { Suspicion } from '../policy/untrusted-text.ts'
import type { Records } from '../store/records.ts'
import type { BoundFolder } from './bound-folder.ts'
import { type Catalog, type CatalogSkill, skillNamed } from './catalog.ts'
import { type RecommendedSkill, reportOf, reportOfRecommendation } from './compatibility-report.ts'
import { openSkillCopies } from './folder-copies.ts'
import { type FileHashes, readFolderFiles } from './folder-files.ts'
import type { HostContext } from './host.ts'
import {
  type Candidate,
  type CountTokens,
  estimateTokens,
  type Injection,
  inject,
  type LeftOutReason,
  leftOutReasons,
  leftOutTitle,
  policyLevels,
  unusableReason,
} from './injection.ts'
import { readResource } from './resources.ts'
import type { SkillFolder } from './roots.ts'
import type { ScanPorts } from './scan.ts'
import { openSkillReader, otherFiles } from './skill-reader.ts'
import { watchFolders } from './watch.ts'

export interface SkillPorts extends Omit<ScanPorts, 'loadYaml'> {
  readonly records: Pick<Records, 'get' | 'list' | 'put' | 'remove'>
  /** Tandem's folder, where the copies of skills are. */
  readonly home: string
  readonly host: Pick<HostContext, 'platform' | 'user_home' | 'environment'>
  /** The remote executors of this device, with their state. */
  executors(): HostContext['executors']
  folders(workspace: string | null): readonly SkillFolder[]
}

/** The context of a request: an agent's sandbox mode and a run's workspace decide what can be used. */
export interface SkillContext {
  readonly workspace: string | null
  readonly sandbox_mode: SandboxMode
}

export interface AgentSkillContext extends SkillContext {
  readonly agent_id: string
  /** What features bind to one run: it replaces what is bound to the agent. */
  readonly run_bindings?: readonly RunBinding[]
  /** The skills that the user started by their names, in this run. */
  readonly invoked?: readonly string[]
}

const skillErrors = {
  unknown_skill: 'List the available skills.',
  unknown_binding: 'List the skills of the agent.',
  not_reviewed: 'Read the skill, then assign it with the SHA-256 of what you read.',
  stale_review: 'It changed since you read it. Read it again.',
  not_loadable: 'Assign it with on_demand, always or full.',
  not_usable: 'Fix the problems of the skill, as described in their hints.',
  unknown_file: 'Choose one of the files of the skill.',
} as const
type SkillErrorCode = keyof typeof skillErrors

export interface SkillFailure {
  readonly code: SkillErrorCode
  readonly message: string
  readonly remedy: string
}

export type SkillOutcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: SkillFailure }

export interface SkillDetail {
  readonly skill: Skill
  readonly flags: readonly Suspicion[]
  /** The full text, for review. */
  readonly text: string
  /** The names of all other files. */
  readonly files: readonly string[]
  readonly review_sha256: string
  readonly folder_notes: readonly string[]
  /** Whether this host can run it, and why. */
  readonly compatibility: CompatibilityReport
}

export interface ListedBinding {
  readonly binding: SkillBinding
  readonly skill: Skill | null
  /** Why it is not used here; null if it is. */
  readonly barrier: LeftOutReason | null
  readonly title: string | null
  readonly problems: readonly SkillProblem[]
  readonly folder: BoundFolder | null
}

/** The folders of the skills that a run can use. */
export interface RunFolders {
  readonly open: readonly string[]
  /** Those that it could use before, with the reason. */
  readonly closed: readonly { readonly folder: string; readonly message: string; readonly remedy: string }[]
}

export interface BindRequest {
  readonly agent_id: string
  readonly skill_name: string
  readonly binding_policy: BindingPolicy
  readonly source: BindingSource
  readonly recommendation_id: string | null
  /** `review_sha256` of what the user read; the binding then covers exactly that. */
  readonly reviewed_sha256: string | null
}

export interface SkillService {
  listSkills(situation: SkillContext): Promise<Catalog>
  getSkill(situation: SkillContext, name: string): Promise<SkillOutcome<SkillDetail>>
  /** Whether this host can run what is recommended. A `SKILL.md` that is already written counts, not what was planned for it. */
  checkRecommendation(situation: SkillContext, recommended: RecommendedSkill): Promise<CompatibilityReport>
  /** Everything that is known of a skill that is in no folder. */
  checkText(
    situation: SkillContext,
    given: { readonly name: string; readonly path: string; readonly text: string },
  ): Promise<{ readonly skill: Skill; readonly flags: readonly Suspicion[]; readonly report: CompatibilityReport }>
  /** Binds exactly this content, without looking for it: in a transaction of the caller. */
  pinSkill(binding: Omit<SkillBinding, 'bound_at' | 'source'>): void
  /** Over every file in the folder of a skill; null if it is too large. */
  folderHash(folder: string): Promise<string | null>
  bindingOf(agent_id: string, skill_name: string): SkillBinding | undefined
  bindSkill(situation: SkillContext, request: BindRequest): Promise<SkillOutcome<ListedBinding>>
  unbindSkill(agent_id: string, skill_name: string): SkillOutcome<{ readonly agent_id: string; readonly skill_name: string }>
  listBindings(situation: AgentSkillContext): Promise<readonly ListedBinding[]>

  /** What a run gets at its start; the loop records it. */
  injectionFor(situation: AgentSkillContext, budget: number, count?: CountTokens): Promise<Injection>
  load(situation: AgentSkillContext, name: string, file?: string): Promise<SkillOutcome<SkillLoadOutput>>
  /** Compared with what was bound at every call. */
  foldersFor(situation: AgentSkillContext): Promise<RunFolders>
  /** Why a skill that the user starts by its name cannot be used; null if it can, or if there is no skill of this name. */
  refusalOf(situation: AgentSkillContext, name: string): Promise<string | null>
  /** Bindings were removed, here or on another device: the copies of their files are deleted. */
  forgetCopies(): void
  watch(situation: SkillContext, changed: () => void): () => void
}

export function skillService(ports: SkillPorts): SkillService {
  const hashes: FileHashes = new Map()
  const copies = openSkillCopies(ports.home, hashes)
  const { catalog, hostOf, fromText, folderOf, listed, candidate, textOf, bodyOf, suspicions } = openSkillReader(ports, { hashes, copies })
  /** Where each bound skill was found, so that a call need not scan all of them. */
  const places = new Map<string, CatalogSkill | undefined>()

  /** Invalid records of other programs bind nothing. */
  function allBindings(): SkillBinding[] {
    return ports.records.list('agent_skill_bindings').flatMap(({ payload }) => (Check(SkillBindingSchema, payload) ? [payload] : []))
  }

  const bindings = (agent_id: string) => allBindings().filter((binding) => binding.agent_id === agent_id)

  /** What a feature binds counts as reviewed only if a user bound the same content. */
  function boundIn({ agent_id, run_bindings = [] }: AgentSkillContext): (Pick<Candidate, 'binding' | 'unread'> & { text?: string })[] {
    const own = bindings(agent_id)
    const bound_at = timestamp(ports.clock.now())
    const ofRun = new Map(
      run_bindings.map(({ skill_name, content_sha256, binding_policy, text }) => {
        const same = own.find((one) => one.skill_name === skill_name && one.pinned_sha256 === content_sha256)
        const source = 'recommendation' as const
        const folder = same?.folder_sha256 === undefined ? {} : { folder_sha256: same.folder_sha256 }
        const pins = { pinned_sha256: content_sha256, ...folder }
        const binding = { agent_id, skill_name, binding_policy, source, recommendation_id: null, bound_at, ...pins }
        return [skill_name, { binding, unread: !same, ...(text === undefined ? {} : { text }) }]
      }),
    )
    return [...own.filter(({ skill_name }) => !ofRun.has(skill_name)).map((binding) => ({ binding })), ...ofRun.values()]
  }

  /** Where the skill of a binding is: in a folder, or given as a text. */
  async function foundFor(
    situation: AgentSkillContext,
    bound: ReturnType<typeof boundIn>[number],
    all: Catalog,
  ): Promise<CatalogSkill | undefined> {
    const { skill_name: name } = bound.binding
    if (bound.text === undefined) return skillNamed(all, name)
    return await fromText(situation, { name, path: join(ports.home, 'skill-drafts', name, 'SKILL.md'), text: bound.text })
  }

  function forgetCopies(): void {
    copies.keepOnly(new Set(allBindings().flatMap(({ folder_sha256 }) => folder_sha256 ?? [])))
  }

  async function placeOf(situation: AgentSkillContext, skill_name: string): Promise<CatalogSkill | undefined> {
    const key = `${situation.workspace ?? ''} ${skill_name}`
    if (!places.has(key)) places.set(key, skillNamed(await catalog(situation), skill_name))
    return places.get(key)
  }

  return {
    listSkills: catalog,
    async getSkill(situation, name) {
      const found = skillNamed(await catalog(situation), name)
      if (!found) return failed('unknown_skill', `there is no skill ${name} here`)
      const read = await readFolderFiles(found.folder, hashes)
      return done({
        skill: found.skill,
        flags: suspicions(found, read),
        text: textOf(found) ?? '',
        files: otherFiles(read),
        review_sha256: read.ok ? read.value.sha256 : found.skill.content_sha256,
        folder_notes: read.ok
          ? read.value.skipped.map((file) => `${file.name}: ${file.title}.`)
          : [`Agents get only the instructions, because ${read.why}.`],
        compatibility: reportOf(found, ports.clock),
      })
    },
    checkRecommendation: (situation, recommended) =>
      reportOfRecommendation(recommended, hostOf(situation), () => catalog(situation), ports.clock),
    async checkText(situation, given) {
      const found = await fromText(situation, given)
      return { skill: found.skill, flags: found.flags, report: reportOf(found, ports.clock) }
    },
    pinSkill(fields) {
      const binding: SkillBinding = { ...fields, source: 'recommendation', bound_at: timestamp(ports.clock.now()) }
      ports.records.put('agent_skill_bindings', skillBindingEntityId(fields.agent_id, fields.skill_name), binding)
      places.clear()
    },
    async folderHash(folder) {
      const read = await readFolderFiles(folder, hashes)
      return read.ok ? read.value.sha256 : null
    },
    bindingOf: (agent_id, skill_name) => bindings(agent_id).find((binding) => binding.skill_name === skill_name),
    async bindSkill(situation, request) {
      const { agent_id, skill_name, reviewed_sha256 } = request
      const found = skillNamed(await catalog(situation), skill_name)
      if (!found) return failed('unknown_skill', `there is no skill ${skill_name} here`)
      const read = await readFolderFiles(found.folder, hashes)
      const folder_sha256 = read.ok ? read.value.sha256 : null
      const { content_sha256: pinned_sha256 } = found.skill
      if (reviewed_sha256 !== null && reviewed_sha256 !== (folder_sha256 ?? pinned_sha256)) {
        return failed('stale_review', `${skill_name} has changed since it was read`)
      }
      const mustBeRead = found.skill.root === 'workspace' || suspicions(found, read).some(({ grave }) => grave)
      if (reviewed_sha256 === null && mustBeRead)
        return failed('not_reviewed', `${skill_name} must be reviewed before it is assigned: ${leftOutReasons.not_reviewed}`)
      const { reviewed_sha256: _reviewed, ...fields } = request
      const binding = { ...fields, pinned_sha256, folder_sha256, bound_at: timestamp(ports.clock.now()) }
      ports.records.put('agent_skill_bindings', skillBindingEntityId(agent_id, skill_name), binding)
      forgetCopies()
      places.clear()
      return done(await listed(binding, found))
    },
    unbindSkill(agent_id, skill_name) {
      const removed = ports.records.remove('agent_skill_bindings', skillBindingEntityId(agent_id, skill_name))
      forgetCopies()
      return removed ? done({ agent_id, skill_name }) : failed('unknown_binding', `${skill_name} is not assigned to ${agent_id}`)
    },
    async listBindings(situation) {
      const found = await catalog(situation)
      return await Promise.all(bindings(situation.agent_id).map((binding) => listed(binding, skillNamed(found, binding.skill_name))))
    },
    async injectionFor(situation, budget, count = estimateTokens) {
      const bound = boundIn(situation)
      if (bound.length === 0) return inject([], budget, count)
      const found = await catalog(situation)
      places.clear()
      const candidates: Candidate[] = []
      for (const one of bound) candidates.push(await candidate(one, await foundFor(situation, one, found), situation))
      return inject(candidates, budget, count)
    },
    async load(situation, name, file) {
      const bound = boundIn(situation).find(({ binding }) => binding.skill_name === name)
      if (!bound) return failed('unknown_binding', `${name} is not assigned to ${situation.agent_id}`)
      const found = await foundFor(situation, bound, await catalog(situation))
      const folder = await folderOf(bound.binding, found)
      const reason = unusableReason({ ...bound, skill: found?.skill, flags: found?.flags ?? [], folder })
      if (reason || !found) {
        const hints = found?.skill.problems.map(({ hint }) => hint).join(' ')
        return failed('not_usable', `${name}: ${leftOutTitle(reason ?? 'missing', folder)}. ${hints ?? ''}`.trim())
      }
      if (!isLoadable(bound.binding, situation)) return failed('not_loadable', `${name} is assigned as summary_only`)
      const { allowed_tools } = found.skill
      const from = folder?.state === 'open' ? folder.path : found.folder
      const files = found.text === undefined ? otherFiles(await readFolderFiles(from, hashes)) : []
      const told = { name, files, allowed_tools, folder: folder?.state === 'open' ? folder.path : null }
      if (file === undefined) {
        const body = await bodyOf(found, folder)
        return body === null ? failed('not_usable', `${name} is being changed`) : done({ ...told, file: null, text: body })
      }
      if (found.text !== undefined) return failed('unknown_file', `${name} has no other files`)
      const read = readResource(from, file)
      return read.ok ? done({ ...told, file, text: read.text }) : failed('unknown_file', `${file} of ${name} cannot be read: ${read.why}`)
    },
    async foldersFor(situation) {
      const open: string[] = []
      const closed: RunFolders['closed'][number][] = []
      for (const { binding, unread } of boundIn(situation)) {
        const { skill_name, folder_sha256 } = binding
        if (!folder_sha256 || !isLoadable(binding, situation)) continue
        const found = await placeOf(situation, skill_name)
        const folder = await folderOf(binding, found)
        const reason = unusableReason({ binding, unread: unread ?? false, skill: found?.skill, flags: found?.flags ?? [], folder })
        if (reason === null && folder?.state === 'open') open.push(folder.path)
        else {
          const why = reason === null ? 'Its files cannot be copied' : leftOutTitle(reason, folder)
          const remedy = 'Tell the user to review the skill and to assign it again.'
          closed.push({
            folder: copies.pathOf(skill_name, folder_sha256),
            message: `The skill ${skill_name} cannot be used: ${why}.`,
            remedy,
          })
        }
      }
      return { open, closed }
    },
    async refusalOf(situation, name) {
      const binding = bindings(situation.agent_id).find(({ skill_name }) => skill_name === name)
      const found = skillNamed(await catalog(situation), name)
      if (!binding) return found ? `the skill ${name} is not assigned to this agent. Assign it first.` : null
      const { title, problems } = await listed(binding, found)
      return title === null ? null : [`the skill ${name} cannot be used: ${title}.`, ...problems.map(({ hint }) => hint)].join(' ')
    },
    forgetCopies,
    watch: ({ workspace }, changed) => watchFolders(ports.folders(workspace), ports.clock, changed),
  }
}

/** A skill that the user started can be used in that run whatever its policy is. */
function isLoadable({ binding_policy, skill_name }: SkillBinding, { invoked = [] }: AgentSkillContext): boolean {
  return policyLevels[binding_policy].loadable || invoked.includes(skill_name)
}

function done<Value>(value: Value): SkillOutcome<Value> {
  return { ok: true, value }
}

function failed(code: SkillErrorCode, message: string): { readonly ok: false; readonly failure: SkillFailure } {
  return { ok: false, failure: { code, message, remedy: skillErrors[code] } }
}
