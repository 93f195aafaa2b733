import { ShellExecOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { defineTool, type Tool } from '../../call/tool.ts'
import { commandPreview } from './command-preview.ts'
import { presentCommand } from './command-result.ts'
import { processInput } from './process-input.ts'
import type { Processes } from './processes.ts'
import { runProcess } from './run-process.ts'

export function shellExec(processes: Processes): Tool {
  return defineTool({
    name: 'shell.exec',
    summary:
      'Run a bash command in the workspace and return its exit code and output. It has no interactive input: do not start editors, pagers or prompts. Set `cwd` instead of using cd. With `background` it keeps running, and process.list returns its output. Its file writes and network access are restricted to the scope of the run.',
    input: Type.Object(
      {
        command: Type.String({ minLength: 1, maxLength: 30_000, description: 'The bash command; for longer text use script.run' }),
        ...processInput,
        background: Type.Optional(
          Type.Boolean({ description: 'Return immediately with a process id while it keeps running, for servers and watchers' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: ShellExecOutput,
    effects: ({ command, cwd = '.' }) => [{ does: 'execute', command, cwd, language: 'shell' }],
    preview: (input, context) => commandPreview({ ...input, language: null, source: true }, context),
    limits: { seconds: 600 },
    async run({ command, cwd = '.', timeout_seconds, background = false }, context) {
      return runProcess(processes, context, {
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
