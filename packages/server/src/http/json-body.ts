// JSON bodies: in UTF-8, and read without changing what they say.
//
// Many clients say `application/json` with every request, also where they send nothing. Nothing is then no body, not a broken one: a route
// that needs one still refuses, by its schema.
import { isUtf8 } from 'node:buffer'
import type { Route } from '@tandem/contract/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseExact, surrogatesIn } from './exact-json.ts'
import { type Fault, invalid } from './fault.ts'
import { refuse } from './refusal.ts'

/** What is wrong with a change of a push that could be read but not kept; the rest of the push is as good as ever. */
const faultsOfChanges = new WeakMap<object, string>()

export function unkeptPartOf(change: object): string | undefined {
  return faultsOfChanges.get(change)
}

export function takeJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    demandUtf8Charset(request.headers['content-type'])
    if (body.length === 0) return undefined
    if (!isUtf8(body)) throw refuse('invalid_request', 'the body is not valid UTF-8')
    const { route } = request.routeOptions.config as { route?: Route }
    return readJson(body.toString('utf8'), route?.id)
  })
}

function demandUtf8Charset(type = ''): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1]
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return
  throw refuse('unsupported_media_type', `JSON is UTF-8, not ${charset.slice(0, 40)}`)
}

function readJson(text: string, routeId: string | undefined): unknown {
  const { value, numbers } = parse(text)
  const changes = routeId === 'sync_push' ? changesOf(value) : undefined
  if (!changes) {
    const faults = [...numbers, ...surrogatesIn(text, value)]
    if (faults.length > 0) throw invalid(faults)
    return value
  }
  // A push judges each change by itself, and keeps the text of payloads as it came, half a pair too.
  const elsewhere = numbers.filter((fault) => !blame(changes, fault))
  if (elsewhere.length > 0) throw invalid(elsewhere)
  return value
}

function blame(changes: readonly unknown[], { pointer, message }: Fault): boolean {
  const [, index, within] = /^\/changes\/(\d+)(\/.*)$/s.exec(pointer) ?? []
  const change = index === undefined ? undefined : changes[Number(index)]
  if (typeof change !== 'object' || change === null) return false
  if (!faultsOfChanges.has(change)) faultsOfChanges.set(change, `${within} ${message}`)
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
