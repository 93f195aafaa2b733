// The desktop runtime, put together. Read from top to bottom, it is the program.
import manifest from '../package.json' with { type: 'json' }
import { openModelAccess } from './account/model-access.ts'
import { openAgents } from './agent/agents.ts'
import { openApprovals } from './approval/approvals.ts'
import { openCatalogFeature } from './catalog/feature.ts'
import { type Clock, systemClock } from './clock/clock.ts'
import { openCloud } from './cloud/cloud.ts'
import { aboutRuntime } from './commands/about.ts'
import { changeHandlers } from './commands/changes.ts'
import { checkpointHandlers } from './commands/checkpoints.ts'
import { folderHandlers } from './commands/folder/folders.ts'
import { offeredFolders } from './commands/folder/used-folders.ts'
import { type CommandLayer, openCommands } from './commands/layer.ts'
import { openWriting } from './commands/message-editor-feature.ts'
import { openWorkspaces } from './commands/workspace.ts'
import { openTeamFeature } from './cooperation/feature.ts'
import { openDeletionFeature } from './deletion/feature.ts'
import type { Bus } from './event/bus.ts'
import type { Events } from './event/events.ts'
import { openEvolutionFeature } from './evolution/feature.ts'
import { openExecutorFeature } from './executor/feature.ts'
import type { Feature } from './feature/feature.ts'
import type { FeatureContext } from './feature/feature-context.ts'
import { openFeatures } from './feature/features.ts'
import { openFeatureContext } from './feature/open-feature-context.ts'
import type { Journal } from './journal/journal.ts'
import { openKnowledgeFeature } from './kb/feature.ts'
import { type LearningNeeds, openLearningFeature } from './learning/feature.ts'
import { type McpNeeds, openMcpFeature } from './mcp/feature.ts'
import { type MemoryNeeds, openMemoryFeature } from './memory/feature.ts'
import type { ProvidedModels } from './model/models.ts'
import { programFolder } from './path/program-folder.ts'
import { openCalls } from './pipeline/open-calls.ts'
import type { ReadyCall } from './pipeline/prepared-call.ts'
import { openRegistry } from './pipeline/registry.ts'
import { openQuestionFeature } from './question/feature.ts'
import { openRecall } from './recall/recall.ts'
import { type ReachCrashPoint, crashPoint as reportCrashPoint } from './run/crashpoint.ts'
import { openReadyRuns } from './run/open-runs.ts'
import { openRecovery } from './run/recovery/open-recovery.ts'
import { openSkillFeature } from './skill/feature.ts'
import { openTodoFeature } from './todo/feature.ts'
import { openToolsFeature } from './tools/feature.ts'
import { openWorkflowFeature } from './workflow/feature.ts'

export { type ReferenceExecutor, type ReferenceOptions, startReferenceExecutor } from './executor/reference/reference-executor.ts'
export { type OpenChannel, type OpenWindow, serveChannel, serveWindow as startRuntime, type WindowOptions } from './host/window.ts'
export type { ProvidedModels as OfferedModels } from './model/models.ts'
export { FolderInUseError } from './store/store.ts'

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
  /** Beside the built-in ones; the same ones at every start. */
  readonly features?: readonly ((ground: FeatureContext) => Feature)[]
  /** For tests that strike the runtime down; the product passes by. */
  readonly crashPoint?: ReachCrashPoint
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
  offerModels(models: ProvidedModels): void
  /** Tries to get out of the sandbox, now and not before the first command, and logs what does not hold. */
  testSandbox(): Promise<void>
  /** Once: every further call returns the same promise. */
  stop(): Promise<void>
}

/** Throws `FolderInUseError` while another runtime holds the folder. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const { home, workspace, environment, log, clock = systemClock, life = 'resident', crashPoint = reportCrashPoint } = options
  const { version } = manifest
  const ground = openFeatureContext({ home, environment, clock, life, log })
  const { store, records, journal, events, bus, lifecycle, settings, scheduler } = ground
  const models = openModelAccess(ground)
  const recall = openRecall({ ...ground, model: models.current, address: () => models.known()?.base_url ?? null })
  const registry = openRegistry()
  const features = openFeatures({ ...ground, registry })

  // What people write, and the folders they work in.
  const usedFolders = () => offeredFolders(journal.conversations.folders(20), { home, program: programFolder() })
  const workspaces = openWorkspaces(home, workspace, ground.user_home, () => usedFolders().map(({ path }) => path))
  const writing = openWriting({ store, journal, workspaces, scheduler, clock })
  const agents = openAgents(store, records, lifecycle)
  const approvals = openApprovals(store)

  // Tools, and what holds their calls.
  const { processes, imagesToModels } = features.add(openToolsFeature(ground, { remote: () => executors.remote }))
  const { questions } = features.add(openQuestionFeature(ground))
  const isRestricted = ({ policy }: ReadyCall) => calls.sandbox.enforcement(policy.sandbox_mode) === 'os'
  const recovery = openRecovery(ground, {
    ...{ approvals, registry, processOf: processes.runningFor, isRestricted },
    before: () => teams.undoMerges(),
  })
  const { checkpoints, points } = recovery
  const calls = openCalls(ground, {
    registry,
    policyLayers: features.policyLayers,
    agents,
    starterOf: (run_id) => teams.parentOf(run_id) ?? workflow.starterOf(run_id),
    planCheckpoint: points.plan,
    isWeaker: checkpoints.isWeaker,
    readableFolders: (run) => skills.folders(run),
    remoteGrant: (agent_id, executor) => executors.remote.grantOf(agent_id, executor),
    keepPicture: (bytes) => writing.blobs.keep('picture', bytes),
  })

  // Features.
  const { todos } = features.add(openTodoFeature(ground))
  features.add(openCatalogFeature(ground, models))
  const ofTeams: Pick<McpNeeds, 'reserve' | 'originOf'> = {
    reserve: (run, tokens) => teams.reserveTokens(run, tokens),
    originOf: (folder) => teams.originOf(folder),
  }
  const mcp = features.add(openMcpFeature(ground, { ...calls, ...models, ...ofTeams, registry, workspace, workspaces, version, questions }))
  const executors = features.add(
    openExecutorFeature(ground, { version, workspace, isAgent: (agent_id) => agents.get(agent_id) !== undefined }),
  )
  const skills = features.add(
    openSkillFeature(ground, { ...models, bindings: features.bindings, agents, workspaces, executors: executors.list }),
  )
  executors.onChange(skills.abilitiesChanged)
  const whileRunning = { compact: (conversation_id: string) => runs.compact(conversation_id), isRunActive: () => runs.isActive() }
  const verdictOf: MemoryNeeds['verdictOf'] = (run_id) => learning.verdictOf(run_id)
  const corrected: MemoryNeeds['corrected'] = (run_id) => learning.corrected(run_id)
  const given: Pick<MemoryNeeds, 'skillText' | 'attachment' | 'eraseCopies'> = {
    skillText: skills.textOf,
    attachment: writing.blobs.find,
    eraseCopies({ memory_ids, message_ids, run_ids, isOf }) {
      learning.eraseWritebacks(memory_ids, run_ids, isOf)
      evolution.eraseSayings(message_ids)
    },
  }
  const memory = features.add(openMemoryFeature(ground, { ...models, ...whileRunning, ...given, recall, agents, verdictOf, corrected }))
  const advanceSkills: LearningNeeds['advanceSkills'] = (agent_id) => evolution.advance(agent_id)
  const learning = features.add(openLearningFeature(ground, { ...calls, registry, agents, memory, advanceSkills }))
  const knowledge = features.add(openKnowledgeFeature(ground, { ...calls, recall, agents, workspaces }))
  const workflow = features.add(openWorkflowFeature(ground, { ...calls, registry, agents, runs: () => runs, folder: workspaces.resolve }))
  const evolution = features.add(
    openEvolutionFeature(ground, {
      ...{ checkpoints, recall, policies: calls.policies, workflows: workflow, background: memory.background },
      ...{ isExcluded: learning.isExcluded, triggerOf: learning.triggerOf, outcomeOf: learning.outcomeOf },
      ...{ skills: skills.rollout, skillsFor: skills.known, skillsChanged: skills.bindingsChanged },
      gapCandidates: { ...learning.gaps, sourceAt: knowledge.sourceAt },
      toolNames: () => registry.list().map(({ name }) => name),
      agentOf: (agent_id) => agents.get(agent_id)?.agent,
    }),
  )
  const teams = features.add(
    openTeamFeature(ground, {
      ...{ agents, approvals, questions, checkpoints, isRestricted, runs: () => runs, defaultModel: models.defaultModel },
      backgroundCommandOf: processes.backgroundOf,
      isOfFolder: mcp.isOfFolder,
      missing: writing.missing,
      start: (request) => startRun(request),
    }),
  )
  const hasAccount = () => models.account.who() !== null
  const { clearConversation: clearMemories } = memory
  features.add(openDeletionFeature(ground, { checkpoints, recall, teams, clearMemories, hasAccount, runs: () => runs }))
  for (const open of options.features ?? []) features.add(open(ground))

  // Runs.
  const runs = openReadyRuns(ground, {
    ...{ registry, features, calls, recovery, approvals, questions, agents, crashPoint },
    ...models,
    carrierOf: workflow.carrierOf,
    isAwaited: (run_id) => workflow.isAwaited(teams.rootOf(run_id)),
    team: teams.team,
    todos: todos.list,
    attachment: writing.blobs.find,
    toolBudget: mcp.toolBudget,
    imagesToModels,
    ready: (folders) => Promise.all([mcp.serve(folders), models.ready(), executors.serve()]),
  })
  const ready = recovery.ready()
  const startRun: typeof runs.start = async (request) => {
    const written = teams.writtenTo(request)
    if (written) return { ok: true, value: written }
    return writing.missing(request.attachments) ?? (await skills.refusal(request)) ?? (await runs.start(request))
  }

  // The cloud: asleep until somebody signs in.
  const cloud = features.add(
    openCloud({
      ...{ ...ground, ...models, version, agents, workspaces },
      runs: { start: startRun, cancel: runs.cancel },
      workflows: workflow.cloud,
      mcpServersChanged: mcp.definitionsChanged,
      skillBindingsChanged: skills.bindingsChanged,
      textsWiped: async () => void (await Promise.all([recall.rebuild(), knowledge.wiped()])),
    }),
  )
  features.add(cloud.tasks)

  // Commands.
  const about = aboutRuntime({
    ...{ clock, log, sandbox: calls.sandbox, model: models.known, parked: lifecycle.parked },
    ...{ states: features.states, executors: executors.list },
  })
  const commands = openCommands(
    {
      ...{ store, journal, events, agents, questions, approvals, settings, workspaces, about, tools: registry },
      ...{ policies: calls.policies, callPolicies: calls.callPolicies },
      runs: { ...runs, ...teams.control, start: startRun },
      others: {
        ...checkpointHandlers({ ...runs, journal, checkpoints, ready, workspaces, teams }),
        ...changeHandlers({ ...runs, journal, checkpoints, ready, home, newId: store.newId }),
        ...writing.handlers,
        ...folderHandlers({ ...ground, workspaces, started_at: clock.now() }),
        ...features.commands(),
      },
    },
    { log },
  )

  cloud.begin()
  executors.begin()
  // A process that lives for one command delivers when that has printed its result: in `stop`.
  if (life === 'resident') lifecycle.begin()

  async function stop(): Promise<void> {
    await ready
    await runs.stop()
    await scheduler.stop()
    await lifecycle.stop({ within_ms: lastDelivery_ms })
    await recovery.retainBeforeEnd()
    await features.stop()
    await recall.stop()
    await calls.sandbox.stop()
    await recovery.stop()
    models.close()
    calls.temps.close()
    store.close()
  }
  let stopped: Promise<void> | null = null

  return {
    ...{ home, clock, commands, bus, events, journal },
    file: writing.blobs.find,
    settled: runs.settled,
    offerModels: models.offer,
    testSandbox: about.testSandbox,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
