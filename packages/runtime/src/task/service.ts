// Tasks of the cloud: offered to the user or started automatically, as configured. Each is a normal run, and its end is reported to the cloud.
import type { TaskMode } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'
import type { RunStep } from '@tandem/contract/run'
import type { Task, TaskStatusUpdate } from '@tandem/contract/task'
import type { CloudResult } from '../account/cloud-result.ts'
import type { Store } from '../store/store.ts'
import type { TaskCloud } from './task-cloud.ts'
import { openTaskStore, type StoredTask } from './task-store.ts'

export type TaskOutcome =
  | { readonly ok: true; readonly task: StoredTask }
  | {
      readonly ok: false
      readonly code: 'not_found' | 'not_available' | 'transition_refused' | 'unreachable' | 'not_started'
      readonly message: string
    }

export interface TaskService {
  mode(): TaskMode
  setMode(mode: TaskMode): void
  offered(): readonly StoredTask[]
  get(task_id: string): StoredTask | undefined
  /** All tasks of this device, newest first. */
  list(): readonly StoredTask[]
  accept(task_id: string): Promise<TaskOutcome>
  /** Cancels the task, so that no device runs it. */
  decline(task_id: string): Promise<TaskOutcome>
  /** A hint from the cloud that the task changed; its state is read from the cloud. */
  onHint(task_id: string): Promise<void>
  /** After a start, a sign-in or a time offline: reads missed tasks, sends pending reports, and continues interrupted claims. */
  catchUp(): Promise<void>
  /** Reads the offered tasks without starting any. */
  refresh(): Promise<void>
  /** Called for every step of a run on this device; the last step of a run ends its task. */
  onStep(step: RunStep): void
  /** Resolves when pending reports were sent, or cannot be sent. */
  reported(): Promise<void>
  /** Running tasks will not be finished here: reports this to the cloud while the device is still signed in. */
  abandon(): Promise<void>
}

export interface TaskPorts {
  readonly store: Store
  readonly cloud: TaskCloud
  /** Starts a run under the normal policy and approval. The same key never starts two runs. */
  start(
    task: StoredTask,
    key: string,
  ): Promise<{ readonly ok: true; readonly run_id: string } | { readonly ok: false; readonly message: string }>
  cancel(run_id: string, reason: string): Promise<void>
  /** Why this device cannot run a workflow; null if it can. */
  workflowProblem(workflow_id: string): string | null
  /** Whether a run carries a workflow. */
  isWorkflowRun(run_id: string): boolean
  /** The last step of a run on this device. */
  lastStep(run_id: string): RunStep | null
  /** The failure of a run as it is sent to the cloud: if its subject is a path, it is marked. */
  markedFailure(run_id: string, failure: FailureContract): FailureContract
  /** The final message of the run, as JSON text; null if there is none. */
  resultOf(run_id: string): string | null
  log(line: string): void
}

export function openTasks(ports: TaskPorts): TaskService {
  const { store, cloud } = ports
  const { sql, device_id } = store
  const tasks = openTaskStore(store)

  function mode(): TaskMode {
    return sql.get`SELECT value FROM meta WHERE name = 'task_mode'`?.value === 'run' ? 'run' : 'offer'
  }

  const accepting = new Map<string, Promise<TaskOutcome>>()

  /** Concurrent requests to accept a task share one attempt. */
  function accept(task_id: string): Promise<TaskOutcome> {
    const attempt = accepting.get(task_id) ?? accepted(task_id).finally(() => accepting.delete(task_id))
    accepting.set(task_id, attempt)
    return attempt
  }

  async function accepted(task_id: string): Promise<TaskOutcome> {
    const kept = tasks.get(task_id)
    if (!kept || kept.stage === 'gone') return refused('not_found', `there is no task ${task_id} for this device`)
    if (kept.stage !== 'offered' && kept.stage !== 'claiming')
      return refused('transition_refused', `task ${task_id} cannot be accepted: on this device it is already ${kept.stage}`)
    // Not claimed: the task stays pending, so another device can still run it, or this one after an approval.
    const problem = kept.workflow_id === null ? null : ports.workflowProblem(kept.workflow_id)
    if (problem !== null && kept.stage === 'offered') return refused('not_available', problem)
    tasks.put(task_id, { stage: 'claiming' })
    const claim = await claimed(task_id)
    if (claim !== null) return claim
    const started = await ports.start(kept, `task:${task_id}`)
    if (!started.ok) {
      // The cloud lists the task as running on this device, so the failure must be reported.
      tasks.put(task_id, { stage: 'gone', untold: { status: 'failed', device_id, error: { message: started.message } } })
      await reportAll()
      return refused('not_started', started.message)
    }
    tasks.put(task_id, { stage: 'running', run_id: started.run_id })
    return shown(task_id)
  }

  /** Null if this device has the task. Only one device gets it; after a lost reply, the cloud is asked again. */
  async function claimed(task_id: string): Promise<TaskOutcome | null> {
    const answer = await cloud.updateStatus(task_id, { status: 'running', device_id })
    if (answer.kind === 'ok') return null
    if (answer.kind === 'unreachable' || answer.status >= 500)
      return refused('unreachable', `the server cannot be reached to claim task ${task_id}: ${answer.detail}`)
    const now = await cloud.get(task_id)
    if (now.kind === 'ok' && now.body.status === 'running' && now.body.device_id === device_id) return null
    tasks.put(task_id, { stage: 'gone' })
    return refused('transition_refused', answer.detail)
  }

  async function decline(task_id: string): Promise<TaskOutcome> {
    const kept = tasks.get(task_id)
    if (kept?.stage !== 'offered') return refused('not_found', `task ${task_id} is not offered to this device`)
    tasks.put(task_id, { stage: 'ended', untold: { status: 'canceled', device_id } })
    await reportAll()
    return shown(task_id)
  }

  let reporting: Promise<void> = Promise.resolve()

  /** Sequential, so that nothing is reported twice. */
  function reportAll(): Promise<void> {
    reporting = reporting
      .then(reportEach)
      .catch((error: unknown) => ports.log(`the state of tasks could not be reported to the server: ${String(error)}`))
    return reporting
  }

  /** If the cloud refuses a report because the task has already ended there, the report is dropped. */
  async function reportEach(): Promise<void> {
    for (const { task_id, untold } of tasks.untold()) {
      if (untold === null) continue
      const answer = await cloud.updateStatus(task_id, untold)
      if (
        answer.kind === 'unreachable' ||
        (answer.kind === 'refused' && (answer.status >= 500 || answer.status === 429 || answer.status === 401))
      )
        return
      if (answer.kind === 'refused') ports.log(`the server refused the report that task ${task_id} ended: ${answer.detail}`)
      tasks.put(task_id, { untold: null })
    }
  }

  async function seen(task: Task, then: 'as_wished' | 'only_offer' = 'as_wished'): Promise<void> {
    const concerned = task.device_id === undefined || task.device_id === device_id
    const kept = tasks.get(task.id)
    if (task.status === 'pending' && concerned && !kept) {
      tasks.offer(task)
      if (then !== 'as_wished' || mode() !== 'run' || task.device_id !== device_id) return
      await accept(task.id)
      return
    }
    if (!kept) return
    const elsewhere = task.status !== 'pending' && task.device_id !== undefined && task.device_id !== device_id
    if (kept.stage === 'offered' && (elsewhere || task.status !== 'pending')) tasks.put(task.id, { stage: 'gone' })
    if (task.status === 'canceled' && kept.stage === 'running' && kept.run_id !== null) {
      tasks.put(task.id, { stage: 'gone' })
      await ports.cancel(kept.run_id, 'the task was canceled in the account')
    }
  }

  function stepWritten(step: RunStep): void {
    const update = endOf(step, device_id, ports)
    const kept = update && tasks.ofRun(step.run_id)
    if (!update || kept?.stage !== 'running') return
    // A run started by an older version in place of the task's workflow does not complete the task.
    const wrong = kept.workflow_id !== null && update.status === 'completed' && !ports.isWorkflowRun(step.run_id)
    const message = `An older version of Tandem started a run in place of workflow ${kept.workflow_id}. Send the task again.`
    const untold = wrong ? ({ status: 'failed', device_id, error: { message } } as const) : update
    tasks.put(kept.task_id, { stage: 'ended', untold })
    void reportAll()
  }

  async function read(task_id: string, then?: 'only_offer'): Promise<void> {
    const answer: CloudResult<Task> = await cloud.get(task_id)
    if (answer.kind === 'ok') await seen(answer.body, then)
  }

  async function readNew(then?: 'only_offer'): Promise<void> {
    const pending = await cloud.pending()
    if (pending.kind !== 'ok') return
    for (const { id, device_id: wanted } of pending.body) {
      if (!tasks.get(id) && (wanted === undefined || wanted === device_id)) await read(id, then)
    }
  }

  return {
    mode,
    setMode: (next) => void sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES ('task_mode', ${next})`,
    offered: () => tasks.in('offered'),
    get: tasks.get,
    list: tasks.list,
    accept,
    decline,
    onHint: (task_id) => read(task_id),
    async refresh() {
      await reportAll()
      for (const { task_id } of tasks.in('offered')) await read(task_id, 'only_offer')
      await readNew('only_offer')
    },
    async catchUp() {
      // The runtime may have crashed after the end of a run and before it was recorded here.
      for (const { run_id } of tasks.in('running')) {
        const last = run_id === null ? null : ports.lastStep(run_id)
        if (last) stepWritten(last)
      }
      await reportAll()
      for (const { task_id } of tasks.in('claiming')) await accept(task_id)
      for (const { task_id } of [...tasks.in('running'), ...tasks.in('offered')]) await read(task_id)
      // A person may have approved their workflows since.
      if (mode() === 'run') for (const task of tasks.in('offered').filter(isRunnableNow)) await accept(task.task_id)
      await readNew()
    },
    onStep: stepWritten,
    reported: () => reporting,
    async abandon() {
      for (const { task_id } of [...tasks.in('running'), ...tasks.in('claiming')]) {
        tasks.put(task_id, { stage: 'ended', untold: { status: 'canceled', device_id } })
      }
      await reportAll()
    },
  }

  function isRunnableNow({ workflow_id, device_id: wanted }: StoredTask): boolean {
    return workflow_id !== null && wanted === device_id && ports.workflowProblem(workflow_id) === null
  }

  function shown(task_id: string): TaskOutcome {
    const task = tasks.get(task_id)
    return task ? { ok: true, task } : refused('not_found', `there is no task ${task_id} for this device`)
  }
}

function endOf(
  step: RunStep,
  device_id: string,
  { resultOf, markedFailure }: Pick<TaskPorts, 'resultOf' | 'markedFailure'>,
): TaskStatusUpdate | null {
  switch (step.kind) {
    case 'run.completed': {
      const result = resultOf(step.run_id)
      return { status: 'completed', device_id, ...(result === null ? {} : { result }) }
    }
    case 'run.failed': {
      const failure_contract = markedFailure(step.run_id, step.failure_contract)
      return { status: 'failed', device_id, error: { message: failure_contract.details.message, failure_contract } }
    }
    case 'run.canceled':
      return { status: 'canceled', device_id }
    default:
      return null
  }
}

function refused(code: Extract<TaskOutcome, { ok: false }>['code'], message: string): TaskOutcome {
  return { ok: false, code, message }
}

/** The task as text for the agent. */
export function taskText({ title, description, input }: Pick<StoredTask, 'title' | 'description' | 'input'>): string {
  return [title, description, input === null ? null : `Input:\n${input}`].filter((part) => part !== null && part !== '').join('\n\n')
}
