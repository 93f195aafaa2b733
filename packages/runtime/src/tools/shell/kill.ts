import { cutText, previewLimits } from '@tandem/contract/run'
import { ProcessKillOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool, type Tool } from '../../call/tool.ts'
import type { Processes } from './processes.ts'

export function processKill(processes: Processes): Tool {
  return defineTool({
    name: 'process.kill',
    summary:
      'End a process that this run started, and all its child processes. They receive SIGTERM, and SIGKILL if they are still running after two seconds. Other processes, including those of other runs, are never affected.',
    input: Type.Object(
      {
        process_id: Type.Optional(
          Type.String({ minLength: 1, maxLength: 100, description: 'The id from shell.exec, script.run or process.list' }),
        ),
        pid: Type.Optional(
          Type.Integer({ minimum: 1, description: 'The pid of the process or of one of its child processes, instead of `process_id`' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: ProcessKillOutput,
    effects: ({ process_id, pid }) => [{ does: 'signal', pid: pid ?? (process_id === undefined ? 0 : processes.pidOf(process_id)) }],
    async preview({ process_id, pid }, { ids }) {
      const found = processes.find(ids.run_id, { process_id, pid })
      if (!found) return null
      const { text } = cutText(found.facts.command, previewLimits.text_characters)
      return { kind: 'process', pid: pid ?? found.facts.pid, command: text }
    },
    limits: { seconds: 15 },
    async run({ process_id, pid }, { ids }) {
      if ((process_id === undefined) === (pid === undefined)) {
        throw new ToolFailure('invalid_input', 'process.kill requires either `process_id` or `pid`', {
          remedy: 'Pass exactly one of the two.',
        })
      }
      const found = processes.find(ids.run_id, { process_id, pid })
      if (!found) {
        const subject = process_id ?? `pid ${pid}`
        throw new ToolFailure('not_ours', `${subject} was not started by this run`, {
          subject,
          remedy: 'Only processes that process.list shows can be ended. Ask the user to end others.',
          recoverability: 'user_action',
        })
      }
      await found.kill()
      return (await found.ended).facts
    },
  })
}
