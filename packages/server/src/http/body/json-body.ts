// JSON bodies: with a deadline, in UTF-8, and parsed without changes. A number that JavaScript cannot represent, and text that UTF-8
// cannot represent, would be stored as something else: both are found here, with their position.
//
// Many clients send `application/json` with every request, even without a body. An empty body then counts as missing, not as invalid: a
// route that needs one still refuses it, by its schema.
import { isUtf8 } from 'node:buffer'
import type { Route } from '@tandem/contract/http'
import { type FieldError, fieldName } from '@tandem/contract/validation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from '../failure.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { invalid } from '../validation/fault.ts'

/** What is wrong with a change of a push that could be parsed but not stored; the rest of the push is still valid. */
const faultsOfChanges = new WeakMap<object, string>()

export function unstorablePart(change: object): string | undefined {
  return faultsOfChanges.get(change)
}

export function registerJsonParser(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const { route } = request.routeOptions.config as { route?: Route }
    return readJsonBody(body, request.headers['content-type'], route?.id)
  })
}

/** Undefined if it is empty. Throws a refusal. */
export function readJsonBody(body: Buffer, contentType: string | undefined, routeId: string | undefined): unknown {
  demandUtf8Charset(contentType)
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw refuse('invalid_request', 'the body is not valid UTF-8')
  return readJson(body.toString('utf8'), routeId)
}

/** A body that never ends must not hold a connection forever. An upload may be slow; JSON may not. */
export const bodyTimeout = 60_000
const waiting = new WeakMap<FastifyRequest, NodeJS.Timeout>()

export function startBodyTimer(request: FastifyRequest, reply: FastifyReply, within = bodyTimeout): void {
  const timer = setTimeout(() => {
    if (reply.sent) return
    reply.header('connection', 'close')
    sendRefusal(bodyTimeoutRefusal(within), request, reply)
    reply.raw.once('finish', () => request.raw.destroy())
  }, within)
  waiting.set(request, timer)
  // Also if the caller is gone: a remaining timer would keep a stopped server alive.
  request.raw.once('close', () => clearTimeout(timer))
}

export function stopBodyTimer(request: FastifyRequest): void {
  clearTimeout(waiting.get(request))
}

export function bodyTimeoutRefusal(within: number): Refusal {
  return refuse('request_timeout', `the body did not arrive within ${within / 1_000} s`)
}

function demandUtf8Charset(type = ''): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1]
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return
  throw refuse('unsupported_media_type', `JSON must be UTF-8, not ${charset.slice(0, 40)}`)
}

function readJson(text: string, routeId: string | undefined): unknown {
  const { value, numbers } = parse(text)
  const changes = routeId === 'sync_push' ? changesOf(value) : undefined
  if (!changes) {
    const faults = [...numbers, ...surrogatesIn(text, value)]
    if (faults.length > 0) throw invalid(faults)
    return value
  }
  // A push judges each change separately, and keeps the text of payloads unchanged, lone surrogates included.
  const elsewhere = numbers.filter((fault) => !blame(changes, fault))
  if (elsewhere.length > 0) throw invalid(elsewhere)
  return value
}

function blame(changes: readonly unknown[], { pointer, message }: FieldError): boolean {
  const [, index, within] = /^\/changes\/(\d+)(\/.*)$/s.exec(pointer) ?? []
  const change = index === undefined ? undefined : changes[Number(index)]
  if (typeof change !== 'object' || change === null) return false
  if (!faultsOfChanges.has(change)) faultsOfChanges.set(change, `${within === '/' ? 'the change' : fieldName(within ?? '')} ${message}`)
  return true
}

function changesOf(value: unknown): readonly unknown[] | undefined {
  return typeof value === 'object' && value !== null && 'changes' in value && Array.isArray(value.changes) ? value.changes : undefined
}

function parse(text: string): ReturnType<typeof parseExact> {
  try {
    return parseExact(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse('invalid_request', 'the body is not valid JSON')
    throw error
  }
}

/** Replaces a number that cannot be stored. */
class UnkeptNumber {}

const strangeNumber = 'is a number that cannot be stored exactly: send it as a string'
const loneSurrogate = 'contains half of a surrogate pair, which is not a character'

/** How they look in the text; most bodies contain none of them, and are not walked. */
const maybeExponent = /\d[eE][+-]?\d{2}/
const maybeSurrogate = /\\u[dD][89a-fA-F]/

/** Throws a SyntaxError for invalid JSON. Faulty numbers are left as objects without members. */
export function parseExact(text: string): { readonly value: unknown; readonly numbers: readonly FieldError[] } {
  if (!maybeStrangeNumber(text)) return { value: JSON.parse(text), numbers: [] }
  try {
    const value: unknown = JSON.parse(text, (_key, read: unknown, context: { source?: string } = {}) =>
      typeof read === 'number' && context.source !== undefined && !isExact(read, context.source) ? new UnkeptNumber() : read,
    )
    return { value, numbers: faultsIn(value, (part) => (part instanceof UnkeptNumber ? strangeNumber : undefined)) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // Nested so deeply that walking it exceeds the stack, though parsing does not. The numbers are searched in the text.
    const value: unknown = JSON.parse(text)
    return { value, numbers: strangeNumbersIn(text) }
  }
}

/** Sixteen digits in a row, or an exponent of two digits: a regular expression for both would take as long as parsing the text. */
export function maybeStrangeNumber(text: string): boolean {
  return maybeExponent.test(text) || hasLongRun(text)
}

const longRun = 16

/** Of any sixteen characters in a row, one is at a place that is looked at. */
function hasLongRun(text: string): boolean {
  for (let at = longRun - 1; at < text.length; at += longRun) {
    if (!isDigit(text.charCodeAt(at))) continue
    let [from, to] = [at, at + 1]
    while (isDigit(text.charCodeAt(from - 1))) from -= 1
    while (to - from < longRun && isDigit(text.charCodeAt(to))) to += 1
    if (to - from >= longRun) return true
  }
  return false
}

/** False for NaN, the character before the first one and after the last one. */
function isDigit(character: number): boolean {
  return character >= 48 && character <= 57
}

/** For valid JSON. The position is as precise as the item of a list in a member of the body, which is where a push has its changes. */
function strangeNumbersIn(text: string): FieldError[] {
  const faults = new Map<string, FieldError>()
  let [depth, item, member] = [0, 0, '""']
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (token === ',' && depth === 2) item += 1
    else if (token === ',' && depth === 1) item = 0
    else if (token === ',') continue
    else if (token.startsWith('"')) member = depth === 1 ? token : member
    else if (!isExact(Number(token), token)) {
      const pointer = depth > 2 ? `/${JSON.parse(member)}/${item}/` : ''
      faults.set(pointer, { pointer, message: 'contains a number that cannot be stored exactly: send it as a string' })
    }
  }
  return [...faults.values()].slice(0, faultsAtMost)
}

/** Strings and keys with a lone surrogate. */
export function surrogatesIn(text: string, value: unknown): FieldError[] {
  if (!maybeSurrogate.test(text)) return []
  return faultsIn(value, (part) => (typeof part === 'string' && !part.isWellFormed() ? loneSurrogate : undefined))
}

/** Decimals are rounded to the nearest double, as usual; an integer must be written back as the same number. */
function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false
  if (value === 0) return !/[1-9]/.test(source.split(/[eE]/)[0] ?? '')
  if (!/^-?\d+$/.test(source)) return true
  return Number.isSafeInteger(value) || String(value) === source || BigInt(source) === BigInt(value)
}

const faultsAtMost = 100

function faultsIn(value: unknown, faultOf: (part: unknown) => string | undefined): FieldError[] {
  const faults: FieldError[] = []
  const open: { readonly part: unknown; readonly pointer: string }[] = [{ part: value, pointer: '' }]
  for (let next = open.pop(); next && faults.length < faultsAtMost; next = open.pop()) {
    const { part, pointer } = next
    const message = faultOf(part)
    if (message !== undefined) faults.push({ pointer, message })
    if (typeof part !== 'object' || part === null) continue
    for (const [name, inner] of Object.entries(part).reverse()) {
      const named = faultOf(name)
      if (named !== undefined) faults.push({ pointer, message: `has a field whose name ${named}` })
      open.push({ part: inner, pointer: `${pointer}/${name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}` })
    }
  }
  return faults
}
