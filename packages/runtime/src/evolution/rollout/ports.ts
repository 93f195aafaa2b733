// What recommendations need of other parts of the runtime.
import type { SandboxMode } from '@tandem/contract/tool'
import type { WorkflowDefinition, WorkflowIssue } from '@tandem/contract/workflow'
import type { Events } from '../../event/events.ts'
import type { Journal } from '../../journal/journal.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { BackgroundModel } from '../../memory/extract-with-model.ts'
import type { Policies } from '../../policy/policies.ts'
import type { SkillFeature } from '../../skill/feature.ts'
import type { Store } from '../../store/store.ts'
import type { WorkflowRecords } from '../../workflow/record/workflow-records.ts'
import type { Gaps } from '../record/gaps.ts'
import type { RunOutcome } from './rule/canary-group.ts'

export interface RolloutPorts {
  readonly home: string
  readonly store: Store
  readonly events: Pick<Events, 'emit'>
  readonly journal: Journal
  readonly gaps: Gaps
  readonly skills: SkillFeature['rollout']
  /** What agents get has changed. */
  skillsChanged(): void
  readonly workflows: {
    readonly records: Pick<WorkflowRecords, 'get' | 'save' | 'mark' | 'approve' | 'withdraw'>
    /** With its schedules. */
    remove(workflow_id: string): boolean
    /** All mistakes, those of its calls included. */
    issuesOf(definition: WorkflowDefinition, workflow_id: string | null): readonly WorkflowIssue[]
    changed(): void
  }
  readonly policies: Pick<Policies, 'of'>
  /** The names of the tools of this device. */
  toolNames(): readonly string[]
  agentOf(agent_id: string): { readonly sandbox_mode: SandboxMode } | undefined
  /** How a run that has ended went; null if it has not ended, or was not evaluated. */
  outcomeOf(run_id: string): RunOutcome | null
  /** Nothing is learned from this run, so nothing is tested in it. */
  isExcluded(run: RunRecord): boolean
  readonly background: BackgroundModel
  log(line: string): void
}
