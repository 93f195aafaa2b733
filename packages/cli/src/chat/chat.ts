// `tandem` and `tandem chat`: a conversation with an agent in the terminal.
import { resolve } from 'node:path'
import type { Conversation } from '@tandem/contract/command'
import { sandboxModes } from '@tandem/contract/tool'
import { everyAgent, findAgent } from '../command/agents.ts'
import { readConfig, runDefaults } from '../config/config-file.ts'
import { findConversation, lastConversationIn } from '../run/conversation.ts'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { homeFolder } from '../runtime-client/home.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isPiped } from '../terminal/piped-input.ts'
import { refused } from '../terminal/refusal.ts'
import { runChat } from './run-chat.ts'

const usage = explainedUsage(
  'tandem chat [--continue | --conversation ID] [--agent NAME] [--workspace DIR] [--model NAME] [--sandbox MODE] ["first message"]',
  'Opens a conversation with an agent in this terminal. tandem without a command does the same. Type /help for commands and keys.',
  'Without a terminal, the message is read from standard input, and the answer is printed, like tandem run.',
  '--continue: the newest conversation of this folder. --conversation: one of tandem conversations, by its id or the beginning of it.',
  '--agent: the agent to talk to. --workspace: the folder it works in; the default is the current one.',
  `--model: the model. --sandbox: ${sandboxModes.join(', ')}. Both are for the conversation that this opens: a new one keeps them,`,
  'one that continues uses them until you leave it. The defaults of a new one are those of tandem config, and then those of the agent.',
)

const options = {
  continue: { type: 'boolean', default: false },
  conversation: { type: 'string' },
  agent: { type: 'string' },
  workspace: { type: 'string' },
  model: { type: 'string' },
  sandbox: { type: 'string' },
} as const

export async function chat(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  if (!process.stdin.isTTY || !process.stdout.isTTY) return await withoutTerminal(args, given.words)
  const config = readConfig(homeFolder())
  if ('problem' in config) return printUsage(config.problem, usage)
  const { agent = config.values.agent, workspace, model, sandbox } = given.values
  const sandbox_mode = sandboxModes.find((mode) => mode === sandbox)
  if (sandbox !== undefined && !sandbox_mode) return printUsage(`--sandbox must be one of ${sandboxModes.join(', ')}`, usage)
  const isOld = given.values.continue || given.values.conversation !== undefined
  if (isOld && given.values.agent !== undefined) return printUsage('a conversation already has an agent: remove --agent', usage)
  const folder = resolve(workspace ?? '.')
  return await withRuntimeClient(
    folder,
    async (client) => {
      const conversation = isOld ? await earlier(client, folder, given.values.conversation) : null
      if (conversation && !conversation.ok) return refused(conversation.error)
      const named = agent === undefined || isOld ? null : await findAgent(client, agent)
      if (named && !named.ok) return refused(named.error)
      return await runChat({
        ...{ client, workspace: folder, chosen: { model, sandbox_mode }, defaults: runDefaults(config.values) },
        conversation: conversation?.value ?? null,
        agent_id: named?.value.agent_id,
        agents: async () => {
          const all = await everyAgent(client)
          return all.ok ? all.value : []
        },
        first: given.words.join(' '),
      })
    },
    'resident',
  )
}

async function earlier(client: RuntimeClient, folder: string, wanted: string | undefined): Promise<CommandAnswer<Conversation>> {
  return wanted === undefined ? await lastConversationIn(client, folder) : await findConversation(client, wanted)
}

/** In a pipe it is one message and one answer. */
async function withoutTerminal(args: readonly string[], words: readonly string[]): Promise<number> {
  const { run } = await import('../command/run.ts')
  if (words.length > 0) return await run(args)
  if (isPiped()) return await run([...args, '-'])
  console.error('tandem: chat needs a terminal. In a script, use tandem run "what to do", or pipe the message: echo "…" | tandem chat')
  return exitCodes.usage
}
