// The desktop runtime, put together. Read from top to bottom, it is the program.

import { homedir, tmpdir } from 'node:os'
import manifest from '../package.json' with { type: 'json' }
import { openSignedIn } from './account/signed-in.ts'
import { openAgents } from './agent/agents.ts'
import { openApprovals } from './approval/approvals.ts'
import { openBackgroundPoints } from './checkpoint/background-points.ts'
import { openCheckpoints } from './checkpoint/checkpoints.ts'
import { commandTargets } from './checkpoint/command/command-targets.ts'
import { quotaOf } from './checkpoint/quota.ts'
import { threadEngine } from './checkpoint/thread.ts'
import { type Clock, systemClock } from './clock/clock.ts'
import { openCloud } from './cloud/cloud.ts'
import { aboutRuntime } from './commands/about.ts'
import { checkpointHandlers } from './commands/checkpoints.ts'
import { openWriting } from './commands/composing.ts'
import type { Features } from './commands/features.ts'
import { type CommandLayer, openCommands } from './commands/layer.ts'
import { mcpHandlers } from './commands/mcp.ts'
import { skillHandlers } from './commands/skills.ts'
import { openWorkspaces } from './commands/workspace.ts'
import { type Bus, openBus } from './event/bus.ts'
import { type Events, openEvents } from './event/events.ts'
import { forgetOld } from './event/forget.ts'
import { openLifecycle } from './event/lifecycle/lifecycle.ts'
import type { LifecycleListener } from './event/lifecycle/lifecycle-event.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { lifecycleHistory } from './journal/step-lifecycle.ts'
import { openMcp } from './mcp/open-mcp.ts'
import { knownAddress } from './model/address.ts'
import { contextWindowOf, tokensSet } from './model/context-window.ts'
import { type OfferedModels, openModels } from './model/models.ts'
import { openPipeline } from './pipeline/pipeline.ts'
import { openRegistry } from './pipeline/registry.ts'
import { mostChangedPaths, openAgentChanges } from './policy/agent-changes.ts'
import { openCallPolicies } from './policy/call-policies.ts'
import { openDecider } from './policy/decider.ts'
import { openLocalRules } from './policy/local-rules.ts'
import { openPolicies } from './policy/policies.ts'
import { frozenForCommands, givesPower } from './policy/power.ts'
import { openRates } from './policy/rate.ts'
import { strictModeLayer } from './policy/sandbox-mode.ts'
import { startedCalls } from './policy/started-calls.ts'
import { usualMode } from './policy/usual-mode.ts'
import { openQuestions } from './question/questions.ts'
import { askUserTool } from './question/tools.ts'
import { openCallChanges } from './run/call/call-changes.ts'
import { type PassBy, passBy } from './run/crashpoint.ts'
import { openRunCheckpoints } from './run/recovery/checkpointing.ts'
import { openClosedPoints } from './run/recovery/closed-points.ts'
import { openDeletedPoints } from './run/recovery/deleted-points.ts'
import { finishRestores } from './run/recovery/finish-restores.ts'
import { openRuns, type StartRequest } from './run/runs.ts'
import { environmentHash } from './sandbox/command/environment.ts'
import { startOf } from './sandbox/command/process-tree.ts'
import { openCommandSandbox } from './sandbox/command/sandbox.ts'
import { openFiles } from './sandbox/files/scoped-files.ts'
import { openNetwork } from './sandbox/network/scoped-network.ts'
import { openRunTemps } from './sandbox/temp.ts'
import { openScheduler } from './scheduler/scheduler.ts'
import { knownSearch, searchComplaint } from './settings/search.ts'
import { openSettings } from './settings/settings.ts'
import { openSkills } from './skill/open-skills.ts'
import { pruneOutputs } from './store/outputs.ts'
import { openRecords } from './store/records.ts'
import { openSpool } from './store/spool.ts'
import { openStore } from './store/store.ts'
import { openTodos } from './todo/todos.ts'
import { todoTools } from './todo/tools.ts'
import { openBrowsers } from './tools/browser/browsers.ts'
import { browserTools } from './tools/browser/tools.ts'
import { fsTools } from './tools/fs/index.ts'
import { shellTools } from './tools/shell/index.ts'
import { openProcesses } from './tools/shell/processes.ts'
import { systemTools } from './tools/system/tools.ts'
import { webTools } from './tools/web/tools.ts'

export { type OpenWindow, startRuntime, type WindowOptions } from './host/window.ts'
export type { OfferedModels } from './model/models.ts'
export { FolderInUseError } from './store/store.ts'

const minute_ms = 60_000
const hour_ms = 60 * minute_ms
const day_ms = 24 * hour_ms
/** How late a wait for a time may end. */
const continue_ms = 5_000
const eventsKept_ms = 30 * day_ms
/** How long the end of a process may be delayed by the delivery of lifecycle events. */
const lastDelivery_ms = 300

export interface RuntimeOptions {
  /** Tandem's own folder. */
  readonly home: string
  /** Where conversations work that name no folder of their own. */
  readonly workspace: string
  readonly environment: Readonly<Record<string, string | undefined>>
  log(line: string): void
  readonly clock?: Clock
  /** `errand`: it lives as long as one command, and does nothing by itself: it takes no cloud tasks and continues no paused run. */
  readonly life?: 'resident' | 'errand'
  /** React to lifecycle events, beside the features that do; the same ones at every start. */
  readonly listeners?: readonly LifecycleListener[]
  /** For tests that strike the runtime down; the product passes by. */
  readonly passBy?: PassBy
}

export interface Runtime {
  readonly home: string
  readonly clock: Clock
  readonly commands: CommandLayer
  readonly bus: Bus
  readonly events: Events
  readonly journal: Journal
  /** A file kept under an id of ours: what a message carries, or a picture a tool took. */
  file(file_id: string): Buffer | undefined
  /** Ends when the run no longer goes on here: paused, or at its end. */
  settled(run_id: string): Promise<unknown>
  /** Models to use while the person has set none of their own. */
  offerModels(models: OfferedModels): void
  /** Tries to get out of the sandbox, now and not before the first command, and logs what does not hold. */
  testSandbox(): Promise<void>
  stop(): Promise<void>
}

/** Throws `FolderInUseError` while another runtime holds the folder. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const { home, workspace, environment, log, clock = systemClock, life = 'resident', listeners = [], passBy: pass = passBy } = options
  // The ground: what is kept, and who hears of it.
  const user_home = environment.HOME ?? homedir()
  const store = openStore({ home, user_home, clock })
  const bus = openBus((error) => log(`a listener broke: ${String(error)}`))
  const events = openEvents(store, bus)
  const records = openRecords(store)
  const lifecycle = openLifecycle({ store, history: () => lifecycleHistory(store), log })
  for (const listener of listeners) lifecycle.listen(listener)
  const journal = openJournal(store, events, bus, lifecycle)
  const scheduler = openScheduler(clock, (job, error) => log(`${job}: ${String(error)}`))
  scheduler.add({
    name: 'forget_events',
    every_ms: day_ms,
    first_ms: minute_ms,
    run: async (signal) => void (await forgetOld(events, clock.now() - eventsKept_ms, signal)),
  })
  scheduler.add({ name: 'tidy_store', every_ms: minute_ms / 2, run: store.tidy })
  scheduler.add({ name: 'prune_outputs', every_ms: day_ms, first_ms: 2 * minute_ms, run: async () => void (await pruneOutputs(store)) })

  // Models, and who searches the web.
  const settings = openSettings(home)
  const address = () => {
    const { model_base_url, default_model } = settings.read()
    return knownAddress({ base_url: model_base_url, key: settings.modelKey(), default_model }, environment)
  }
  const chosenModel = () => settings.read().default_model ?? (environment.TANDEM_MODEL || null)
  const { account, gateway, deviceName, leave } = openSignedIn({ store, clock, chosenModel, log })
  const models = openModels(address, clock, gateway.models)
  const contextTokens = () => settings.read().model_context_window ?? tokensSet(environment.TANDEM_MODEL_WINDOW)
  const modelFor = (name: string) => {
    const model = models.current()
    return model && { model, window: () => model.contextWindow(name, contextTokens()) }
  }
  const search = () => knownSearch(settings.read(), settings.searchKey(), environment)
  const complaint = searchComplaint(environment)
  if (complaint) log(complaint)

  // What people write, and the files that go along.
  const workspaces = openWorkspaces(home, workspace, user_home)
  const writing = openWriting({ store, journal, workspaces, scheduler, clock })

  // What calls are held to.
  const registry = openRegistry()
  const policies = openPolicies(
    records,
    openLocalRules(store),
    (tool) => registry.get(tool)?.limits.seconds ?? null,
    (tool) => usualMode(records, tool),
  )
  const rates = openRates(clock, startedCalls(store))
  const changes = openAgentChanges(store)
  const approvals = openApprovals(store)
  const questions = openQuestions(store)
  const temps = openRunTemps(home, tmpdir(), store.device_id)
  const sandbox = openCommandSandbox({ clock, home, temp: tmpdir(), environment, frozen: frozenForCommands })

  // Recovery points.
  const deleted = openDeletedPoints({ journal, events })
  const checkpoints = openCheckpoints({ store, engine: threadEngine({ home }), quota_bytes: quotaOf(environment), deleted })
  const background = openBackgroundPoints({ checkpoints, clock, startOf, ...openClosedPoints({ journal, events, log }) })

  // Tools.
  const processes = openProcesses({ clock, newId: store.newId })
  const recovery = openRunCheckpoints({ checkpoints, approvals, journal, background, processOf: processes.runningFor, log })
  const browsers = openBrowsers({ clock, log })
  const todos = openTodos(store, records, {
    onChanged: (run_id, items) => void journal.append(run_id, { kind: 'todos.changed', todos: [...items] }),
  })
  registry.add([
    ...fsTools,
    ...shellTools(processes),
    ...webTools({ search, secret: () => search()?.key ?? null }),
    ...browserTools(browsers),
    ...todoTools(todos),
    ...systemTools(),
    askUserTool({ store, journal, questions }),
  ])

  // What servers and skills add.
  const { mcp, serve, ...servers } = openMcp({
    store,
    records,
    events,
    journal,
    registry,
    policies,
    sandbox,
    temps,
    workspace,
    environment,
    version: manifest.version,
  })
  const { skills, runSkills } = openSkills({
    store,
    records,
    journal,
    registry,
    environment,
    async contextTokens({ model }) {
      const window = await modelFor(model)?.window()
      return (window ?? contextWindowOf(model, { setting: contextTokens(), listed: null })).tokens
    },
  })

  const callPolicies = openCallPolicies({ policies, layers: [runSkills.policy, strictModeLayer], log })
  const pipeline = openPipeline({
    clock,
    home,
    registry,
    wholes: journal.wholes,
    policyOf: callPolicies.of,
    takeRate: rates.take,
    giveRateBack: rates.giveBack,
    environment: environmentHash(environment),
    approved: ({ instructions }) => changes.approve(instructions),
    decide: openDecider({ ...sandbox, changes, targetsOf: (command, cwd) => commandTargets(command, cwd).targets }),
    givesPower,
    ports: (scope) => ({
      files: openFiles(scope),
      network: openNetwork(scope),
      commands: sandbox.runner(scope),
      spool: (name) => openSpool(temps.outputs(scope.ids.run_id), `${scope.ids.call_id}-${name}`),
      keepPicture: (bytes) => writing.blobs.keep('picture', bytes),
    }),
    planCheckpoint: recovery.plan,
    isWeaker: checkpoints.isWeaker,
  })

  // Agents and their runs.
  const agents = openAgents(store, records, lifecycle)
  const runs = openRuns(
    {
      store,
      journal,
      events,
      bus,
      approvals,
      policies,
      registry,
      pipeline,
      questions,
      checkpoints: recovery,
      changes: openCallChanges({
        changes,
        listChanges: (checkpoint_id) => checkpoints.changes(checkpoint_id, mostChangedPaths),
        isRestricted: ({ policy }) => sandbox.enforcement(policy.sandbox_mode) === 'os',
      }),
      lifecycle,
      isResident: life === 'resident',
      compactionWait_ms: () => settings.read().compaction_wait_seconds * 1_000,
      passBy: pass,
      modelFor,
      defaultModel: () => (address() ?? models.offered())?.default_model ?? null,
      agent: (agent_id) => agents.get(agent_id)?.agent,
      toolsFor: (run) => callPolicies.offered(run, registry.list()),
      policyLayers: (run) => callPolicies.layersOf(run, registry.list()),
      skillsFor: runSkills.textFor,
      memoryText: () => '',
      todos: todos.list,
      attachment: writing.blobs.find,
      deviceName,
      tempFor: temps.of,
      async endRun(run_id) {
        await Promise.all([processes.endRun(run_id), browsers.endRun(run_id)])
        runSkills.end(run_id)
        servers.endRun(run_id)
        temps.end(run_id)
      },
      endBackground: (checkpoint_id) => background.end(checkpoints.openPoints(checkpoint_id).map((point) => point.checkpoint_id)),
      random: Math.random,
      log,
    },
    checkpoints,
  )
  // A restore that was cut off is finished, or taken back, before any run goes on.
  const ready = finishRestores({ store, journal, events, approvals, registry, checkpoints, log }).then(background.resume)
  let hasRetained = false
  async function retainCheckpoints() {
    await ready
    hasRetained = true
    await checkpoints.retain()
  }
  scheduler.add({ name: 'retain_checkpoints', every_ms: hour_ms, first_ms: minute_ms / 6, run: retainCheckpoints })
  /** A process that ends before its first round makes up for it, or one that lives for single commands only would never delete anything. */
  async function retainBeforeEnd() {
    if (hasRetained || !checkpoints.isRetentionDue()) return
    await retainCheckpoints().catch((error: unknown) => log(`old recovery points could not be deleted: ${String(error)}`))
  }
  if (life === 'resident') scheduler.add({ name: 'retry_runs', every_ms: minute_ms / 4, run: retryRuns })
  async function retryRuns() {
    if (journal.toRetry(clock.now()).length === 0) return
    await Promise.all([ready, serve()])
    runs.retryDue()
  }
  scheduler.add({ name: 'continue_runs', every_ms: continue_ms, first_ms: 1_000, run: continueRuns })
  async function continueRuns() {
    if (journal.toContinue().length + journal.waits.due(clock.now()).length === 0) return
    await Promise.all([ready, serve()])
    runs.continueWaiting()
  }
  const broken = runs.recover()
  temps.sweep((run_id) => journal.run(run_id)?.ended_at !== null)
  if (broken > 0) log(`${broken} ${broken === 1 ? 'run was' : 'runs were'} cut off and can be resumed`)

  async function start(request: StartRequest) {
    await Promise.all([ready, serve(), address() ? null : gateway.ready()])
    return writing.missing(request.attachments) ?? runs.start(request)
  }

  // The cloud: asleep until somebody signs in.
  const cloud = openCloud({
    store,
    records,
    events,
    bus,
    journal,
    account,
    gateway,
    leave,
    version: manifest.version,
    life,
    agents,
    workspaces,
    runs: { start, cancel: runs.cancel },
    mcpServersChanged: (server_ids) =>
      void mcp.definitionsChanged(server_ids).catch((error: unknown) => log(`MCP servers that changed elsewhere: ${String(error)}`)),
    skillBindingsChanged: runSkills.changed,
    log,
  })
  const about = aboutRuntime({ clock, sandbox, model: () => address() ?? models.offered(), parked: lifecycle.parked, log })
  const features: Partial<Features> = {
    store,
    journal,
    events,
    agents,
    todos,
    questions,
    approvals,
    policies,
    callPolicies,
    tools: registry,
    runs: {
      start,
      resume: async (run_id, answer) => {
        await Promise.all([ready, serve()])
        return runs.resume(run_id, answer)
      },
      pause: runs.pause,
      cancel: runs.cancel,
      settled: runs.settled,
    },
    others: {
      ...checkpointHandlers({ journal, checkpoints, ready, workspaces, restore: runs.restore, createCheckpoint: runs.createCheckpoint }),
      ...writing.handlers,
      ...mcpHandlers(mcp),
      ...skillHandlers({ skills, runSkills, agents, workspaces, journal }),
      ...cloud.handlers,
    },
    settings,
    workspaces,
    about,
  }

  cloud.begin()
  // A process that lives for one command delivers when that has printed its result: in `stop`.
  if (life === 'resident') lifecycle.begin()

  return {
    home,
    clock,
    commands: openCommands(features, { log }),
    bus,
    events,
    journal,
    file: writing.blobs.find,
    settled: runs.settled,
    offerModels: models.offer,
    testSandbox: about.testSandbox,
    async stop() {
      await ready
      await runs.stop()
      await lifecycle.stop({ within_ms: lastDelivery_ms })
      await retainBeforeEnd()
      await cloud.stop()
      runSkills.stop()
      await servers.stop()
      // The recovery points of background commands are closed when these have ended.
      await processes.stop()
      await Promise.all([background.stop(), scheduler.stop(), browsers.stop(), sandbox.stop()])
      await checkpoints.close()
      models.close()
      temps.close()
      store.close()
    },
  }
}
