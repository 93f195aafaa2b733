// The sandbox of jobs: the one that commands on a user's own device have, with the folder of the job as its workspace.
import { tmpdir } from 'node:os'
import type { CommandSpec, Enforcement, RunningCommand } from '../../../call/commands.ts'
import type { CallScope } from '../../../call/scope.ts'
import type { Clock } from '../../../clock/clock.ts'
import { openCommandSandbox } from '../../../sandbox/command/sandbox.ts'
import type { JobFolder } from './job-record.ts'

export interface JobSandbox {
  enforcement(): Enforcement
  start(folder: JobFolder, job_id: string, spec: CommandSpec & { readonly signal: AbortSignal }): Promise<RunningCommand>
  /** Whether it really restricts: tried at the start, so that clients are not promised something else. */
  test(): Promise<void>
  stop(): Promise<void>
}

export interface JobSandboxOptions {
  readonly clock: Clock
  /** Tandem's folder: jobs see nothing in it but their own. */
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Patterns of hosts that jobs may access. */
  readonly hosts: readonly string[]
  /** The owner of the machine allows jobs without a sandbox. */
  readonly unrestricted: boolean
}

/** Ends what an executor that was killed left running. */
export function openJobSandbox({ clock, home, environment, hosts, unrestricted }: JobSandboxOptions): JobSandbox {
  const sandbox = openCommandSandbox({ clock, home, temp: tmpdir(), environment })
  const sandbox_mode = unrestricted ? 'trusted' : 'workspace'
  return {
    enforcement: () => sandbox.enforcement(sandbox_mode),
    async test() {
      if (!unrestricted) await sandbox.selfTest()
    },
    async start(folder, job_id, { signal, ...spec }) {
      if (!unrestricted && sandbox.enforcement(sandbox_mode) !== 'os')
        throw new Error(
          'The executor has no working sandbox, so it runs nothing. Its owner can install one, or start it with --no-sandbox.',
        )
      const scope: CallScope = {
        ids: { agent_id: '', conversation_id: '', run_id: job_id, call_id: job_id },
        tool: 'shell.exec',
        workspace: folder.work,
        temp: folder.temp,
        home,
        sandbox_mode,
        policy: {
          enabled: true,
          approval_mode: 'auto',
          rate_limit: { calls: 1, per_seconds: 1 },
          time_limit: { seconds: 1 },
          network_scope: { hosts: [...hosts] },
          fs_scope: { roots: ['.'], globs: ['**'] },
        },
        // The exit of the command has them.
        report: () => undefined,
      }
      return await sandbox.runner(scope).start(spec, signal)
    },
    stop: () => sandbox.stop(),
  }
}
