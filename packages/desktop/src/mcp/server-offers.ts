// What a server reports about its resources and prompts. It is untrusted: any field may be missing or have any value.
import type { CommandResult } from '@tandem/contract/command'

type ItemOf<Name extends 'mcp_resource_list' | 'mcp_prompt_list'> = CommandResult<Name>['items'][number]

export interface OfferedResource {
  readonly kind: 'resource' | 'template'
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly media_type: string
}

export interface OfferedPrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly values: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[]
}

/** The content that was read or filled in, piece by piece; for content that is not text, only its size. */
export type ServerContent =
  | { readonly as: 'text'; readonly role: string; readonly text: string }
  | { readonly as: 'bytes'; readonly role: string; readonly media_type: string; readonly bytes: number }

export function resourceOf({ kind, uri, answer }: ItemOf<'mcp_resource_list'>): OfferedResource {
  const said = fieldsOf(JSON.parse(answer))
  const name = textAt(said, 'title') || textAt(said, 'name')
  return { kind, uri, name, description: textAt(said, 'description'), media_type: textAt(said, 'mimeType') }
}

export function promptOf({ name, answer }: ItemOf<'mcp_prompt_list'>): OfferedPrompt {
  const said = fieldsOf(JSON.parse(answer))
  const values = listAt(said, 'arguments')
    .map((one) => ({ name: textAt(one, 'name'), description: textAt(one, 'description'), isRequired: one.required === true }))
    .filter((one) => one.name !== '')
  return { name, title: textAt(said, 'title'), description: textAt(said, 'description'), values }
}

/** The contents of a resource, the messages of a prompt. */
export function contentsOf(answer: string): readonly ServerContent[] {
  const said = fieldsOf(JSON.parse(answer))
  return [
    ...listAt(said, 'contents').map((content) => pieceOf('', content)),
    ...listAt(said, 'messages').map((message) => pieceOf(textAt(message, 'role'), fieldsOf(message.content))),
  ]
}

function pieceOf(role: string, content: Fields): ServerContent {
  const inner = 'resource' in content ? fieldsOf(content.resource) : content
  if (typeof inner.text === 'string') return { as: 'text', role, text: inner.text }
  const base64 = textAt(inner, 'blob') || textAt(inner, 'data')
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  return { as: 'bytes', role, media_type: textAt(inner, 'mimeType') || textAt(inner, 'type'), bytes }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function listAt(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name]
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

function textAt(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
