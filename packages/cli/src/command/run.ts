import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { CommandError, CommandParams, Conversation, LocalRun } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import { systemErrorText } from '@tandem/contract/system-error'
import { sandboxModes } from '@tandem/contract/tool'
import { readConfig, runDefaults } from '../config/config-file.ts'
import { type LocalFile, readAttachments, uploadAttachments } from '../run/attachments.ts'
import { createConversation, findConversation, lastConversationIn, type NextOptions } from '../run/conversation.ts'
import { exitCodes } from '../run/exit-code.ts'
import { finalAnswer } from '../run/final-answer.ts'
import { folderNotice } from '../run/folder-notice.ts'
import { checkAnswer, correctionRequest, type OutputSchema, readOutputSchema, schemaRequest } from '../run/output-schema.ts'
import { followInTerminal } from '../run/run-session.ts'
import { yesHelp } from '../run/yes-option.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { homeFolder } from '../runtime-client/home.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { readPipedInput } from '../terminal/piped-input.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { styled } from '../terminal/style.ts'
import { stripControls } from '../terminal/terminal-text.ts'
import { findAgent } from './agents.ts'

const usage = `${explainedUsage(
  'tandem run [--continue | --conversation ID] [--agent NAME] [--workspace DIR] [--model NAME] [--sandbox MODE] [--attach FILE]… [--output FILE] [--output-schema FILE] [--yes] [--json] "what to do" | -',
  'Gives an agent a task and follows its progress: the answer on standard output, everything else on standard error.',
  'With -, the task is read from standard input. Otherwise, what is piped into the command is attached to the task, as data.',
  '--continue: continue the newest conversation of this folder. --conversation: continue one of tandem conversations, by its id, the beginning',
  'of it, or last. --agent: the agent. --workspace: the folder to work in; the default is the current one.',
  `--model: a model for this run only. --sandbox: ${sandboxModes.join(', ')}; the default is that of the agent. --attach: attach a file.`,
  '--output: also write the final answer to this file. --output-schema: the final answer must be JSON that matches this JSON Schema; only',
  'that is printed on standard output. If it does not match after two corrections, the exit code is 5. --json: print one JSON object per line.',
)}\n${yesHelp}`

const options = {
  continue: { type: 'boolean', default: false },
  conversation: { type: 'string' },
  agent: { type: 'string' },
  workspace: { type: 'string' },
  model: { type: 'string' },
  sandbox: { type: 'string' },
  attach: { type: 'string', multiple: true, default: [] as string[] },
  output: { type: 'string', short: 'o' },
  'output-schema': { type: 'string' },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

interface Wish {
  readonly text: string
  readonly workspace: string
  readonly agent: string | undefined
  /** `newest`: of the folder. */
  readonly conversation: { readonly id: string } | 'newest' | null
  /** For a new conversation, and its later runs. */
  readonly defaults: NextOptions
  readonly start: Pick<CommandParams<'agent_run_start'>, 'model' | 'sandbox_mode' | 'workspace'>
  readonly files: readonly LocalFile[]
  readonly schema: OutputSchema | null
  readonly output: string | null
  readonly yes: boolean
  readonly json: boolean
  readonly inputTaken: boolean
}

/** `tandem run`: sends a prompt to an agent and waits until it is done. */
export async function run(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const wish = await wishFrom(given.values, given.words)
  if ('complaint' in wish) return printUsage(wish.complaint, usage)
  return await withRuntimeClient(wish.workspace, async (client) => {
    const conversation = await conversationFor(client, wish)
    if (!conversation.ok) return refused(conversation.error)
    const { conversation_id, workspace } = conversation.value
    const attached = await uploadAttachments(client, wish.files)
    if (!attached.ok) return refused(attached.error)
    const attachments = attached.value.length > 0 ? { attachments: attached.value } : {}
    const text = wish.schema ? `${wish.text}\n\n${schemaRequest(wish.schema)}` : wish.text
    // An imported conversation has no folder until it is continued.
    const place = conversation.value.imported_from && workspace === '' ? { workspace: wish.workspace } : {}
    const started = await client.call('agent_run_start', { conversation_id, text, ...place, ...wish.start, ...attachments })
    if (!started.ok) return refused(started.error)
    const notice = await folderNotice(client, workspace || wish.workspace)
    if (notice !== null) console.error(styled('yellow', notice))
    return await followToAnswer(client, started.value.run, wish)
  })
}

type Given = Extract<ReturnType<typeof parseArguments<typeof options>>, { ok: true }>['values']

async function wishFrom(given: Given, words: readonly string[]): Promise<Wish | { readonly complaint: string }> {
  const config = readConfig(homeFolder())
  if ('problem' in config) return { complaint: config.problem }
  const isOld = given.continue || given.conversation !== undefined
  if (given.continue && given.conversation !== undefined) return { complaint: 'use either --continue or --conversation' }
  if (isOld && given.agent !== undefined) return { complaint: 'a conversation already has an agent: remove --agent' }
  const { model, sandbox } = given
  const sandbox_mode = sandboxModes.find((mode) => mode === sandbox)
  if (sandbox !== undefined && !sandbox_mode) return { complaint: `--sandbox must be one of ${sandboxModes.join(', ')}` }
  const inputTaken = words.length === 1 && words[0] === '-'
  const text = inputTaken ? readFileSync(0, 'utf8') : words.join(' ')
  if (text.trim() === '') return { complaint: 'describe what to do' }
  const files = given.attach.map(readAttachments)
  const unread = files.find((file) => 'complaint' in file)
  if (unread) return unread
  const schema = given['output-schema'] === undefined ? null : await readOutputSchema(given['output-schema'])
  if (schema && 'complaint' in schema) return schema
  const output = given.output === undefined ? null : resolve(given.output)
  if (output !== null && !isFolder(dirname(output))) return { complaint: `the folder of ${output} does not exist` }
  const piped = inputTaken ? { bytes: Buffer.alloc(0) } : await readPipedInput(limits.attachment_bytes)
  if ('complaint' in piped) return piped
  return {
    ...{ text, inputTaken, output, schema: schema?.schema ?? null, yes: given.yes, json: given.json },
    workspace: resolve(given.workspace ?? '.'),
    agent: isOld ? undefined : (given.agent ?? config.values.agent),
    conversation: given.conversation !== undefined ? { id: given.conversation } : given.continue ? 'newest' : null,
    defaults: runDefaults(config.values),
    start: {
      ...(model === undefined ? {} : { model }),
      ...(sandbox_mode ? { sandbox_mode } : {}),
      // A conversation from another device has no folder here until one is given.
      ...(isOld && given.workspace !== undefined ? { workspace: resolve(given.workspace) } : {}),
    },
    files: [
      ...files.filter((file) => 'bytes' in file),
      ...(piped.bytes.toString().trim() === '' ? [] : [{ name: 'standard-input.txt', bytes: piped.bytes }]),
    ],
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

async function conversationFor(
  client: RuntimeClient,
  { conversation, agent, workspace, text, defaults }: Wish,
): Promise<CommandAnswer<Conversation>> {
  if (conversation !== null) {
    return conversation === 'newest' ? await lastConversationIn(client, workspace) : await findConversation(client, conversation.id)
  }
  const named = agent === undefined ? null : await findAgent(client, agent)
  if (named && !named.ok) return named
  return await createConversation(client, { workspace, text, agent_id: named?.value.agent_id, ...defaults })
}

/** How often a model may correct an answer that does not match the schema. */
const corrections = 2

/** Until the run is done, and its answer is as it was requested. */
async function followToAnswer(client: RuntimeClient, first: LocalRun, wish: Wish): Promise<number> {
  const { json, yes, inputTaken, schema } = wish
  let current = first
  for (let attempt = 0; ; attempt += 1) {
    if (json) console.log(JSON.stringify({ type: 'run', run: current }))
    const code = await followInTerminal(client, current, [], { json, yes, inputTaken, answers: schema && !json ? 'beside' : 'out' })
    if (code !== exitCodes.completed || (!schema && wish.output === null)) return code
    const answer = (await finalAnswer(client, current)) ?? ''
    const checked = schema ? checkAnswer(answer, schema) : { json: answer }
    if ('json' in checked) {
      if (schema && !json) console.log(checked.json)
      return wish.output === null ? code : saved(wish.output, checked.json)
    }
    console.error(`The answer does not match the schema: ${stripControls(checked.problems.join('; ')).slice(0, 1_000)}`)
    if (attempt === corrections) return exitCodes.mismatch
    const text = correctionRequest(checked.problems)
    const again = await client.call('agent_run_start', { conversation_id: current.conversation_id, text, ...wish.start })
    if (!again.ok) return refused(again.error)
    current = again.value.run
  }
}

function saved(file: string, answer: string): number {
  try {
    writeFileSync(file, answer.endsWith('\n') ? answer : `${answer}\n`)
    return exitCodes.completed
  } catch (error) {
    console.error(`tandem: the answer could not be written to ${file}: ${systemErrorText(error)}`)
    return exitCodes.failed
  }
}

function refused(error: CommandError): number {
  printRefusal(error)
  if (error.code === 'model_unavailable') {
    console.error(
      '        Set TANDEM_MODEL_URL, TANDEM_MODEL_KEY and TANDEM_MODEL, use tandem config set, or run tandem start and add a model in the settings.',
    )
    return exitCodes.no_model
  }
  return error.code === 'invalid_params' ? exitCodes.usage : exitCodes.failed
}
