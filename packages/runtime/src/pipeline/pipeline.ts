// The stages of every call, whatever the tool: resolve, validate, policy, sandbox mode, checkpoint plan, approval, checkpoint, intent, run,
// bound. The loop writes the journal in between; it cannot skip a stage, because each one returns what the next one needs.
import { hash } from 'node:crypto'
import { sep } from 'node:path'
import type { FailureContract } from '@tandem/contract/failure'
import { limits } from '@tandem/contract/limits'
import { type CallPreview, type ToolOutcome, withTeamChoice } from '@tandem/contract/run'
import { canonicalJson } from '@tandem/contract/sync'
import type { ToolPolicy } from '@tandem/contract/tool'
import type { TruncatedOutput } from '@tandem/contract/tool/output'
import type { CallPolicy } from '../call/call-policy.ts'
import type { ToolContext } from '../call/context.ts'
import { ToolFailure } from '../call/failure.ts'
import { failedCall } from '../call/outcome.ts'
import type { CallIds, CallScope, Violation } from '../call/scope.ts'
import { type Effect, isReadOnly, type Tool } from '../call/tool.ts'
import { Committing, type Wait, type WaitEnd, Waiting } from '../call/wait.ts'
import type { CheckpointPlan } from '../checkpoint/plan.ts'
import type { Clock } from '../clock/clock.ts'
import type { LongTexts } from '../journal/long-texts.ts'
import type { PolicyInForce, PolicyOwner } from '../policy/call-policies.ts'
import type { Decision } from '../policy/decide.ts'
import type { DecidedCall } from '../policy/decider.ts'
import { within } from './deadline.ts'
import { canceledCall, overTime } from './ended-early.ts'
import type { AskedCall, BoundOutput, CallingRun, CallResult, Prepared, ReadyCall, RequestedCall } from './prepared-call.ts'
import { doesWhatWasShown, previewOf } from './preview.ts'
import { closedFolder, type ReadableFolders, readsOnlyInside } from './readable-folders.ts'
import { barredTool, overRate, refusedBy, unknownTool } from './refusals.ts'
import type { ToolRegistry } from './registry.ts'
import { type Mismatch, outputProblem, validated } from './validate.ts'

export interface PipelinePorts {
  readonly clock: Clock
  readonly home: string
  readonly registry: ToolRegistry
  readonly wholes: LongTexts
  /** What holds for a call of a run, with all layers. */
  policyOf(run: PolicyOwner, tool: string): PolicyInForce
  takeRate(
    agent_id: string,
    tool: string,
    limit: ToolPolicy['rate_limit'],
  ): { readonly ok: true } | { readonly ok: false; readonly wait_ms: number }
  /** The last call that was counted is not made now. */
  giveRateBack(agent_id: string, tool: string): void
  /** The decision of the policy, with what it knows about commands and about this host. */
  decide(call: DecidedCall): Promise<Decision>
  /** A fingerprint of what built-in tools use besides their arguments: the environment variables of commands. */
  readonly environment: string
  /** Whether other programs read or run what is written there. */
  givesPower?(real: string): boolean
  /** The user allowed this call, and it is about to run. */
  approved?(call: AskedCall): void
  ports(scope: CallScope): CallPorts
  /** The folders of skills that a run may read. Called when a call is prepared, and again when it runs. */
  readableFolders?(run: CallingRun): Promise<ReadableFolders>
  /** What a restore would bring back, for the approval; null for calls that change nothing on disk. */
  planCheckpoint(call: ReadyCall, run: Pick<CallingRun, 'workspace' | 'status'>): Promise<Planning>
  isWeaker(earlier: CheckpointPlan, now: CheckpointPlan): boolean
  /** The result is recorded unchanged, unless this throws. */
  readonly mismatch: Mismatch
  log(line: string): void
}

/** The ports of a call to disk, network and commands. May be getters that open a port when a tool first uses it. */
export type CallPorts = Pick<ToolContext, 'files' | 'network' | 'commands' | 'spool' | 'keepPicture'>

export type Planning =
  | { readonly ok: true; readonly plan: CheckpointPlan | null }
  | { readonly ok: false; readonly failure_contract: FailureContract }

/** The rate limit does not allow the call yet. */
export interface TooSoon {
  readonly result: CallResult
  readonly wait_ms: number
}

export interface Pipeline {
  /** Everything before the approval or the call itself. Changes nothing. */
  prepare(call: RequestedCall, run: CallingRun): Promise<Prepared>
  /** `prepare` for a call that the user allowed: everything is checked again, but the user is not asked twice. */
  recheck(call: RequestedCall, run: CallingRun, approved: Approved): Promise<Prepared>
  /** What the call would do, for the approval; null when there is nothing to show. Needs the `temp` of the run. */
  preview(call: ReadyCall, run: CallingRun): Promise<CallPreview | null>
  /** Counts the call that is about to run; null if it may run. A refused or unanswered call is not counted. */
  admit(call: ReadyCall, run: CallingRun): TooSoon | null
  /** A call that was counted needs another approval first; it is counted again when it runs. */
  postpone(call: ReadyCall, run: CallingRun): void
  execute(call: ReadyCall, run: CallingRun, live: Live): Promise<CallResult | Waiting | Committing<CallResult>>
  /** Whether a call that had started before a crash can simply be made again. */
  canRepeat(tool: string, call_id: string): boolean
  /** The result of a call that has waited. */
  resume(tool: string, wait: Wait, end: WaitEnd): Promise<CallResult | Waiting>
}

/** What the user allowed: the call that was shown, maybe with edited arguments. */
export interface Approved {
  readonly fingerprint: string
  /** The arguments that were shown. */
  readonly shown: string
  readonly edited: boolean
  readonly plan: CheckpointPlan | null
  readonly preview: CallPreview | null
}

/** What a call reports while it runs, and the signal that ends it. */
export interface Live {
  readonly signal: AbortSignal
  report(violation: Violation): void
  progress(text: string): void
}

export function openPipeline(ports: PipelinePorts): Pipeline {
  /** Null for a call that reads no files. */
  async function foldersOf(run: CallingRun, effects: readonly Effect[]): Promise<ReadableFolders | null> {
    return effects.some(({ does }) => does === 'read' || does === 'execute') ? ((await ports.readableFolders?.(run)) ?? null) : null
  }

  async function check(requested: RequestedCall, run: CallingRun): Promise<Prepared> {
    const literal = ports.registry.get(requested.tool)
    if (!literal) return refused(unknownTool(requested.tool, ports.registry))
    const barred = literal.origin?.refusal?.(run)
    if (barred) return refused(barredTool(requested.tool, barred))
    const parsed = await validated(literal, requested.arguments)
    if (!parsed.ok) return refused(parsed.failure)
    const effects = await literal.effects(parsed.input as never, { workspace: run.workspace })
    const { tool } = requested
    const { workspace } = run
    const { policy: inForce, layers, ...effective } = ports.policyOf(run, tool)
    const folders = await foldersOf(run, effects)
    const closed = folders && closedFolder(folders, tool, requested.arguments)
    if (closed) return refused(closed)
    const isOwnFolder = inForce.approval_mode === 'required' && folders !== null && readsOnlyInside(folders, effects, workspace)
    const policy: CallPolicy = isOwnFolder ? { ...inForce, approval_mode: 'auto' } : inForce
    const { sandbox_mode } = policy
    const remembered = [...(run.ignores_always ? [] : effective.remembered), ...run.remembered(tool)]
    const decision = literal.only_asks
      ? allowed
      : await ports.decide({ run, tool, origin: literal.origin, effects, workspace, sandbox_mode, policy, remembered })
    if (decision.decision === 'refuse') return refused(refusedBy(tool, decision))
    const { powers, instructions } = decision.decision === 'ask' ? decision : { powers: [], instructions: [] }
    const digest = (await literal.digest?.(parsed.input as never, { workspace })) ?? null
    const call: ReadyCall = {
      ...requested,
      literal,
      input: parsed.input,
      effects,
      looks: isReadOnly(effects),
      policy,
      layers,
      ...(run.writable ? { writable: run.writable } : {}),
      ...(folders && folders.open.length > 0 ? { readable: folders.open } : {}),
      powers,
      digest,
      fingerprint: fingerprintOf({
        tool,
        input: parsed.input,
        workspace,
        environment: literal.origin?.fingerprint() ?? ports.environment,
        digest,
        powers,
        instructions,
      }),
    }
    if (decision.decision === 'allow') {
      // Rules of this run alone are not among these.
      const covered_by = decision.covered_by?.filter((rule) => effective.remembered.includes(rule)) ?? []
      return { state: 'ready', call: covered_by.length > 0 ? { ...call, covered_by } : call }
    }
    const planning = await ports.planCheckpoint(call, run)
    if (!planning.ok) return refused(planning.failure_contract)
    const { remembers, warnings, notes } = decision
    const inTeam = run.in_team ? withTeamChoice(decision.choices) : decision.choices
    const choices = run.in_copy ? inTeam.filter((answer) => answer !== 'always') : inTeam
    return { state: 'ask', call: { ...call, choices, remembers, warnings, notes, instructions, plan: planning.plan } }
  }

  async function fingerprintOfShown(asked: AskedCall, run: CallingRun, shown: string): Promise<string | null> {
    const { call_id, tool } = asked
    const prepared = await check({ call_id, tool, arguments: shown }, run)
    return prepared.state === 'ask' || prepared.state === 'ready' ? prepared.call.fingerprint : null
  }

  /** Checked before it is shortened. A call that was stopped may have returned nothing. */
  function recorded(tool: Tool, output: unknown): BoundOutput {
    // It was stopped before the wait or the effect was recorded: there is neither.
    const made = output instanceof Waiting || output instanceof Committing ? undefined : output
    const problem = made === undefined ? null : outputProblem(tool, made)
    if (problem !== null) ports.mismatch(tool.name, problem)
    return boundOutput(made, ports.wholes)
  }

  function succeeded(tool: Tool, output: unknown): CallResult {
    return { outcome: 'succeeded', ...recorded(tool, output), failure_contract: null }
  }

  function committing(tool: Tool, { commit }: Committing): Committing<CallResult> {
    return new Committing(() => succeeded(tool, commit()))
  }

  function allow(asked: AskedCall): Prepared {
    asked.literal.origin?.approved()
    ports.approved?.(asked)
    return { state: 'ready', call: asked }
  }

  return {
    async prepare(call, run) {
      const prepared = await check(call, run)
      return prepared.state === 'ask' && run.isApproved?.(prepared.call) ? allow(prepared.call) : prepared
    },
    async recheck(call, run, approved) {
      const prepared = await check(call, run)
      // The user approved this call: no rule was used for it.
      if (prepared.state === 'ready') return { state: 'ready', call: { ...prepared.call, covered_by: [] } }
      if (prepared.state !== 'ask') return prepared
      const asked = prepared.call
      // The user allowed exactly this call. Edited arguments are the user's own; everything else must be as shown.
      const fingerprint = approved.edited ? await fingerprintOfShown(asked, run, approved.shown) : asked.fingerprint
      if (fingerprint !== approved.fingerprint) return prepared
      // The recovery point must be no weaker than the one that was shown,
      if (!approved.edited && approved.plan && asked.plan && ports.isWeaker(approved.plan, asked.plan)) return prepared
      // and the change must be the one that was shown: it is not if the file has changed since.
      if (!approved.edited && approved.preview && !doesWhatWasShown(approved.preview, await previewOf(ports, asked, run))) return prepared
      return allow(asked)
    },
    preview: (call, run) => previewOf(ports, call, run),
    canRepeat: (tool, call_id) => ports.registry.get(tool)?.repeats?.(call_id) ?? false,
    admit({ tool, policy, literal }, run) {
      if (literal.only_asks) return null
      const rate = ports.takeRate(run.agent_id, tool, policy.rate_limit)
      if (rate.ok) return null
      const { wait_ms } = rate
      return { result: withoutOutput('denied', overRate(tool, policy, wait_ms)), wait_ms }
    },
    postpone: ({ tool }, run) => ports.giveRateBack(run.agent_id, tool),
    async execute(call, run, { signal, report, progress }) {
      const ids: CallIds = { agent_id: run.agent_id, conversation_id: run.conversation_id, run_id: run.run_id, call_id: call.call_id }
      const { workspace, temp } = run
      const { tool, policy, powers } = call
      const { sandbox_mode } = policy
      // The skill may have changed since the call was prepared, for example while it waited for its approval.
      const folders = await foldersOf(run, call.effects)
      const closed = folders && closedFolder(folders, tool, call.arguments)
      if (closed) return withoutOutput('failed', closed)
      const unseenPower = (real: string) => ports.givesPower?.(real) === true && !powers.some((seen) => isSameWay(real, seen))
      const scope: CallScope = {
        ids,
        tool,
        workspace,
        temp,
        home: ports.home,
        policy,
        sandbox_mode,
        report,
        isUnapprovedProtectedPath: unseenPower,
        ...(call.writable ? { writable: call.writable } : {}),
        ...(folders && folders.open.length > 0 ? { readable: folders.open } : {}),
      }
      const ended = await within(ports.clock, call.policy.time_limit.seconds, signal, (stop) =>
        call.literal.run(
          call.input as never,
          contextOf(scope, ports.ports(scope), {
            signal: stop,
            clock: ports.clock,
            progress,
            ...(call.digest === null ? {} : { digest: call.digest }),
          }),
        ),
      )
      switch (ended.how) {
        case 'returned':
          if (ended.value instanceof Waiting && canWait(call.literal, ended.value)) return ended.value
          if (ended.value instanceof Waiting) return brokenWait(tool)
          return ended.value instanceof Committing ? committing(call.literal, ended.value) : succeeded(call.literal, ended.value)
        case 'threw': {
          const { outcome, failure_contract, output } = failedCall(call.tool, ended.error)
          return { outcome, ...boundOutput(output, ports.wholes), failure_contract }
        }
        case 'timed_out':
          return { outcome: 'timed_out', ...recorded(call.literal, ended.value), failure_contract: overTime(call) }
        case 'canceled':
          return { outcome: 'canceled', ...recorded(call.literal, ended.value), failure_contract: canceledCall(call.tool) }
      }
    },
    async resume(tool, wait, end) {
      const literal = ports.registry.get(tool)
      let output: unknown
      try {
        if (!literal?.resumed) throw new ToolFailure('tool_missing', `${tool} is no longer available. What it waited for has ended.`)
        output = await literal.resumed(wait, end)
      } catch (error) {
        const { outcome, failure_contract, output: shown } = failedCall(tool, error)
        return { outcome, ...boundOutput(shown, ports.wholes), failure_contract }
      }
      if (output instanceof Waiting) return canWait(literal, output) ? output : brokenWait(tool)
      return succeeded(literal, output)
    },
  }
}

/** A tool cannot wait for an approval, and it must be able to continue after its wait. */
function canWait(tool: Tool, { wait }: Waiting): boolean {
  return tool.resumed !== undefined && wait.for !== 'approval' && (wait.until === undefined || Number.isSafeInteger(wait.until))
}

function brokenWait(tool: string): CallResult {
  const { outcome, failure_contract } = failedCall(tool, new Error('the tool returned a wait that cannot end'))
  return withoutOutput(outcome, failure_contract)
}

/** Spreading the ports would open all of them. */
function contextOf(scope: CallScope, ports: CallPorts, live: Pick<ToolContext, 'signal' | 'clock' | 'progress' | 'digest'>): ToolContext {
  const { spool, keepPicture } = ports
  return {
    ...scope,
    ...live,
    get files() {
      return ports.files
    },
    get network() {
      return ports.network
    },
    get commands() {
      return ports.commands
    },
    spool,
    ...(keepPicture ? { keepPicture } : {}),
  }
}

const allowed: Decision = { decision: 'allow' }

interface FingerprintedCall {
  readonly tool: string
  readonly input: unknown
  readonly workspace: string
  readonly environment: string
  readonly digest: string | null
  readonly powers: readonly string[]
  readonly instructions: readonly string[]
}

/** Binds an approval to what will run: the tool, its arguments, what they refer to now, the workspace and the environment. */
function fingerprintOf(call: FingerprintedCall): string {
  return hash('sha256', canonicalJson(call))
}

/** The path that was shown, paths below it, and the folders created above it. */
function isSameWay(real: string, seen: string): boolean {
  return `${real}${sep}`.startsWith(`${seen}${sep}`) || `${seen}${sep}`.startsWith(`${real}${sep}`)
}

function refused(failure_contract: FailureContract): Prepared {
  const denied = failure_contract.taxonomy === 'policy_failure' || failure_contract.taxonomy === 'sandbox_failure'
  return { state: 'refused', result: withoutOutput(denied ? 'denied' : 'failed', failure_contract) }
}

export function withoutOutput(outcome: Exclude<ToolOutcome, 'succeeded'>, failure_contract: FailureContract): CallResult {
  return { outcome, output: null, output_file: null, truncated: false, failure_contract }
}

const shownCharacters = 16 * 1024

function boundOutput(output: unknown, wholes: LongTexts): BoundOutput {
  const text = JSON.stringify(output) ?? 'null'
  if (Buffer.byteLength(text) <= limits.tool_output_bytes) return { output: output ?? null, output_file: null, truncated: false }
  return {
    output: {
      beginning: text.slice(0, shownCharacters),
      end: text.slice(-shownCharacters),
      characters: text.length,
    } satisfies TruncatedOutput,
    output_file: wholes.keepFile(text),
    truncated: true,
  }
}
