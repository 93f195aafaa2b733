// Assembles what calls need: policies, sandbox, registry and pipeline.
import { tmpdir } from 'node:os'
import { commandTargets } from '../checkpoint/command/command-targets.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { PolicyLayer } from '../feature/policy-layer.ts'
import { type AgentChanges, openAgentChanges } from '../policy/agent-changes.ts'
import { type CallPolicies, openCallPolicies, strictModeLayer } from '../policy/call-policies.ts'
import { openDecider } from '../policy/decider.ts'
import { defaultApprovalMode } from '../policy/default-approval-mode.ts'
import { isExecutedByOthers, protectedPathNames } from '../policy/executed-files.ts'
import { openLocalRules, openPolicies, type Policies } from '../policy/policies.ts'
import { openRates } from '../policy/rate.ts'
import { startedCalls } from '../policy/started-calls.ts'
import { type StarterLayerPorts, starterLayer } from '../policy/starter-layer.ts'
import { type TeamGrantPorts, teamGrant } from '../policy/team-grant.ts'
import { environmentHash } from '../sandbox/command/environment.ts'
import { type CommandSandbox, openCommandSandbox } from '../sandbox/command/sandbox.ts'
import { openFiles } from '../sandbox/files/scoped-files.ts'
import { openNetwork } from '../sandbox/network/scoped-network.ts'
import { openRunTemps, type RunTempFolders } from '../sandbox/run-temps.ts'
import { openSpool } from '../store/spool.ts'
import { openPipeline, type Pipeline, type PipelinePorts } from './pipeline.ts'
import type { ToolRegistry } from './registry.ts'
import { openMismatch } from './validate.ts'

export interface CallNeeds extends Pick<PipelinePorts, 'planCheckpoint' | 'isWeaker' | 'readableFolders'> {
  readonly registry: ToolRegistry
  /** The policy layers of the features; grows while features are added. */
  readonly policyLayers: readonly PolicyLayer[]
  readonly agents: StarterLayerPorts['agents']
  /** The run that started a run; a run may do no more than that one. */
  readonly starterOf: StarterLayerPorts['starterOf']
  /** Whether an agent may use a remote executor. */
  readonly remoteGrant: TeamGrantPorts['grantOf']
  /** Stores an image that a tool took. */
  keepPicture(bytes: Uint8Array): string
}

export interface Calls {
  readonly policies: Policies
  readonly callPolicies: CallPolicies
  /** What calls changed on disk. */
  readonly changes: AgentChanges
  readonly sandbox: CommandSandbox
  readonly temps: RunTempFolders
  readonly pipeline: Pipeline
}

export function openCalls(
  ground: FeatureContext,
  { registry, policyLayers, agents, starterOf, remoteGrant, keepPicture, ...recovery }: CallNeeds,
): Calls {
  const { home, environment, clock, store, records, journal, log } = ground
  const policies = openPolicies(
    records,
    openLocalRules(store),
    (tool) => registry.get(tool)?.limits.seconds ?? null,
    (tool) => defaultApprovalMode(records, tool),
  )
  const startedRuns = starterLayer({ starterOf, journal, agents, callPolicies: () => callPolicies })
  const callPolicies: CallPolicies = openCallPolicies({ policies, layers: () => [...policyLayers, startedRuns, strictModeLayer], log })
  const rates = openRates(clock, startedCalls(store))
  const changes = openAgentChanges(store)
  const temps = openRunTemps(home, tmpdir(), store.device_id)
  const sandbox = openCommandSandbox({ clock, home, temp: tmpdir(), environment, frozen: protectedPathNames })
  const pipeline = openPipeline({
    ...recovery,
    clock,
    home,
    registry,
    wholes: journal.wholes,
    policyOf: callPolicies.of,
    takeRate: rates.take,
    giveRateBack: rates.release,
    environment: environmentHash(environment),
    approved: ({ instructions }) => changes.approve(instructions),
    decide: openDecider({
      ...{ ...sandbox, changes, targetsOf: (command, cwd) => commandTargets(command, cwd).targets },
      remoteGrant: teamGrant({ starterOf, journal, grantOf: remoteGrant }),
    }),
    givesPower: isExecutedByOthers,
    mismatch: openMismatch(log),
    log,
    ports(scope) {
      const files = atFirstUse(() => openFiles(scope))
      const network = atFirstUse(() => openNetwork(scope))
      const commands = atFirstUse(() => sandbox.runner(scope))
      return {
        get files() {
          return files()
        },
        get network() {
          return network()
        },
        get commands() {
          return commands()
        },
        spool: (name) => openSpool(temps.outputs(scope.ids.run_id), `${scope.ids.call_id}-${name}`),
        keepPicture,
      }
    },
  })
  return { policies, callPolicies, changes, sandbox, temps, pipeline }
}

/** Most calls use one of their ports; the others are never opened. */
function atFirstUse<Port extends object>(open: () => Port): () => Port {
  let opened: Port | null = null
  return () => {
    opened ??= open()
    return opened
  }
}
