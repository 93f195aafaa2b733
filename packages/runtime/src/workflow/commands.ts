// The commands of workflows, for users.
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { isTerminalWorkflowState, nodeKey } from '@tandem/contract/workflow-run'
import type { Agents } from '../agent/agents.ts'
import { timestamp } from '../clock/clock.ts'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, pageBy, pageOf, positionOf } from '../feature/cursor.ts'
import { invalidField, type Outcome, type Rejection } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/store.ts'
import { draftOf } from './draft/draft.ts'
import { draftedRun } from './draft/drafted-run.ts'
import { outputOf } from './engine/outputs.ts'
import { nodeInput } from './node-input.ts'
import type { ScheduleRecords } from './record/schedule-records.ts'
import type { WorkflowRecord, WorkflowRecords } from './record/workflow-records.ts'
import type { WorkflowRunRows } from './record/workflow-run-rows.ts'
import type { CheckDefinition } from './rule/check-definition.ts'
import { checkInputs, objectIn } from './rule/inputs.ts'
import { nextStart, nextStarts, scheduleProblem } from './rule/schedule.ts'
import type { RunEnds } from './run-ends.ts'
import { listedRun, listedWorkflow, shownNode, shownSchedule, shownSnapshot } from './shown.ts'
import { readWorkflowText, workflowText } from './text/workflow-text.ts'
import type { WorkflowUsage } from './usage.ts'
import { definitionOf, valuesOf } from './workflow-result.ts'
import type { WorkflowRuns } from './workflow-runs.ts'

/** In characters. Longer inputs are not shown. */
const mostInput = 1_000_000

/** How many of the next times of a schedule are shown. */
const shownTimes = 3

export interface WorkflowCommandPorts {
  readonly store: Pick<Store, 'transaction' | 'clock'>
  readonly journal: Journal
  readonly rows: WorkflowRunRows
  readonly records: WorkflowRecords
  readonly schedules: ScheduleRecords
  readonly agents: Pick<Agents, 'default' | 'get'>
  readonly workflows: WorkflowRuns
  readonly usage: WorkflowUsage
  readonly ends: Pick<RunEnds, 'next'>
  readonly issuesOf: CheckDefinition
  folder(path?: string): Outcome<string>
  /** With its schedules. False if there is none. */
  remove(workflow_id: string): boolean
  /** A definition was changed or approved. */
  changed(): void
}

export function workflowHandlers(ports: WorkflowCommandPorts): CommandTable {
  const { store, journal, rows, records, schedules, agents, workflows, usage, ends, issuesOf, folder, remove, changed } = ports

  function stored(workflow: WorkflowRecord) {
    const { workflow_id, definition } = workflow
    const theirs = records.theirs(workflow_id)
    const { name, description, definition: other } = theirs ?? workflow
    const conflict = theirs ? { name, definition: other, ...(description === undefined ? {} : { description }) } : null
    return { workflow: { ...listedWorkflow(workflow, ports), definition, conflict } }
  }

  function problems(definition: WorkflowDefinition, workflow_id: string | null): Rejection | null {
    const issues = issuesOf(definition, workflow_id)
    if (issues.length === 0) return null
    const fields = issues.map(({ pointer, message }) => ({ field: `definition${pointer.replaceAll('/', '.')}`, message }))
    const [first] = fields
    const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
    const message = `\`${first?.field}\` ${first?.message}`.slice(0, 900)
    return { ok: false, code: 'invalid_params', message: `${message}${more}`, fields }
  }

  return {
    workflow_list(paging) {
      return pageBy(
        'workflow_list',
        records.list().map((workflow) => listedWorkflow(workflow, ports)),
        ({ workflow_id }) => workflow_id,
        paging,
      )
    },
    workflow_get({ workflow_id }) {
      const workflow = records.get(workflow_id)
      return workflow ? { ok: true, value: stored(workflow) } : noWorkflow(workflow_id)
    },
    workflow_save({ workflow_id, version, name, description, definition, covers_calls }) {
      const known = workflow_id === undefined ? undefined : records.get(workflow_id)
      if (workflow_id !== undefined && !known) return noWorkflow(workflow_id)
      if (known && version !== undefined && known.version !== version)
        return { ok: false, code: 'version_conflict', message: `workflow ${workflow_id} is at version ${known.version}` }
      const refused = problems(definition, workflow_id ?? null)
      if (refused) return refused
      const saved = store.transaction(() => {
        const workflow = records.save({ name, definition, ...(description === undefined ? {} : { description }) }, workflow_id)
        // The same definition may have been approved before.
        records.approve(workflow.sha256, { covers_calls: covers_calls ?? records.coversCalls(workflow.sha256) })
        return workflow
      })
      changed()
      return { ok: true, value: stored(saved) }
    },
    workflow_delete({ workflow_id }) {
      if (!remove(workflow_id)) return noWorkflow(workflow_id)
      changed()
      return { ok: true, value: { workflow_id } }
    },
    workflow_check({ workflow_id, definition }) {
      return { ok: true, value: { issues: issuesOf(definition, workflow_id) } }
    },
    workflow_read_text({ text }) {
      const read = readWorkflowText(text, issuesOf)
      return { ok: true, value: read.ok ? { content: read.content, issues: [] } : { content: null, issues: [...read.issues] } }
    },
    workflow_write_text({ workflow_id, format }) {
      const workflow = records.get(workflow_id)
      if (!workflow) return noWorkflow(workflow_id)
      const { name, description, definition } = workflow
      return {
        ok: true,
        value: { text: workflowText({ name, definition, ...(description === undefined ? {} : { description }) }, format) },
      }
    },
    workflow_draft({ run_id, format }) {
      const run = draftedRun(journal, run_id)
      if (!run.ok) return run
      const draft = draftOf(run.value)
      if (draft === null)
        return { ok: false, code: 'transition_refused', message: `run ${run_id} made no call that a workflow could make again` }
      return { ok: true, value: { text: workflowText(draft.content, format), notes: [...draft.notes] } }
    },
    workflow_approve({ workflow_id, sha256, is_approved, covers_calls = false }) {
      const workflow = records.get(workflow_id)
      if (!workflow) return noWorkflow(workflow_id)
      if (workflow.sha256 !== sha256)
        return { ok: false, code: 'version_conflict', message: `workflow ${workflow_id} has changed: its definition has another hash` }
      if (is_approved) records.approve(sha256, { covers_calls })
      else records.withdraw(sha256)
      changed()
      return { ok: true, value: stored(workflow) }
    },
    workflow_start({ workflow_id, inputs = '{}', agent_id = agents.default().agent_id, workspace, key }) {
      const values = objectIn(inputs)
      if (values === null) return invalidField('inputs', 'must be an object as JSON')
      const place = folder(workspace)
      if (!place.ok) return place
      const start = {
        workflow_id,
        inputs: values,
        inputs_by: 'person',
        agent_id,
        workspace: place.value,
        ...(key === undefined ? {} : { key }),
      } as const
      const started = workflows.start(start)
      return started.ok ? { ok: true, value: { run: listedRun(started.value, ports) } } : started
    },
    async workflow_wait({ workflow_run_id, timeout_seconds = 60 }) {
      const before = workflows.snapshot(workflow_run_id)
      if (!before.ok) return before
      if (!isTerminalWorkflowState(before.value.state)) await ends.next(workflow_run_id, timeout_seconds * 1_000)
      const run = workflows.snapshot(workflow_run_id)
      return run.ok ? { ok: true, value: { run: shownSnapshot(journal, run.value, usage) } } : run
    },
    async workflow_control({ workflow_run_id, action, node_id, iteration, reason, outcome }) {
      if (action === 'skip' && (node_id === undefined || reason === undefined)) {
        const missing = node_id === undefined ? 'node_id' : 'reason'
        return {
          ok: false,
          code: 'invalid_params',
          message: `\`${missing}\` is required to skip a node`,
          fields: [{ field: missing, message: 'is required' }],
        }
      }
      const control =
        action === 'skip'
          ? { action, node_id: node_id ?? '', reason: reason ?? '', ...(iteration ? { iteration } : {}), ...(outcome ? { outcome } : {}) }
          : action === 'cancel'
            ? { action, ...(reason === undefined ? {} : { reason }) }
            : { action }
      const done = await workflows.control(workflow_run_id, control)
      return done.ok ? { ok: true, value: { run: shownSnapshot(journal, done.value, usage) } } : done
    },
    workflow_run_list({ workflow_id, state, ...paging }) {
      const from = positionOf('workflow_run_list', paging, ['number'])
      if (!from.ok) return from
      const before = from.value ? { before: Number(from.value[0]) } : {}
      const only = { ...(workflow_id ? { workflow_id } : {}), ...(state ? { state } : {}) }
      const found = rows.list({ ...only, ...before, limit: limitOf(paging) + 1 })
      const page = pageOf('workflow_run_list', found, ({ no }) => [no], paging)
      return { ok: true, value: { ...page, items: page.items.map((row) => listedRun(row, ports)) } }
    },
    workflow_snapshot({ workflow_run_id, at_seq }) {
      const run = workflows.snapshot(workflow_run_id, at_seq)
      return run.ok ? { ok: true, value: { run: shownSnapshot(journal, run.value, usage) } } : run
    },
    workflow_resolve({ workflow_id, keep }) {
      if (!records.get(workflow_id)) return noWorkflow(workflow_id)
      if (!records.theirs(workflow_id))
        return { ok: false, code: 'transition_refused', message: `workflow ${workflow_id} is not in conflict` }
      records.resolve(workflow_id, keep)
      changed()
      const workflow = records.get(workflow_id)
      return workflow ? { ok: true, value: stored(workflow) } : noWorkflow(workflow_id)
    },
    workflow_schedule_list({ workflow_id, ...paging }) {
      return pageBy('workflow_schedule_list', schedules.list(workflow_id).map(shownSchedule), ({ schedule_id }) => schedule_id, paging)
    },
    workflow_schedule_save({ schedule_id, workflow_id, cron, ...given }) {
      const known = schedule_id === undefined ? undefined : schedules.get(schedule_id)
      if (schedule_id !== undefined && !known) return noSchedule(schedule_id)
      const { inputs = '{}', is_enabled = true, missed = 'skip' } = { ...known, ...given }
      const workflow = records.get(workflow_id)
      if (!workflow) return noWorkflow(workflow_id)
      const time_zone = given.time_zone ?? known?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
      const problem = scheduleProblem(cron, time_zone)
      if (problem !== null) return invalidField('cron', `is not a time that comes again: ${problem}`)
      const values = objectIn(inputs)
      if (values === null) return invalidField('inputs', 'must be an object as JSON')
      const checked = checkInputs(workflow.definition, values)
      if (!checked.ok) return invalidField(`inputs.${checked.issues[0]?.name}`, checked.issues[0]?.message ?? 'is wrong')
      const place = folder(given.workspace ?? known?.workspace)
      if (!place.ok) return place
      const agent_id = given.agent_id ?? known?.agent_id ?? agents.default().agent_id
      if (!agents.get(agent_id)) return { ok: false, code: 'not_found', message: `there is no agent ${agent_id}` }
      const next_at = nextStart(cron, time_zone, store.clock.now())
      const fields = { workflow_id, cron, time_zone, missed, agent_id, workspace: place.value, inputs, is_enabled, next_at }
      return { ok: true, value: { schedule: shownSchedule(schedules.save(fields, schedule_id)) } }
    },
    workflow_schedule_check({ cron, time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone }) {
      const problem = scheduleProblem(cron, time_zone)
      if (problem !== null) return { ok: true, value: { times: [], problem: problem.slice(0, 500) } }
      return { ok: true, value: { times: nextStarts(cron, time_zone, store.clock.now(), shownTimes).map(timestamp), problem: null } }
    },
    workflow_schedule_delete({ schedule_id }) {
      return schedules.remove(schedule_id) ? { ok: true, value: { schedule_id } } : noSchedule(schedule_id)
    },
    workflow_query({ workflow_run_id, node_id, iteration = [] }) {
      const run = workflows.snapshot(workflow_run_id)
      if (!run.ok) return run
      const definition = definitionOf(journal, run.value)
      const defined = definition?.nodes.find(({ id }) => id === node_id)
      const node = run.value.nodes.get(nodeKey(node_id, iteration))
      if (!node)
        return { ok: false, code: 'not_found', message: `nothing has happened at node ${nodeKey(node_id, iteration)} of this workflow run` }
      const given = definition && defined ? JSON.stringify(nodeInput(defined, iteration, valuesOf(journal, run.value, definition))) : null
      const input = given === null || given.length > mostInput ? null : given
      const output = node.state === 'completed' ? outputOf(journal, defined?.kind ?? 'tool', node) : null
      return {
        ok: true,
        value: { node: shownNode(node, usage.ofNode(node)), input, output: output === null ? null : JSON.stringify(output) },
      }
    },
  }
}

function noSchedule(schedule_id: string): Rejection {
  return { ok: false, code: 'not_found', message: `there is no schedule ${schedule_id} on this device` }
}

function noWorkflow(workflow_id: string): Rejection {
  return { ok: false, code: 'not_found', message: `there is no workflow ${workflow_id} on this device` }
}
