// A workspace, a temporary folder and a home of Tandem for tests that start real commands.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxMode } from '@tandem/contract/tool'
import { defaultToolPolicy } from '@tandem/contract/tool'
import type { CommandExit, CommandRunner, CommandSpec } from '../../../../src/call/commands.ts'
import type { CallScope, Violation } from '../../../../src/call/scope.ts'

export interface CommandTestEnvironment {
  readonly root: string
  readonly workspace: string
  readonly temp: string
  readonly home: string
  readonly outside: string
  readonly reported: Violation[]
  scope(change?: { sandbox_mode?: SandboxMode; hosts?: string[]; roots?: string[] }): CallScope
  remove(): void
}

export function createCommandTestEnvironment(): CommandTestEnvironment {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-command-')))
  const [workspace = '', temp = '', home = '', outside = ''] = ['workspace', 'temp', 'home', 'outside'].map((name) => join(root, name))
  for (const folder of [workspace, temp, home, outside]) mkdirSync(folder)
  writeFileSync(join(home, 'runtime.db'), 'secret of the home')
  writeFileSync(join(outside, 'neighbour.txt'), 'not ours')
  const reported: Violation[] = []
  return {
    root,
    workspace,
    temp,
    home,
    outside,
    reported,
    scope: ({ sandbox_mode = 'workspace', hosts = [], roots = ['.'] } = {}) => ({
      ids: { agent_id: 'agent', conversation_id: 'conversation', run_id: 'run', call_id: 'call' },
      tool: 'shell.exec',
      workspace,
      temp,
      home,
      policy: { ...defaultToolPolicy('shell.exec'), network_scope: { hosts }, fs_scope: { roots, globs: ['**'] } },
      sandbox_mode,
      report: (violation) => reported.push(violation),
    }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export interface CommandOutput {
  readonly exit: CommandExit
  readonly stdout: string
  readonly stderr: string
}

export async function runText(
  runner: CommandRunner,
  text: string,
  cwd: string,
  more: { signal?: AbortSignal; stdin?: string; env?: CommandSpec['env'] } = {},
): Promise<CommandOutput> {
  const out = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] }
  const command = await runner.start(
    {
      argv: ['bash', '-c', text],
      cwd,
      stdin: more.stdin ?? '',
      ...(more.env ? { env: more.env } : {}),
      onOutput: (chunk, stream) => out[stream].push(chunk),
    },
    more.signal ?? new AbortController().signal,
  )
  const exit = await command.done
  return { exit, stdout: Buffer.concat(out.stdout).toString('utf8'), stderr: Buffer.concat(out.stderr).toString('utf8') }
}
