// The effect of skills on a run: their text with its cost, and the tools they restrict it to. The journal has both after a crash.

import { invokedSkill } from '@tandem/contract/skill'
import type { RunBinding } from '../feature/feature.ts'
import type { PolicyLayer } from '../feature/policy-layer.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { InjectedSkills } from '../journal/step.ts'
import { restrictedBySkills } from './allowed-tools.ts'
import type { RunFolders, SkillService } from './service.ts'

export interface RunSkills {
  /** `given` is recorded with the model call; null if nothing is bound. */
  textFor(run: RunRecord): Promise<{ readonly text: string; readonly given: InjectedSkills | null }>
  /** The latest text of a run, also for a while after it has ended; null if it had none since the runtime started. */
  textOf(run_id: string): string | null
  /** What the latest text for a run contains. */
  lastGiven(run_id: string): InjectedSkills | null
  /** What features bind to a run now. */
  bound(run_id: string): Promise<readonly RunBinding[]>
  /** The skill that the user started with the message of the run. */
  invoked(run_id: string): readonly string[]
  /** The folders of skills that a run can use now. */
  folders(run: Pick<RunRecord, 'run_id' | 'agent_id' | 'workspace' | 'sandbox_mode'>): Promise<RunFolders>
  /** The run has loaded a skill itself. */
  loaded(run_id: string, allowed_tools: readonly string[]): void
  /** `allowed-tools` of the active skills, as a policy layer of a run. */
  readonly policy: PolicyLayer
  /** What the latest model call contained. */
  given(run_id: string): InjectedSkills | null
  /** Something was bound or unbound: the next turn gets the current text. */
  changed(): void
  end(run_id: string): void
  stop(): void
}

export interface RunSkillsPorts {
  readonly service: Pick<SkillService, 'injectionFor' | 'foldersFor' | 'watch'>
  readonly journal: Pick<Journal, 'steps' | 'run'> & { readonly messages: Pick<Journal['messages'], 'get'> }
  /** How many tokens of a run's model skills may use. */
  budgetOf(run: RunRecord): Promise<number>
  /** The skills that features bind to a run, in addition to those of its agent. */
  bindings?(run: RunRecord): Promise<readonly RunBinding[]>
}

interface Given {
  readonly text: string
  readonly given: InjectedSkills | null
}

type ToolLists = readonly (readonly string[])[]

/** The tool that reads a skill bound by a user: no skill may block another. */
const loadTool = 'skill.load'
/** What is learned from a run is compared with its text, which happens soon after it has ended. */
const mostShown = 50

export function openRunSkills({ service, journal, budgetOf, bindings = async () => [] }: RunSkillsPorts): RunSkills {
  // The text stays the same from turn to turn, so that a model's cache stays valid; it is rebuilt when a skill folder changes.
  const texts = new Map<string, Given>()
  const lists = new Map<string, ToolLists>()
  const shown = new Map<string, string>()
  const watches = new Map<string, () => void>()

  function watch({ workspace, sandbox_mode }: RunRecord): void {
    if (!watches.has(workspace))
      watches.set(
        workspace,
        service.watch({ workspace, sandbox_mode }, () => texts.clear()),
      )
  }

  function keepShown(run_id: string, text: string): void {
    shown.delete(run_id)
    if (text === '') return
    shown.set(run_id, text)
    const [oldest = ''] = shown.keys()
    if (shown.size > mostShown) shown.delete(oldest)
  }

  function listsOf(run_id: string): ToolLists {
    const known = lists.get(run_id)
    if (known) return known
    const run = journal.run(run_id)
    const used = run ? listsInUse(journal.steps(run_id)) : []
    // Nothing is kept for a run that has ended: nothing would ever remove it.
    if (run?.ended_at === null) lists.set(run_id, used)
    return used
  }

  /** A text of a task or of another agent starts nothing. */
  function invoked(run_id: string): readonly string[] {
    const [first] = journal.steps(run_id, { limit: 1 })
    const message_id = first?.step.kind === 'run.started' ? first.step.message_id : null
    const message = message_id === null ? undefined : journal.messages.get(message_id)
    const name = message?.persons_word ? invokedSkill(message.text) : null
    return name === null ? [] : [name]
  }

  async function bound(run_id: string): Promise<readonly RunBinding[]> {
    const run = journal.run(run_id)
    return run ? await bindings(run) : []
  }

  return {
    async textFor(run) {
      const { run_id, agent_id, workspace, sandbox_mode } = run
      const known = texts.get(run_id)
      if (known) return known
      const { text, tokens, skills, left_out } = await service.injectionFor(
        { agent_id, workspace, sandbox_mode, run_bindings: await bindings(run), invoked: invoked(run_id) },
        await budgetOf(run),
      )
      const isBound = skills.length + left_out.length > 0
      if (isBound) watch(run)
      const given = { tokens, skills: skills.map(recorded), left_out: left_out.map(({ problems: _problems, ...left }) => left) }
      const made = { text, given: isBound ? given : null }
      texts.set(run_id, made)
      keepShown(run_id, text)
      lists.set(run_id, [...listsOf(run_id), ...bodies(given)])
      return made
    },
    textOf: (run_id) => shown.get(run_id) ?? null,
    lastGiven: (run_id) => texts.get(run_id)?.given ?? null,
    bound,
    invoked,
    async folders({ run_id, agent_id, workspace, sandbox_mode }) {
      return await service.foldersFor({ agent_id, workspace, sandbox_mode, run_bindings: await bound(run_id), invoked: invoked(run_id) })
    },
    loaded: (run_id, allowed_tools) => void lists.set(run_id, [...listsOf(run_id), allowed_tools]),
    policy: {
      name: 'skills',
      kind: 'intersection',
      apply(policy, { tool, run_id }) {
        const used = tool === loadTool || run_id === null ? [] : listsOf(run_id)
        return used.length === 0 ? policy : restrictedBySkills(policy, tool, used)
      },
    },
    given: (run_id) => journal.steps(run_id).findLast(({ here }) => here.skills)?.here.skills ?? null,
    changed: () => texts.clear(),
    end(run_id) {
      texts.delete(run_id)
      lists.delete(run_id)
    },
    stop() {
      for (const end of watches.values()) end()
      watches.clear()
    },
  }
}

/** The lists of every skill whose instructions a run has seen. */
function listsInUse(steps: readonly JournaledStep[]): ToolLists {
  return steps.flatMap(({ step, here }) => {
    if (here.skills) return bodies(here.skills)
    if (step.kind !== 'tool.result' || here.tool !== loadTool || step.outcome !== 'succeeded') return []
    const { allowed_tools } = step.output as { readonly allowed_tools?: readonly string[] }
    // Too long for the record: what it allowed is unknown, so nothing counts as allowed.
    return [allowed_tools ?? ['(unknown)']]
  })
}

function bodies({ skills }: InjectedSkills): ToolLists {
  return skills.flatMap(({ level, allowed_tools }) => (level === 'summary' ? [] : [allowed_tools]))
}

function recorded({ loadable: _loadable, ...skill }: InjectedSkills['skills'][number] & { readonly loadable: boolean }) {
  return skill
}
