// What a call requests, read from its body, and that body for one model: byte for byte the same except for the name of the model.
import { type Member, type Members, membersOf } from './json-members.ts'

export interface ModelRequest {
  readonly bytes: Buffer
  /** In the order in which they are tried. */
  readonly models: readonly [string, ...string[]]
  readonly stream: boolean
  /** The caller wants the usage at the end of an OpenAI stream. */
  readonly wants_usage: boolean
  readonly max_output_tokens: number | undefined
  readonly members: Members
}

export type ModelRequestResult =
  | { readonly ok: true; readonly ask: ModelRequest }
  | { readonly ok: false; readonly message: string; readonly pointer: string }

const outputLimits = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const
const wanted = new Set<string>(['model', 'models', 'stream', 'stream_options', ...outputLimits])
const usageOption = new Set(['include_usage'])
const modelsMax = 10

export function parseModelRequest(bytes: Buffer): ModelRequestResult {
  const members = membersOf(bytes, wanted)
  if (!members) return fault('', 'must be a JSON object, nested at most 1,000 deep')
  for (const [name, places] of members) {
    // Providers differ in which one they use: a caller must not get another model than the one counted.
    if (places.length > 1) return fault(`/${name}`, 'must be given only once')
  }
  const read = (name: string) => readValue(bytes, members.get(name)?.[0])
  const models = readModels(read('model'), read('models'))
  if ('message' in models) return models
  const stream = read('stream') === true
  const limits = outputLimits.map(read).filter(isCount)
  const options = members.get('stream_options')?.[0]
  const asked = options && membersOf(bytes, usageOption, options.value_start, options.value_end)?.get('include_usage')?.at(-1)
  return {
    ok: true,
    ask: {
      bytes,
      models: models.models,
      stream,
      wants_usage: stream && readValue(bytes, asked) === true,
      max_output_tokens: limits.length > 0 ? Math.max(...limits) : undefined,
      members,
    },
  }
}

/** The body for `model`. `usage` requests the usage of an OpenAI stream, whether the caller did or not. */
export function bodyFor(ask: ModelRequest, model: string, { usage }: { usage: boolean }): Buffer {
  const { bytes, members } = ask
  const named = members.get('model')?.[0]
  const list = members.get('models')?.[0]
  const edits: Edit[] = []
  if (named) edits.push({ from: named.value_start, to: named.value_end, text: JSON.stringify(model) })
  if (list && named) edits.push(removal(list))
  else if (list) edits.push({ from: list.key_start, to: list.value_end, text: `"model":${JSON.stringify(model)}` })
  if (usage && ask.stream && !ask.wants_usage) edits.push(usageEdit(bytes, members.get('stream_options')?.[0]))
  return splice(bytes, edits)
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

function usageEdit(bytes: Buffer, options: Member | undefined): Edit {
  const asked = '"include_usage":true'
  if (!options) {
    const start = bytes.indexOf('{') + 1
    return { from: start, to: start, text: `"stream_options":{${asked}},` }
  }
  const { value_start, value_end } = options
  const inner = membersOf(bytes, usageOption, value_start, value_end)
  const given = inner?.get('include_usage')?.at(-1)
  if (given) return { from: given.value_start, to: given.value_end, text: 'true' }
  // `null`, or an invalid value, or an object with other options.
  if (!inner) return isNull(bytes, options) ? { from: value_start, to: value_end, text: `{${asked}}` } : { from: 0, to: 0, text: '' }
  const empty = /^\{\s*\}$/.test(bytes.toString('latin1', value_start, Math.min(value_end, value_start + 100)))
  return { from: value_start + 1, to: value_start + 1, text: empty ? asked : `${asked},` }
}

function removal({ key_start, value_end, comma, next }: Member): Edit {
  if (next !== undefined) return { from: key_start, to: next, text: '' }
  return { from: comma ?? key_start, to: value_end, text: '' }
}

function splice(bytes: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const { from, to, text } of edits.toSorted((left, right) => left.from - right.from)) {
    parts.push(bytes.subarray(at, from), Buffer.from(text))
    at = to
  }
  parts.push(bytes.subarray(at))
  return Buffer.concat(parts)
}

function readModels(model: unknown, models: unknown): { models: [string, ...string[]] } | Extract<ModelRequestResult, { ok: false }> {
  if (model !== undefined && !isName(model)) return fault('/model', 'must be the name of a model')
  if (models !== undefined && !(Array.isArray(models) && models.length <= modelsMax && models.every(isName))) {
    return fault('/models', `must be a list of at most ${modelsMax} names of models`)
  }
  const all = new Set<string>([...(model === undefined ? [] : [model]), ...(models ?? [])])
  const [first, ...others] = all
  return first === undefined ? fault('/model', 'is missing') : { models: [first, ...others] }
}

/** Undefined if absent, not JSON after all, or too long to be one of the values we read. */
function readValue(bytes: Buffer, member: Member | undefined): unknown {
  if (!member || member.value_end - member.value_start > 10_000) return undefined
  try {
    return JSON.parse(bytes.toString('utf8', member.value_start, member.value_end))
  } catch {
    return undefined
  }
}

function isNull(bytes: Buffer, { value_start, value_end }: Member): boolean {
  return bytes.toString('latin1', value_start, Math.min(value_end, value_start + 5)) === 'null'
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 300
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function fault(pointer: string, message: string): Extract<ModelRequestResult, { ok: false }> {
  return { ok: false, pointer, message }
}
