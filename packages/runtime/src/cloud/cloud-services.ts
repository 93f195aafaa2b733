// Assembles synchronization, tasks, devices and files of the cloud. Loaded on sign-in or on first use.

import { hostname, networkInterfaces } from 'node:os'
import type { DevicePlatform } from '@tandem/contract/device'
import type { FailureContract } from '@tandem/contract/failure'
import type { MessageAuthor } from '@tandem/contract/run'
import { entityTypeNames } from '@tandem/contract/sync'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Account } from '../account/account.ts'
import { openDeviceNames } from '../account/device-names.ts'
import { type ApiKeys, openApiKeys } from '../account/keys.ts'
import { type AccountService, openAccountService } from '../account/service.ts'
import type { Agents } from '../agent/agents.ts'
import { sleep } from '../clock/clock.ts'
import type { Bus } from '../event/bus.ts'
import type { Events } from '../event/events.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import type { Journal } from '../journal/journal.ts'
import { markedFoldersOf, markFailure } from '../journal/recorded-step.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Gateway } from '../model/gateway.ts'
import { attachmentPath } from '../store/blobs.ts'
import type { Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { type Devices, openDevices } from '../sync/devices.ts'
import type { Arrivals } from '../sync/inbox.ts'
import { openSync, type SyncService } from '../sync/service.ts'
import { openHttpCloud } from '../sync/transport/http-cloud.ts'
import { openWebSocket } from '../sync/transport/web-socket.ts'
import { openUserFiles, type UserFiles } from '../sync/user-files.ts'
import { openTasks, type TaskService, taskText } from '../task/service.ts'
import { openTaskCloud, type TaskDirectory } from '../task/task-cloud.ts'
import type { StoredTask } from '../task/task-store.ts'

interface TaskStart {
  readonly conversation_id: string
  readonly author: MessageAuthor
  readonly text: string
  readonly key: string
}

export interface CloudPorts {
  readonly store: Store
  readonly records: Records
  readonly events: Events
  readonly bus: Bus
  readonly journal: Journal
  readonly account: Account
  readonly gateway: Gateway
  /** Aborts pending requests to the cloud. */
  leave(): void
  readonly version: string
  /** Only a resident process accepts tasks by itself: a process for one command ends before a run would. */
  readonly life: 'resident' | 'errand'
  readonly agents: Pick<Agents, 'default' | 'list'>
  readonly workspaces: Workspaces
  readonly runs: {
    start(request: TaskStart): Promise<Outcome<RunRecord>>
    cancel(run_id: string, reason: string): Promise<unknown>
  }
  readonly workflows: CloudWorkflows
  /** Definitions of MCP servers were added or removed. This starts no server. */
  mcpServersChanged(server_ids: readonly string[]): void
  /** Skills were bound or unbound on another device. */
  skillBindingsChanged(): void
  /** All records were deleted: what was copied from them must not stay. */
  textsWiped(): Promise<void>
  log(line: string): void
}

/** The workflows of this device, as the cloud needs them. */
export interface CloudWorkflows {
  /** Makes the definitions here and in the account the same. */
  refresh(account: Pick<Account, 'call'>): Promise<void>
  /** Called when a definition was changed or approved here. Returns a function that unsubscribes. */
  onChanged(call: () => void): () => void
  /** Why this device cannot run it; null if it can. */
  problem(workflow_id: string): string | null
  /** Starts the workflow of a task. Returns the id of the run that carries it. */
  startTask(task: {
    readonly workflow_id: string
    readonly input: string | null
    readonly agent_id: string
    readonly workspace: string
    readonly key: string
  }): Outcome<string>
  /** What the workflow returned, as JSON; undefined for a run that carries none. */
  resultOf(run_id: string): string | null | undefined
}

export interface CloudServices {
  readonly accounts: AccountService
  readonly keys: ApiKeys
  readonly sync: SyncService
  readonly devices: Devices
  readonly files: UserFiles
  readonly tasks: TaskService
  readonly directory: TaskDirectory
  /** Loads the tasks of this device from the cloud, as far as possible within a few seconds. */
  lookForTasks(): Promise<void>
  /** Calling it again has no effect. */
  start(): void
  stop(): Promise<void>
}

const catchUp_ms = 5 * 60_000
const taskLoading_ms = 5_000
/** The most time for sending the last changes before the runtime ends. */
const lastChanges_ms = 2_000
/** The maximum size of a task's result, as JSON. */
const longestResult = 65_536

export function openCloudServices(ports: CloudPorts): CloudServices {
  const { store, records, events, bus, journal, account, gateway, agents, runs, workflows, log } = ports
  const { clock, device_id } = store
  const about = { platform: platform(), app_version: ports.version }
  const directory = openTaskCloud(account)
  const names = openDeviceNames(store)
  const devices = openDevices(account, about, names.learn)
  const isIn = () => account.who()?.ended === null
  const ends: (() => void)[] = []
  const knownDevices = new Set<string>()
  let started = false
  let heldServers: readonly string[] = []

  const tasks = openTasks({
    store,
    cloud: directory,
    start: startTask,
    cancel: async (run_id, reason) => void (await runs.cancel(run_id, reason)),
    workflowProblem: workflows.problem,
    isWorkflowRun: (run_id) => journal.run(run_id)?.workflow_run_id != null,
    lastStep: (run_id) => (journal.run(run_id) ? (journal.steps(run_id).findLast(({ step }) => isEnd(step.kind))?.step ?? null) : null),
    markedFailure,
    resultOf,
    log,
  })
  const sync = openSync({
    store,
    account,
    cloud: openHttpCloud(account),
    events,
    random: Math.random,
    places: { text: journal.wholes.path, attachment: (file_id) => attachmentPath(store.home, file_id) },
    stepArrived: (step) => bus.publish('step', journal.shown(step)),
    arrived({ records: changed, facts, run_ids }) {
      reportChanges(changed)
      if (facts.includes('workflow_run_events')) refreshWorkflows()
      learnNames(run_ids)
    },
    taskHinted: (task_id) => void (ports.life === 'resident' && logErrors("the cloud's tasks", tasks.onHint(task_id))),
    lineOpened() {
      catchUp()
      refreshWorkflows()
      logErrors("the cloud's models", gateway.refresh())
      logErrors("the account's devices", devices.list({}))
    },
    openLine: openWebSocket,
    device: { name: hostname().slice(0, 100) || 'this device', ...about },
    network,
    vitals: () => ({ sandbox_mode: usualMode(), running_runs: ownRuns('running'), paused_runs: ownRuns('paused') }),
    log,
  })
  const accounts = openAccountService({
    store,
    account,
    owner: sync.owner,
    unsent: () => sync.status().pending_changes,
    running: () => ownRuns('running'),
    async leaving() {
      heldServers = records.list('mcp_servers').map(({ entity_id }) => entity_id)
      await tasks.abandon()
    },
    async wiped() {
      await ports.textsWiped()
      reportChanges(heldServers.map((entity_id) => ({ entity_type: 'mcp_servers', entity_id })))
      ports.skillBindingsChanged()
      events.emit('sync_changes_arrived', {}, { entity_types: entityTypeNames, conversation_ids: [], run_ids: [], all_named: false })
    },
    quiet: sync.quiet,
  })

  function ownRuns(state: 'running' | 'paused'): number {
    return journal.runs({ state, limit: -1 }).filter((run) => run.device_id === device_id).length
  }

  /** The sandbox mode of the default agent. Reading it must not create that agent. */
  function usualMode(): SandboxMode {
    return agents.list().some(({ agent }) => !agent.archived) ? agents.default().agent.sandbox_mode : 'workspace'
  }

  function reportChanges(changed: Arrivals['records']): void {
    const server_ids = changed.flatMap(({ entity_type, entity_id }) => (entity_type === 'mcp_servers' ? [entity_id] : []))
    if (server_ids.length > 0) ports.mcpServersChanged(server_ids)
    if (changed.some(({ entity_type }) => entity_type === 'agent_skill_bindings')) ports.skillBindingsChanged()
  }

  /** The names of the devices that wrote these runs, requested once each: a device that left the account has no name. */
  function learnNames(run_ids: readonly string[]): void {
    const unknownDevices = run_ids
      .flatMap((run_id) => journal.run(run_id)?.device_id ?? [])
      .filter((id) => !knownDevices.has(id) && id !== device_id)
    for (const unknownDevice of unknownDevices) knownDevices.add(unknownDevice)
    if (unknownDevices.some((unknownDevice) => names.of(unknownDevice) === null)) logErrors("the account's devices", devices.list({}))
  }

  /** The same key starts the same run, even if the runtime crashed in between. */
  async function startTask(task: StoredTask, key: string) {
    const known = journal.startedBy(key)
    if (known) return { ok: true, run_id: known.run_id } as const
    const folder = ports.workspaces.fresh()
    if (!folder.ok) return folder
    const { agent_id } = agents.default()
    if (task.workflow_id !== null) {
      const { workflow_id, input } = task
      const workflow = workflows.startTask({ workflow_id, input, agent_id, workspace: folder.value, key })
      return workflow.ok ? ({ ok: true, run_id: workflow.value } as const) : workflow
    }
    const { conversation_id } = journal.conversations.create({ agent_id, title: task.title, workspace: folder.value })
    const outcome = await runs.start({ conversation_id, author: 'task', text: taskText(task), key })
    if (outcome.ok) return { ok: true, run_id: outcome.value.run_id } as const
    journal.conversations.hide(conversation_id, true)
    return outcome
  }

  function markedFailure(run_id: string, failure: FailureContract): FailureContract {
    const run = journal.run(run_id)
    const places = run ? markedFoldersOf(store, run) : null
    return places ? markFailure(failure, places) : failure
  }

  function resultOf(run_id: string): string | null {
    const returned = workflows.resultOf(run_id)
    if (returned !== undefined) return returned === null || returned.length <= longestResult ? returned : resultText(returned)
    const last = journal.steps(run_id).findLast(({ step }) => step.kind === 'message.completed')?.step
    const message = last?.kind === 'message.completed' ? journal.messages.get(last.message_id) : undefined
    return message ? resultText(message.text) : null
  }

  let catching: Promise<void> | null = null

  function catchUp(): void {
    if (ports.life !== 'resident' || !isIn()) return
    catching ??= tasks.catchUp().finally(() => {
      catching = null
    })
    logErrors("the cloud's tasks", catching)
  }

  function refreshWorkflows(): void {
    if (isIn()) logErrors('the workflows of the account', workflows.refresh(account).then(catchUp))
  }

  function logErrors(of: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => log(`${of}: ${error instanceof Error ? error.message : String(error)}`))
  }

  function scheduleCatchUp(): void {
    const cancel = clock.after(catchUp_ms, () => {
      ends.splice(ends.indexOf(cancel), 1)
      catchUp()
      refreshWorkflows()
      scheduleCatchUp()
    })
    ends.push(cancel)
  }

  return {
    accounts,
    keys: openApiKeys(account),
    sync,
    devices,
    files: openUserFiles({ account, home: store.home, newId: store.newId }),
    tasks,
    directory,
    async lookForTasks() {
      if (!isIn()) return
      catchUp()
      await Promise.race([catching ?? tasks.refresh(), sleep(clock, taskLoading_ms)])
    },
    start() {
      if (started) return
      started = true
      ends.push(bus.subscribe('step', tasks.onStep), account.onChanged(catchUp), workflows.onChanged(refreshWorkflows))
      sync.start()
      catchUp()
      scheduleCatchUp()
    },
    async stop() {
      for (const end of ends.splice(0)) end()
      const { state, pending_changes } = sync.status()
      const words = started && isIn() && state !== 'offline' ? [tasks.reported(), ...(pending_changes > 0 ? [sync.now()] : [])] : []
      if (words.length > 0) await Promise.race([Promise.all(words), sleep(clock, lastChanges_ms)])
      const stopped = sync.stop()
      ports.leave()
      await stopped
    },
  }
}

/** Truncated if necessary; the conversation has the full text. */
function resultText(text: string): string {
  let result = JSON.stringify({ text: text.slice(0, longestResult) })
  for (let kept = longestResult; result.length > longestResult; kept = Math.floor(kept * 0.8)) {
    result = JSON.stringify({ text: `${text.slice(0, kept)}…` })
  }
  return result
}

function isEnd(kind: string): boolean {
  return kind === 'run.completed' || kind === 'run.failed' || kind === 'run.canceled'
}

/** The external addresses of this machine. */
function network(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((of) => of ?? [])
  return addresses
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
    .toSorted()
    .join()
}

function platform(): DevicePlatform {
  return process.platform === 'darwin' ? 'macos' : process.platform === 'win32' ? 'windows' : 'linux'
}
