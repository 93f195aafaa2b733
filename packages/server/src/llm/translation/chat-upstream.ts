// A provider of Anthropic's Messages API that also serves chat completions: requests and responses are translated, nothing is decided.
import { openAiErrorType } from '@tandem/contract/llm'
import { type ByteFlow, flowOf } from '../flow.ts'
import { isRecord, parseJson } from '../relay/usage.ts'
import type { Upstream, UpstreamModel, UpstreamReply } from '../upstream.ts'
import { chatEvents } from './chat-events.ts'
import { chatError, chatReply } from './chat-reply.ts'
import { messagesRequest } from './messages-request.ts'

/** The longest answer if the caller sets no limit and the provider does not report the model's. */
const usualOutput = 8_192
/** Longer answers are asked for explicitly. */
const longestOutput = 32_000
const listMilliseconds = 5_000
const replyBytesMax = 32 * 1024 * 1024

/** The same provider if it has chat completions of its own, or no messages. */
export function chatUpstream(upstream: Upstream, now: () => number): Upstream {
  const { operations } = upstream
  if (operations.includes('chat_completions') || !operations.includes('messages')) return upstream
  let limits: Promise<ReadonlyMap<string, number>> | undefined

  async function models(signal: AbortSignal): Promise<readonly UpstreamModel[]> {
    const list = await upstream.models(signal)
    limits = Promise.resolve(limitsOf(list))
    return list
  }

  async function outputMax(model: string): Promise<number> {
    limits ??= models(AbortSignal.timeout(listMilliseconds)).then(limitsOf)
    try {
      return Math.min((await limits).get(model) ?? usualOutput, longestOutput)
    } catch {
      // The call itself shows whether the provider is available; the list is requested again next time.
      limits = undefined
      return usualOutput
    }
  }

  return {
    ...upstream,
    operations: [...operations, 'chat_completions'],
    models,
    async send(request) {
      if (request.operation !== 'chat_completions') return upstream.send(request)
      const translated = messagesRequest(request.body, await outputMax(request.model))
      if (!translated.ok) return refused(translated)
      const reply = await upstream.send({ ...request, operation: 'messages', body: translated.body })
      return reply.status >= 200 && reply.status < 300 ? chatResponse(reply, Math.floor(now() / 1_000)) : reply
    },
  }
}

function limitsOf(models: readonly UpstreamModel[]): ReadonlyMap<string, number> {
  return new Map(models.flatMap(({ id, max_output_tokens }) => (max_output_tokens === undefined ? [] : [[id, max_output_tokens]])))
}

function refused({ param, message }: { readonly param: string; readonly message: string }): UpstreamReply {
  const error = { message, type: openAiErrorType(400), param: param === '' ? null : param, code: 'invalid_request' }
  return { status: 400, headers: { 'content-type': 'application/json' }, body: flowOf([Buffer.from(JSON.stringify({ error }))]) }
}

function chatResponse({ status, headers: given, body }: UpstreamReply, created: number): UpstreamReply {
  const { 'content-length': _, ...headers } = given
  const type = headers['content-type'] ?? ''
  // Anything else is judged as it is.
  if (/^text\/event-stream\b/i.test(type)) return { status, headers, body: translatedEvents(body, created) }
  return /^application\/json\b/i.test(type)
    ? { status, headers, body: translatedDocument(body, created) }
    : { status, headers: given, body }
}

function translatedEvents(source: ByteFlow, created: number): ByteFlow {
  const events = chatEvents(created)
  return {
    ...controlsOf(source),
    get paused() {
      return source.paused
    },
    listen(listener) {
      let over = false
      const pass = (text: string) => {
        if (text !== '') listener.data(Buffer.from(text))
      }
      const cut = (error: Error) => {
        if (!over) listener.cut(error)
        over = true
      }
      source.listen({
        data(bytes) {
          if (over) return
          pass(events.push(bytes))
          if (events.pending > replyBytesMax) cut(new Error('an event is too large'))
        },
        end() {
          if (over) return
          pass(events.end())
          listener.end()
        },
        cut,
      })
    },
  }
}

function translatedDocument(source: ByteFlow, created: number): ByteFlow {
  const pieces: Buffer[] = []
  let size = 0
  let over = false
  return {
    ...controlsOf(source),
    get paused() {
      return source.paused
    },
    listen(listener) {
      const cut = (error: Error) => {
        if (!over) listener.cut(error)
        over = true
      }
      source.listen({
        data(bytes) {
          size += bytes.length
          if (size <= replyBytesMax) pieces.push(bytes)
          else cut(new Error('the message is too large'))
        },
        end() {
          const message = parseJson(Buffer.concat(pieces).toString('utf8'))
          if (!isRecord(message)) return cut(new Error('the message is not JSON'))
          if (over) return
          const reply = message.type === 'error' ? chatError(message.error) : chatReply(message, created)
          listener.data(Buffer.from(JSON.stringify(reply)))
          listener.end()
        },
        cut,
      })
    },
  }
}

function controlsOf(source: ByteFlow): Pick<ByteFlow, 'pause' | 'resume' | 'destroy'> {
  return { pause: () => source.pause(), resume: () => source.resume(), destroy: () => source.destroy() }
}
