import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandError, CommandParams } from '@tandem/contract/command'
import { sandboxModes } from '@tandem/contract/tool'
import { readAttachments, uploadAttachments } from '../run/attachments.ts'
import { exitCodes } from '../run/exit-code.ts'
import { followInTerminal } from '../run/run-session.ts'
import { yesHelp } from '../run/yes-option.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { findAgent } from './agents.ts'

const usage = `${explainedUsage(
  'tandem run [--agent NAME] [--conversation ID] [--workspace DIR] [--model NAME] [--sandbox MODE] [--attach FILE]… [--yes] [--json] "what to do" | -',
  'Gives an agent a task and follows its progress. With -, the task is read from standard input.',
  '--conversation: continue this conversation, with its agent. --workspace: the folder to work in; the default is the current one.',
  `--model: a model for this run only. --sandbox: ${sandboxModes.join(', ')}; the default is that of the agent. --attach: attach a file.`,
)}\n${yesHelp}`

const options = {
  agent: { type: 'string' },
  conversation: { type: 'string' },
  workspace: { type: 'string' },
  model: { type: 'string' },
  sandbox: { type: 'string' },
  attach: { type: 'string', multiple: true, default: [] as string[] },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

interface Wish {
  readonly text: string
  readonly workspace: string
  readonly agent: string | undefined
  readonly conversation: string | undefined
  readonly start: Pick<CommandParams<'agent_run_start'>, 'model' | 'sandbox_mode' | 'workspace'>
}

/** `tandem run`: sends a prompt to an agent and waits until it is done. */
export async function run(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const { agent, conversation, workspace, model, sandbox, yes, json } = given.values
  if (conversation !== undefined && agent !== undefined) {
    return printUsage('a conversation already has an agent: remove --agent', usage)
  }
  const sandbox_mode = sandboxModes.find((mode) => mode === sandbox)
  if (sandbox !== undefined && !sandbox_mode) return printUsage(`--sandbox must be one of ${sandboxModes.join(', ')}`, usage)
  const inputTaken = given.words.length === 1 && given.words[0] === '-'
  const text = inputTaken ? readFileSync(0, 'utf8') : given.words.join(' ')
  if (text.trim() === '') return printUsage('describe what to do', usage)
  const files = given.values.attach.map(readAttachments)
  const unread = files.find((file) => 'complaint' in file)
  if (unread) return printUsage(unread.complaint, usage)
  const start = {
    ...(model === undefined ? {} : { model }),
    ...(sandbox_mode ? { sandbox_mode } : {}),
    // A conversation from another device has no folder here until one is given.
    ...(conversation !== undefined && workspace !== undefined ? { workspace: resolve(workspace) } : {}),
  }
  const wish: Wish = { text, workspace: resolve(workspace ?? '.'), agent, conversation, start }

  return await withRuntimeClient(wish.workspace, async (client) => {
    const conversation_id = await conversationFor(client, wish)
    if (!conversation_id.ok) return refused(conversation_id.error)
    const attached = await uploadAttachments(
      client,
      files.filter((file) => 'bytes' in file),
    )
    if (!attached.ok) return refused(attached.error)
    const along = attached.value.length > 0 ? { attachments: attached.value } : {}
    const started = await client.call('agent_run_start', { conversation_id: conversation_id.value, text, ...start, ...along })
    if (!started.ok) return refused(started.error)
    if (json) console.log(JSON.stringify({ type: 'run', run: started.value.run }))
    return await followInTerminal(client, started.value.run, [], { json, yes, inputTaken })
  })
}

async function conversationFor(client: RuntimeClient, { conversation, agent, workspace, text }: Wish): Promise<CommandAnswer<string>> {
  if (conversation !== undefined) return { ok: true, value: conversation }
  const named = agent === undefined ? null : await findAgent(client, agent)
  if (named && !named.ok) return named
  const title = text.trim().split('\n', 1)[0]?.slice(0, 100).trim() ?? ''
  const made = await client.call('conversation_create', {
    workspace,
    ...(title ? { title } : {}),
    ...(named ? { agent_id: named.value.agent_id } : {}),
  })
  return made.ok ? { ok: true, value: made.value.conversation.conversation_id } : made
}

function refused(error: CommandError): number {
  printRefusal(error)
  if (error.code === 'model_unavailable') {
    console.error('        Set TANDEM_MODEL_URL, TANDEM_MODEL_KEY and TANDEM_MODEL, or run tandem start and add a model in the settings.')
    return exitCodes.no_model
  }
  return error.code === 'invalid_params' ? exitCodes.usage : exitCodes.failed
}
