// The body of a request, and what is left out for servers that refuse a part of it. Pure.
import type { ErrorFacts } from './error-response.ts'
import { type ModelMessage, type ModelTool, withoutToolCalls } from './message.ts'
import { fieldsToSend } from './provider-fields.ts'

/** Parts that a request works without. */
const omissibleParts = ['stream_options', 'stream', 'tools', 'provider_fields'] as const
export type OmissiblePart = (typeof omissibleParts)[number]

export interface RequestFacts {
  readonly model: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly temperature: number | null
}

export function requestBody(facts: RequestFacts, omitted: ReadonlySet<OmissiblePart>): Buffer {
  const { model, messages, tools, temperature } = facts
  const isTold = tools.length > 0 && !omitted.has('tools')
  const told = omitted.has('tools') ? withoutToolCalls(messages) : messages
  const body = JSON.stringify({
    model,
    messages: told.map((message) => wireMessage(message, !omitted.has('provider_fields'))),
    ...(temperature === null ? {} : { temperature }),
    stream: !omitted.has('stream'),
    ...(omitted.has('stream') || omitted.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
  })
  return isTold ? Buffer.concat([Buffer.from(body.slice(0, -1)), toolsPart(tools)]) : Buffer.from(body)
}

/** The tools are most of the body, and the same in every turn: also as bytes. */
const toolsParts = new WeakMap<readonly ModelTool[], Buffer>()

function toolsPart(tools: readonly ModelTool[]): Buffer {
  const part = toolsParts.get(tools) ?? Buffer.from(`,"tools":${JSON.stringify(tools)}}`)
  toolsParts.set(tools, part)
  return part
}

function wireMessage(message: ModelMessage, withFields: boolean): unknown {
  if (message.role !== 'assistant') return message
  const { tool_calls: calls, provider_fields = {}, ...rest } = message
  const own = withFields ? fieldsToSend(provider_fields, calls !== undefined) : {}
  if (!calls) return { ...own, ...rest }
  const tool_calls = calls.map(({ provider_fields: fields = {}, ...call }) => (withFields ? { ...fields, ...call } : call))
  return { ...own, ...rest, tool_calls }
}

/** Statuses with which servers refuse the content of a request. */
const refusingStatuses = [400, 404, 405, 415, 422, 500, 501]

const unsupportedWords =
  /not (?:currently )?support|n't support|unsupported|not (?:allowed|permitted|available|enabled|implemented)|must be false|disabled|unknown|unrecogni[sz]ed|unexpected|extra (?:inputs?|fields?)|additional propert|invalid (?:parameter|field|argument)|no endpoints found that support|requires --|only (?:be defined|supported)/i

/** The part that a server does not support; null if the error is about something else, or the part was not sent. */
export function refusedPart(
  status: number | null,
  facts: ErrorFacts,
  sent: RequestFacts,
  omitted: ReadonlySet<OmissiblePart>,
): OmissiblePart | null {
  if (status !== null && !refusingStatuses.includes(status)) return null
  const { message, param } = facts
  const isUnsupported = unsupportedWords.test(message)
  const about = (name: RegExp) => (param !== '' ? name.test(param) : isUnsupported && name.test(message))
  const parts: Readonly<Record<OmissiblePart, boolean>> = {
    stream_options: !omitted.has('stream') && (about(/\bstream_options\b|\binclude_usage\b/i) || /\bstream[ _]options\b/i.test(message)),
    stream: about(/\bstream(?:ing)?\b(?!_)/i),
    // A wrong description of a tool is a different error: without its tools an agent can do little.
    tools:
      sent.tools.length > 0 &&
      isUnsupported &&
      /\btools?\b|\btool_choice\b|\bfunction[ _-]?call/i.test(message) &&
      !/\btools[.[]/.test(`${message} ${param}`),
    provider_fields: isUnsupported && fieldNames(sent.messages).some((name) => message.includes(name)),
  }
  return omissibleParts.find((part) => parts[part] && !omitted.has(part)) ?? null
}

function fieldNames(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return []
    const ofCalls = (message.tool_calls ?? []).flatMap(({ provider_fields = {} }) => Object.keys(provider_fields))
    return [...Object.keys(message.provider_fields ?? {}), ...ofCalls]
  })
}
