// Whether an entry of another client is a program or an address. Pure.
import { visible } from '../definition.ts'
import { type Fields, isFields } from './fields.ts'

export type EntryKind =
  | { readonly kind: 'program'; readonly notes: readonly string[] }
  | { readonly kind: 'address'; readonly address: string; readonly notes: readonly string[] }
  | { readonly kind: 'none'; readonly why: string }

const programTypes = ['stdio', 'local', 'command']
const addressTypes = ['http', 'https', 'sse', 'streamable-http', 'streamablehttp', 'streamable_http', 'http-stream', 'remote', 'url']

/** In the order in which clients that have several of them read them. */
const addressFields = ['httpUrl', 'serverUrl', 'url'] as const

/** The first row that applies decides. */
export function entryKind(entry: Fields): EntryKind {
  const type = [entry.type, entry.transport].find((each) => typeof each === 'string')?.toLowerCase() ?? null
  const [address, ...others] = addressFields.flatMap((field) => {
    const value = entry[field]
    return typeof value === 'string' && value !== '' ? [{ field, value }] : []
  })
  const hasCommand = isCommand(entry.command)
  const isKnown = type === null || programTypes.includes(type) || addressTypes.includes(type)
  if (!isKnown && !hasCommand)
    return none(`its type “${visible(type.slice(0, 100))}” is not supported: only programs (stdio) and addresses (http, sse) are`)
  const notes = isKnown ? [] : [`its type “${visible(type.slice(0, 100))}” is not known: it is imported as a program`]
  if (address && hasCommand) {
    if (type !== null && !addressTypes.includes(type)) return { kind: 'program', notes: [...notes, unused([address, ...others])] }
    if (type === null && address.field !== 'httpUrl') return none(`it has both a command and a url (${address.field}): remove one of them`)
    return { kind: 'address', address: address.value, notes: [unused([...others, { field: 'command', value: '' }])] }
  }
  if (address) return { kind: 'address', address: address.value, notes: others.length > 0 ? [unused(others)] : [] }
  if (hasCommand) {
    // opencode starts no shell and splits no text.
    if (type === 'local' && typeof entry.command === 'string') return none('its command is a text, where the client requires a list')
    return { kind: 'program', notes }
  }
  if (entry.source === 'extension') return none('it belongs to an extension of the other client, so it has neither a command nor a url')
  if (typeof entry.tcp === 'string') return none('it uses tcp (WebSocket), which is not supported; it has neither a command nor a url')
  return none('it has neither a command nor a url')
}

function isCommand(command: unknown): boolean {
  if (isFields(command)) return typeof command.path === 'string' && command.path !== ''
  return Array.isArray(command) ? command.length > 0 : typeof command === 'string' && command !== ''
}

function unused(fields: readonly { readonly field: string; readonly value: string }[]): string {
  const named = fields.map(({ field, value }) => (value === '' ? field : `${field} (${shownAddress(value)})`))
  return `not used: ${named.join(', ')}`
}

/** Without what may be secret. */
function shownAddress(value: string): string {
  const url = URL.parse(value)
  return url ? visible(`${url.protocol}//${url.host}${url.pathname}`.slice(0, 200)) : 'not an address'
}

function none(why: string): EntryKind {
  return { kind: 'none', why }
}
