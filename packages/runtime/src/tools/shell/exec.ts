import { ShellExecOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import type { RemoteCommands } from '../../call/remote.ts'
import { defineTool, type Tool } from '../../call/tool.ts'
import { commandPreview } from './command-preview.ts'
import { presentCommand } from './command-result.ts'
import { processInput } from './process-input.ts'
import type { Processes } from './processes.ts'
import { runProcess } from './run-process.ts'
import { checkRemoteInput, remoteDigest, remoteEffects, remoteInput, runRemotely } from './run-remotely.ts'

export function shellExec(processes: Processes, remote: () => RemoteCommands): Tool {
  return defineTool({
    name: 'shell.exec',
    summary:
      'Run a bash command in the workspace and return its exit code and output. It has no interactive input: do not start editors, pagers or prompts. Set `cwd` instead of using cd. With `background` it keeps running, and process.list returns its output. Its file writes and network access are restricted to the scope of the run.',
    input: Type.Object(
      {
        command: Type.String({ minLength: 1, maxLength: 30_000, description: 'The bash command; for longer text use script.run' }),
        ...processInput,
        ...remoteInput,
        background: Type.Optional(
          Type.Boolean({ description: 'Return immediately with a process id while it keeps running, for servers and watchers' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: ShellExecOutput,
    effects: ({ command, cwd = '.', ...input }) => remoteEffects(input, command) ?? [{ does: 'execute', command, cwd, language: 'shell' }],
    digest: (input, place) => remoteDigest(remote(), input, place),
    repeats: (call_id) => remote().isOpen(call_id),
    async preview(input, context) {
      checkRemoteInput(input)
      return await commandPreview({ ...input, language: null, source: true }, context)
    },
    limits: { seconds: 600 },
    async run(input, context) {
      checkRemoteInput(input)
      const { command, cwd = '.', timeout_seconds, background = false, executor } = input
      if (executor !== undefined)
        return await runRemotely(remote(), context, { input, programs: ['bash'], source: null, args: ['-c', command] })
      return await runProcess(processes, context, {
        argv: ['bash', '-c', command],
        command,
        cwd: await context.files.locate(cwd, 'read'),
        background,
        timeout_seconds,
      })
    },
    present: presentCommand,
  })
}
