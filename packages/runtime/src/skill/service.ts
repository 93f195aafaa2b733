// The interface of skills for commands, the loop and sync. Failures are values.
import { skillBindingEntityId } from '@tandem/contract/entity'
import {
  type BindingPolicy,
  type BindingSource,
  type Skill,
  type SkillBinding,
  type SkillProblem,
  skillProblem,
} from '@tandem/contract/skill'
import { SkillBinding as SkillBindingSchema } from '@tandem/contract/skill/schema'
import type { SandboxMode } from '@tandem/contract/tool'
import type { SkillLoadOutput } from '@tandem/contract/tool/output'
import { Check } from 'typebox/value'
import { timestamp } from '../clock/clock.ts'
import type { RunBinding } from '../feature/feature.ts'
import type { Suspicion } from '../policy/untrusted-text.ts'
import type { Records } from '../store/records.ts'
import { type Catalog, type CatalogSkill, readCatalog, skillNamed } from './catalog.ts'
import { readPlainFile } from './files.ts'
import { parseSkill, type Yaml } from './frontmatter.ts'
import { type HostContext, openHost } from './host.ts'
import {
  type Candidate,
  type CountTokens,
  estimateTokens,
  type Injection,
  inject,
  type LeftOutReason,
  leftOutReasons,
  policyLevels,
  unusableReason,
} from './injection.ts'
import { skillLimits } from './limits.ts'
import { listResources, readResource } from './resources.ts'
import type { SkillFolder } from './roots.ts'
import type { ScanMemory, ScanPorts } from './scan.ts'
import { watchFolders } from './watch.ts'

export interface SkillPorts extends Omit<ScanPorts, 'loadYaml'> {
  readonly records: Pick<Records, 'get' | 'list' | 'put' | 'remove'>
  readonly host: Pick<HostContext, 'platform' | 'user_home' | 'environment'>
  /** The last remote executor that was negotiated with. */
  executor(): HostContext['executor']
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
  readonly files: readonly string[]
}

export interface ListedBinding {
  readonly binding: SkillBinding
  readonly skill: Skill | null
  /** Why it is not used here; null if it is. */
  readonly barrier: LeftOutReason | null
  readonly problems: readonly SkillProblem[]
}

export interface BindRequest {
  readonly agent_id: string
  readonly skill_name: string
  readonly binding_policy: BindingPolicy
  readonly source: BindingSource
  readonly recommendation_id: string | null
  /** What the user read; the binding then covers exactly that. */
  readonly reviewed_sha256: string | null
}

export interface SkillService {
  listSkills(situation: SkillContext): Promise<Catalog>
  getSkill(situation: SkillContext, name: string): Promise<SkillOutcome<SkillDetail>>
  bindSkill(situation: SkillContext, request: BindRequest): Promise<SkillOutcome<ListedBinding>>
  unbindSkill(agent_id: string, skill_name: string): SkillOutcome<{ readonly agent_id: string; readonly skill_name: string }>
  listBindings(situation: AgentSkillContext): Promise<readonly ListedBinding[]>

  /** What a run gets at its start; the loop records it. */
  injectionFor(situation: AgentSkillContext, budget: number, count?: CountTokens): Promise<Injection>
  load(situation: AgentSkillContext, name: string, file?: string): Promise<SkillOutcome<SkillLoadOutput>>
  watch(situation: SkillContext, changed: () => void): () => void
}

export function skillService(ports: SkillPorts): SkillService {
  const memory: ScanMemory = new Map()
  let yaml: Promise<Yaml> | null = null
  const loadYaml = () => (yaml ??= import('yaml'))

  function catalog({ workspace, sandbox_mode }: SkillContext): Promise<Catalog> {
    const host = openHost({ ...ports.host, workspace, sandbox_mode, executor: ports.executor() })
    return readCatalog(ports.folders(workspace), host, memory, { ...ports, loadYaml })
  }

  /** Invalid records of other programs bind nothing. */
  function bindings(agent_id: string): SkillBinding[] {
    return ports.records.list('agent_skill_bindings').flatMap(({ payload }) => {
      return payload.agent_id === agent_id && Check(SkillBindingSchema, payload) ? [payload] : []
    })
  }

  /** What a feature binds counts as reviewed only if a user bound the same content. */
  function boundIn({ agent_id, run_bindings = [] }: AgentSkillContext): Pick<Candidate, 'binding' | 'unread'>[] {
    const own = bindings(agent_id)
    const bound_at = timestamp(ports.clock.now())
    const ofRun = new Map(
      run_bindings.map(({ skill_name, content_sha256, binding_policy }) => {
        const unread = !own.some((one) => one.skill_name === skill_name && one.pinned_sha256 === content_sha256)
        const source = 'recommendation' as const
        const binding = { agent_id, skill_name, binding_policy, source, recommendation_id: null, bound_at, pinned_sha256: content_sha256 }
        return [skill_name, { binding, unread }]
      }),
    )
    return [...own.filter(({ skill_name }) => !ofRun.has(skill_name)).map((binding) => ({ binding })), ...ofRun.values()]
  }

  function listed(binding: SkillBinding, found: CatalogSkill | undefined): ListedBinding {
    const skill = found?.skill ?? null
    const problems = skill?.problems ?? [skillProblem('missing_path', `skills/${binding.skill_name}/SKILL.md`)]
    return { binding, skill, barrier: unusableReason({ binding, skill: found?.skill, flags: found?.flags ?? [] }), problems }
  }

  /** The text of a skill, only if it is the text that was scanned. */
  function textOf({ skill }: CatalogSkill): string | null {
    const opened = readPlainFile(skill.path, skillLimits.file_bytes)
    return opened.ok && memory.get(skill.path)?.stamp === opened.file.stamp ? (opened.bytes?.toString('utf8') ?? '') : null
  }

  async function bodyOf(found: CatalogSkill): Promise<string | null> {
    const text = textOf(found)
    return text === null ? null : parseSkill(text, found.skill.name, await loadYaml()).body
  }

  async function candidate(
    { binding, unread = false }: Pick<Candidate, 'binding' | 'unread'>,
    found: CatalogSkill | undefined,
  ): Promise<Candidate> {
    const { level } = policyLevels[binding.binding_policy]
    const usable = found && unusableReason({ binding, unread, skill: found.skill, flags: found.flags }) === null ? found : undefined
    const body = usable && level !== 'summary' ? await bodyOf(usable) : ''
    const files = usable && level === 'full' ? filesOf(usable) : []
    // Changed between the scan and the read: treated as missing; the next scan finds it again.
    return { binding, unread, skill: body === null ? undefined : found?.skill, flags: found?.flags ?? [], body: body ?? '', files }
  }

  /** Suspicious texts are left out; the model can still load them by name. */
  function filesOf({ folder }: CatalogSkill): Candidate['files'] {
    return listResources(folder).flatMap((name) => {
      const read = readResource(folder, name)
      return read.ok && !ports.inspect(name, read.text).some(({ grave }) => grave) ? [{ name, text: read.text }] : []
    })
  }

  return {
    listSkills: catalog,
    async getSkill(situation, name) {
      const found = skillNamed(await catalog(situation), name)
      if (!found) return failed('unknown_skill', `there is no skill ${name} here`)
      return done({ skill: found.skill, flags: found.flags, text: textOf(found) ?? '', files: listResources(found.folder) })
    },
    async bindSkill(situation, request) {
      const { agent_id, skill_name, reviewed_sha256 } = request
      const found = skillNamed(await catalog(situation), skill_name)
      if (!found) return failed('unknown_skill', `there is no skill ${skill_name} here`)
      if (reviewed_sha256 !== null && reviewed_sha256 !== found.skill.content_sha256) {
        return failed('stale_review', `${skill_name} has changed since it was read`)
      }
      const { reviewed_sha256: pinned_sha256, ...fields } = request
      const binding = { ...fields, pinned_sha256, bound_at: timestamp(ports.clock.now()) }
      const unpinned = unusableReason({ binding, skill: { ...found.skill, problems: [] }, flags: found.flags })
      if (unpinned === 'not_reviewed')
        return failed('not_reviewed', `${skill_name} must be reviewed before it is assigned: ${leftOutReasons.not_reviewed}`)
      ports.records.put('agent_skill_bindings', skillBindingEntityId(agent_id, skill_name), binding)
      return done(listed(binding, found))
    },
    unbindSkill(agent_id, skill_name) {
      const removed = ports.records.remove('agent_skill_bindings', skillBindingEntityId(agent_id, skill_name))
      return removed ? done({ agent_id, skill_name }) : failed('unknown_binding', `${skill_name} is not assigned to ${agent_id}`)
    },
    async listBindings(situation) {
      const found = await catalog(situation)
      return bindings(situation.agent_id).map((binding) => listed(binding, skillNamed(found, binding.skill_name)))
    },
    async injectionFor(situation, budget, count = estimateTokens) {
      const bound = boundIn(situation)
      if (bound.length === 0) return inject([], budget, count)
      const found = await catalog(situation)
      const candidates: Candidate[] = []
      for (const one of bound) candidates.push(await candidate(one, skillNamed(found, one.binding.skill_name)))
      return inject(candidates, budget, count)
    },
    async load(situation, name, file) {
      const bound = boundIn(situation).find(({ binding }) => binding.skill_name === name)
      if (!bound) return failed('unknown_binding', `${name} is not assigned to ${situation.agent_id}`)
      const found = skillNamed(await catalog(situation), name)
      const reason = unusableReason({ ...bound, skill: found?.skill, flags: found?.flags ?? [] })
      if (reason || !found) {
        const hints = found?.skill.problems.map(({ hint }) => hint).join(' ')
        return failed('not_usable', `${name}: ${leftOutReasons[reason ?? 'missing']}. ${hints ?? ''}`.trim())
      }
      if (!policyLevels[bound.binding.binding_policy].loadable) return failed('not_loadable', `${name} is assigned as summary_only`)
      const { allowed_tools } = found.skill
      const files = listResources(found.folder)
      if (file === undefined) {
        const body = await bodyOf(found)
        return body === null
          ? failed('not_usable', `${name} is being changed`)
          : done({ name, file: null, text: body, files, allowed_tools })
      }
      const read = readResource(found.folder, file)
      return read.ok
        ? done({ name, file, text: read.text, files, allowed_tools })
        : failed('unknown_file', `${file} of ${name} cannot be read: ${read.why}`)
    },
    watch: ({ workspace }, changed) => watchFolders(ports.folders(workspace), ports.clock, changed),
  }
}

function done<Value>(value: Value): SkillOutcome<Value> {
  return { ok: true, value }
}

function failed(code: SkillErrorCode, message: string): { readonly ok: false; readonly failure: SkillFailure } {
  return { ok: false, failure: { code, message, remedy: skillErrors[code] } }
}
