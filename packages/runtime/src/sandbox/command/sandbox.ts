// The sandbox for commands: enforces the mode and the scope with what this machine offers. Nothing of it is loaded before the first command.

import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import type { SandboxMode } from '@tandem/contract/tool'
import type { CommandRunner, CommandSpec, Enforcement, RunningCommand } from '../../call/commands.ts'
import { Refused } from '../../call/failure.ts'
import type { CallScope, Violation } from '../../call/scope.ts'
import type { Clock } from '../../clock/clock.ts'
import { realPath } from '../../path/real-path.ts'
import type { Backend } from './backend.ts'
import { chooseBackend, isInstalled } from './choose-backend.ts'
import { sweepControlGroups } from './control-group.ts'
import { cleanEnvironment } from './environment.ts'
import { fileAccessOf } from './file-access.ts'
import { hostList } from './hosts.ts'
import { unlessOrphaned } from './life-pipe.ts'
import { openOrphanReaper } from './orphan-reaper.ts'
import { acquirePlaceholders } from './placeholders.ts'
import { newProtectedPaths, protectionOf, unprotectedIn } from './protected-paths.ts'
import { openRunningRecords } from './running-records.ts'
import { describeFailure, remedyFor, runSelfTest, type SandboxReport } from './self-test.ts'
import { openSelfTestCache } from './self-test-cache.ts'
import { startCommand } from './started-command.ts'
import { withoutRepeats, writeViolations } from './violations.ts'

export type { SandboxReport } from './self-test.ts'

export interface CommandSandbox {
  runner(scope: CallScope): CommandRunner
  /** Whether the operating system restricts commands in this mode to their scope. */
  enforcement(mode: SandboxMode): Enforcement
  /** What commands in this folder can change although it should be protected from them, one sentence each. */
  unprotected(workspace: string): readonly string[]
  /** Prepares what a command in this mode needs; errors are reported when a command is started. */
  warm(mode: SandboxMode): void
  /** Runs the self-test once; later calls get the same result. Commands may use a stored result. */
  selfTest(): Promise<SandboxReport>
  /** Ends every command that still runs. */
  stop(): Promise<void>
}

export interface CommandSandboxOptions {
  readonly clock: Clock
  /** Tandem's own folder, which the self-test tries to read. */
  readonly home: string
  /** Where the self-test creates its folders. */
  readonly temp: string
  /** The variables that commands may get; by default those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Names that no command can change, below any folder of the workspace: files that other programs run. */
  readonly frozen?: readonly string[]
  /** Chooses the backend; by default the best one that works here. */
  readonly choose?: typeof chooseBackend
}

interface Proven {
  readonly backend: Backend | null
  readonly report: SandboxReport
}

export function openCommandSandbox(options: CommandSandboxOptions): CommandSandbox {
  const { clock, home, temp, environment = process.env, frozen = [], choose = chooseBackend } = options
  const running = new Set<RunningCommand>()
  let proving: Promise<Proven> | null = null
  let known: SandboxReport | null = null
  let trial = false
  const proof = openSelfTestCache({ home, clock })
  const records = openRunningRecords(home)
  const will = openOrphanReaper()
  // Before any run continues: commands of a killed runtime must not run at the same time.
  records.sweep()
  sweepControlGroups(isAlive)

  function prove(): Promise<Proven> {
    proving ??= (async () => {
      const before = proof.remembered()
      const { backend, missing } = await choose(before?.backend === 'sandbox-runtime')
      if (!before || missing !== '' || before.backend !== backend?.name) return await tried(backend, missing)
      known = before
      return { backend, report: before }
    })()
    return proving
  }

  /** A backend is used only if its self-test passes; otherwise it is closed. */
  async function tried(backend: Backend | null, missing: string): Promise<Proven> {
    trial = true
    const report = backend ? { ...(await runSelfTest({ backend, clock, home, temp })), detail: missing } : absent(missing)
    known = report
    if (report.state === 'enforced') {
      proof.remember(report)
      return { backend, report }
    }
    await backend?.stop()
    return { backend: null, report }
  }

  /** With all that a backend needs, not only what the commands until now have needed. */
  async function triedAgain(before: Backend | null): Promise<Proven> {
    const { backend, missing } = await choose()
    await before?.stop()
    return await tried(backend, missing)
  }

  async function selfTest(): Promise<SandboxReport> {
    const { backend } = await prove()
    if (!trial) proving = triedAgain(backend)
    return (await prove()).report
  }

  /** Before the self-test, depends on what is installed; afterwards, on its result. */
  function isEnforced(): boolean {
    return known ? known.state === 'enforced' : isInstalled()
  }

  async function backendFor(scope: CallScope, promised: CommandRunner['enforcement']): Promise<Backend | null> {
    if (scope.sandbox_mode === 'trusted') return null
    if (scope.sandbox_mode === 'workspace' && promised === 'none') return null
    const { backend, report } = await prove()
    if (backend) return backend
    throw new Refused('sandbox_unavailable', `Commands cannot be restricted on this machine: ${describeFailure(report)}.`, {
      subject: scope.tool,
      remedy: report.remedy,
      blocked_by: 'sandbox',
      attempted: 'execute',
    })
  }

  async function start(scope: CallScope, spec: CommandSpec, signal: AbortSignal, promised: CommandRunner['enforcement']) {
    signal.throwIfAborted()
    const backend = await backendFor(scope, promised)
    const violations: Violation[] = []
    const report = (violation: Violation) => {
      violations.push(violation)
      scope.report(violation)
    }
    if (!backend) report({ attempted: 'execute', resource: spec.argv.join(' ').slice(0, 500), blocked: false })
    const protect = () => protectionOf(realpathSync(scope.workspace), spec.cwd, frozen)
    const protection = backend ? protect() : null
    const held = acquirePlaceholders(protection?.missing ?? [], protection?.frozen ?? [])
    const unchangeable = [...(protection?.frozen ?? []), ...(protection?.closed ?? []), ...held.paths]
    const reach = fileAccessOf(scope, spec, { environment, frozen: unchangeable })
    const wrapping = backend?.wrap({
      argv: spec.argv,
      cwd: spec.cwd,
      temp: scope.temp,
      reach,
      hosts: hostList(scope.policy.network_scope.hosts),
      signal,
      refused: report,
    })
    const wrapped = await wrapping?.catch((error: unknown) => {
      held.release()
      throw error
    })
    const mark = randomBytes(12).toString('hex')
    const stderrTail = outputTail()
    if (signal.aborted) held.release()
    signal.throwIfAborted()
    const kept = [records.begin(mark), will.include(mark)]
    const command = await startCommand({
      argv: wrapped?.argv ?? unlessOrphaned(spec.argv),
      env: { ...cleanEnvironment(environment, scope, mark, spec.env), ...wrapped?.env },
      mark,
      contained: backend !== null && process.platform === 'linux',
      spec: {
        ...spec,
        onOutput(chunk, stream) {
          if (backend && stream === 'stderr') stderrTail.add(chunk)
          spec.onOutput(chunk, stream)
        },
      },
      clock,
      signal,
      violations() {
        for (const violation of withoutRepeats(writeViolations(stderrTail.text()))) report(violation)
        if (protection)
          for (const resource of newProtectedPaths(protection, protect())) report({ attempted: 'write', resource, blocked: false })
        return withoutRepeats(violations)
      },
      ended() {
        for (const one of kept) one.over()
        wrapped?.release()
        held.release()
      },
    })
    for (const one of kept) one.began(command.pid)
    running.add(command)
    void command.done.finally(() => running.delete(command))
    return command
  }

  const enforcementOf = (mode: SandboxMode): Enforcement => (mode !== 'trusted' && isEnforced() ? 'os' : 'none')

  return {
    runner(scope) {
      const enforcement = enforcementOf(scope.sandbox_mode)
      return { enforcement, start: (spec, signal) => start(scope, spec, signal, enforcement) }
    },
    enforcement: enforcementOf,
    unprotected: (workspace) => unprotectedIn(realPath(workspace)),
    warm(mode) {
      if (mode === 'workspace' && isEnforced()) void prove().catch(() => undefined)
    },
    selfTest,
    async stop() {
      await Promise.all([...running].map((command) => command.kill()))
      await Promise.all([...running].map((command) => command.done))
      const { backend } = (await proving) ?? { backend: null }
      await backend?.stop()
      await will.stop()
      proving = null
      known = null
      trial = false
    },
  }
}

function absent(missing: string): SandboxReport {
  return { state: 'absent', backend: null, checks: [], detail: missing, remedy: remedyFor(process.platform) }
}

/** The end of a command's output, which contains its error messages. */
function outputTail() {
  const most = 64 * 1024
  let kept = Buffer.alloc(0)
  return {
    add(chunk: Uint8Array) {
      kept = Buffer.concat([kept, chunk])
      if (kept.length > most) kept = Buffer.from(kept.subarray(kept.length - most))
    },
    text: () => kept.toString('utf8'),
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
