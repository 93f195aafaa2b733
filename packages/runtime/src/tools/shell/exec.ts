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
      'Run a bash command in the workspace and read its exit code and output. Nothing can be typed into it: do not start editors, pagers or prompts. Name the folder in cwd instead of using cd. With background it runs on and is read with process.list. Its writes and its network are held to the scope of the run.',
    input: Type.Object(
      {
        command: Type.String({ minLength: 1, maxLength: 30_000, description: 'Text for bash; longer text goes to script.run' }),
        ...processInput,
        background: Type.Optional(
          Type.Boolean({ description: 'Answer at once with a process id and let it run on, for servers and watchers' }),
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
