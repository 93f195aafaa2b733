// `demo/scripted` as a provider: the product without a key and without a network, and the model of tests.
import { createHash } from 'node:crypto'
import { anthropicErrorType, openAiErrorType } from '@tandem/contract/llm'
import { dialectOf, type Operation } from '../../operation.ts'
import { flowOf } from '../flow.ts'
import { pause, type StopSignal, throwIfStopped } from '../stop.ts'
import { ConnectError, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'
import { chat } from './chat.ts'
import type { ScriptedRequest } from './conversation.ts'
import type { Block, CompleteBlock, DialectWriter, Dialogue } from './dialect-writer.ts'
import { messages } from './messages.ts'
import { reply } from './reply.ts'
import { responses } from './responses.ts'
import { type Fault, finishOf, isFault, type Script, shorten, type Turn, tokensIn, type Usage, words } from './turn.ts'

/** Between two words: slow enough to be visible, fast enough not to annoy. */
const wordMilliseconds = 12

export interface ScriptedOptions {
  /** Responses in order, one per request; past the end every request fails. Without it the rules answer. */
  readonly script?: Script
  readonly now?: () => number
  readonly sleep?: (ms: number, signal: StopSignal) => Promise<void>
}

const dialogues: Partial<Record<Operation, Dialogue>> = { chat_completions: chat, responses, messages, count_tokens: messages }

export function scriptedUpstream(options: ScriptedOptions = {}): Upstream {
  const now = options.now ?? Date.now
  const sleep = options.sleep ?? pause
  let turns = 0

  function turnFor(asked: ScriptedRequest): Turn | Fault {
    if (!options.script) return shorten(reply(asked.messages, asked.tools), asked.max_tokens)
    turns += 1
    return options.script[turns - 1] ?? { error: { status: 500, message: `the script has no turn ${turns}` } }
  }

  async function send(request: UpstreamRequest): Promise<UpstreamReply> {
    throwIfStopped(request.signal)
    const dialogue = dialogues[request.operation]
    if (!dialogue) return failure(request, 404, `demo/scripted does not support ${request.operation}`)
    const asked = dialogue.read(parse(request.body))
    if ('malformed' in asked) return failure(request, 400, asked.malformed)
    const input_tokens = tokensIn(request.body.toString())
    if (request.operation === 'count_tokens') return json(200, { input_tokens })

    const turn = turnFor(asked)
    if (isFault(turn)) {
      if (turn.delay_ms) await sleep(turn.delay_ms, request.signal)
      const { status, message, retry_after_seconds } = turn.error
      return failure(request, status, message, retry_after_seconds === undefined ? {} : { 'retry-after': String(retry_after_seconds) })
    }
    const seed = createHash('sha256').update(request.body).digest('hex').slice(0, 24)
    const head = { seed, model: request.model, created: Math.floor(now() / 1_000), input_tokens, include_usage: asked.include_usage }
    const play = perform(turn, { seed, input_tokens, signal: request.signal, sleep })
    const voice = dialogue.speak(head)
    if (asked.stream)
      return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body: flowOf(streamed(play, voice)) }
    return json(200, await whole(play, voice))
  }

  return {
    name: 'demo',
    operations: ['chat_completions', 'responses', 'messages', 'count_tokens'],
    async models() {
      const card = { display_name: 'Scripted demo', context_window: 32_768, max_output_tokens: 4_096 }
      return [{ id: 'scripted', ...card, capabilities: ['chat', 'tools'] }]
    },
    send,
  }
}

type Moment =
  | { readonly kind: 'open'; readonly block: Block; readonly index: number }
  | { readonly kind: 'delta'; readonly block: Block; readonly index: number; readonly text: string }
  | { readonly kind: 'close'; readonly said: CompleteBlock; readonly index: number }
  | {
      readonly kind: 'end'
      readonly said: readonly CompleteBlock[]
      readonly finish: ReturnType<typeof finishOf>
      readonly usage: Usage | undefined
    }

interface Stage {
  readonly seed: string
  readonly input_tokens: number
  readonly signal: StopSignal
  readonly sleep: (ms: number, signal: StopSignal) => Promise<void>
}

/** Plays the turn over time. A block stays open until the next starts, so that a hang or a cut can happen inside it. */
async function* perform(turn: Turn, { seed, input_tokens, signal, sleep }: Stage): AsyncGenerator<Moment> {
  const said: CompleteBlock[] = []
  let open: { block: Block; text: string } | undefined
  const closed = (): Moment[] => {
    if (!open) return []
    const done = { ...open.block, text: open.text }
    said.push(done)
    open = undefined
    return [{ kind: 'close', said: done, index: said.length - 1 }]
  }

  for (const step of turn.steps) {
    throwIfStopped(signal)
    if (step.kind === 'delay') await sleep(step.ms, signal)
    else if (step.kind === 'hang') await hungUp(signal)
    else if (step.kind === 'cut') throw new ConnectError('the connection was lost')
    else {
      const pieces = step.kind === 'call' ? fragments(step.arguments) : words(step.text)
      if (open === undefined || step.kind === 'call' || open.block.kind !== step.kind) {
        yield* closed()
        const block: Block =
          step.kind === 'call' ? { kind: 'call', call: step, id: step.id ?? `call_${seed}_${said.length}` } : { kind: step.kind }
        open = { block, text: '' }
        yield { kind: 'open', block, index: said.length }
      }
      for (const text of pieces) {
        if (step.kind !== 'call') await sleep(wordMilliseconds, signal)
        open.text += text
        yield { kind: 'delta', block: open.block, index: said.length, text }
      }
    }
  }
  yield* closed()
  yield { kind: 'end', said, finish: finishOf(turn), usage: usageOf(turn, said, input_tokens) }
}

function usageOf(turn: Turn, said: readonly CompleteBlock[], input_tokens: number): Usage | undefined {
  if (turn.usage === 'none') return undefined
  const spoken = said.map((block) => block.text + (block.kind === 'call' ? block.call.name : '')).join('')
  return turn.usage ?? { input_tokens, cached_input_tokens: 0, output_tokens: tokensIn(spoken) }
}

function fragments(given: string | readonly string[]): readonly string[] {
  return typeof given === 'string' ? (given.match(/[\s\S]{1,24}/g) ?? []) : given
}

async function* streamed(play: AsyncGenerator<Moment>, voice: DialectWriter): AsyncGenerator<Uint8Array> {
  yield Buffer.from(voice.begin())
  for await (const moment of play) {
    const text = told(voice, moment)
    if (text !== '') yield Buffer.from(text)
  }
}

function told(voice: DialectWriter, moment: Moment): string {
  switch (moment.kind) {
    case 'open':
      return voice.open(moment.block, moment.index)
    case 'delta':
      return voice.delta(moment.block, moment.index, moment.text)
    case 'close':
      return voice.close(moment.said, moment.index)
    case 'end':
      return voice.end(moment.said, moment.finish, moment.usage)
  }
}

async function whole(play: AsyncGenerator<Moment>, voice: DialectWriter): Promise<object> {
  for await (const moment of play) if (moment.kind === 'end') return voice.whole(moment.said, moment.finish, moment.usage)
  throw new Error('a turn did not end')
}

function hungUp(signal: StopSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason))
  })
}

function failure({ operation }: UpstreamRequest, status: number, message: string, headers: Record<string, string> = {}): UpstreamReply {
  const body =
    dialectOf[operation] === 'openai'
      ? { error: { message, type: openAiErrorType(status), param: null, code: null } }
      : { type: 'error', error: { type: anthropicErrorType(status), message } }
  return json(status, body, headers)
}

function json(status: number, value: object, headers: Record<string, string> = {}): UpstreamReply {
  const body = Buffer.from(JSON.stringify(value))
  return {
    status,
    headers: { 'content-type': 'application/json', 'content-length': String(body.length), ...headers },
    body: flowOf([body]),
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    // Treated as a request without fields, which is refused with its error.
    return undefined
  }
}
