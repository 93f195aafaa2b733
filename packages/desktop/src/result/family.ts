// What a tool answered, recognized by its shape: outputs are open by nature, so nothing is taken on trust.

export type Shown =
  | {
      readonly as: 'diff'
      readonly path: string
      readonly diff: string
      readonly cut: boolean
      readonly added: number
      readonly removed: number
    }
  | {
      readonly as: 'terminal'
      readonly output: string
      readonly end: string
      readonly bytes: number
      readonly file: string | null
      /** How much of it the file holds. */
      readonly file_bytes: number
      readonly cut: boolean
      readonly exit_code: number | null
      readonly signal: string | null
      readonly timed_out: boolean
      readonly duration_ms: number
      readonly blocked: readonly { readonly attempted: string; readonly resource: string }[]
    }
  | { readonly as: 'files'; readonly path: string; readonly entries: readonly FileEntry[]; readonly more: number }
  | { readonly as: 'matches'; readonly lines: readonly Match[]; readonly files: readonly FileEntry[]; readonly matches: number }
  | { readonly as: 'text'; readonly title: string; readonly text: string; readonly notes: readonly string[] }
  | { readonly as: 'image'; readonly source: string; readonly title: string }
  | {
      readonly as: 'picture_file'
      readonly path: string
      readonly media_type: string
      readonly width: number
      readonly height: number
      readonly bytes: number
      /** By which the runtime hands it out; null for what only lies on disk. */
      readonly file_id: string | null
    }
  | { readonly as: 'json'; readonly value: unknown }

export interface FileEntry {
  readonly path: string
  readonly type: string
  readonly size: number | null
}

interface Match {
  readonly path: string
  readonly line: number | null
  readonly text: string
}

/** Only what a browser draws without running anything. */
const pictures = /^image\/(?:png|jpeg|gif|webp)$/

export function shownOf(output: unknown): Shown {
  const fields = record(output)
  if (!fields) return typeof output === 'string' ? { as: 'text', title: '', text: output, notes: [] } : { as: 'json', value: output }
  return (
    diff(fields) ?? terminal(fields) ?? files(fields) ?? matches(fields) ?? image(fields) ?? text(fields) ?? { as: 'json', value: output }
  )
}

type Fields = Readonly<Record<string, unknown>>

function diff({ path, diff: change, diff_truncated, lines_added, lines_removed }: Fields): Shown | null {
  if (typeof path !== 'string' || typeof change !== 'string') return null
  return {
    as: 'diff',
    path,
    diff: change,
    cut: diff_truncated === true,
    added: number(lines_added) ?? 0,
    removed: number(lines_removed) ?? 0,
  }
}

function terminal(fields: Fields): Shown | null {
  const { output, output_end, bytes, file, file_bytes, truncated, exit_code, signal, timed_out, duration_ms, violations } = fields
  if (typeof output !== 'string' || !('exit_code' in fields)) return null
  const blocked = list(violations).flatMap((one) =>
    one.blocked === true && typeof one.attempted === 'string' && typeof one.resource === 'string'
      ? [{ attempted: one.attempted, resource: one.resource }]
      : [],
  )
  return {
    as: 'terminal',
    output,
    end: string(output_end) ?? '',
    bytes: number(bytes) ?? 0,
    file: string(file),
    file_bytes: number(file_bytes) ?? number(bytes) ?? 0,
    cut: truncated === true,
    exit_code: number(exit_code),
    signal: string(signal),
    timed_out: timed_out === true,
    duration_ms: number(duration_ms) ?? 0,
    blocked,
  }
}

function files({ path, entries, more }: Fields): Shown | null {
  if (typeof path !== 'string' || !Array.isArray(entries)) return null
  const found = list(entries).flatMap(entryOf)
  return found.length === entries.length ? { as: 'files', path, entries: found, more: number(more) ?? 0 } : null
}

function matches({ lines, files: inFiles, matches: counted }: Fields): Shown | null {
  if (!Array.isArray(lines) || typeof counted !== 'number') return null
  const found = list(lines).flatMap((one) => {
    const text = string(one.text) ?? string(one.content)
    return typeof one.path === 'string' && text !== null ? [{ path: one.path, line: number(one.line), text }] : []
  })
  return { as: 'matches', lines: found, files: list(inFiles).flatMap(entryOf), matches: counted }
}

function image(fields: Fields): Shown | null {
  const type = string(fields.media_type) ?? string(fields.mimeType)
  const data = string(fields.data) ?? string(fields.base64)
  if (type === null || !pictures.test(type)) return null
  const title = string(fields.path) ?? string(fields.file) ?? type
  if (data !== null && /^[A-Za-z0-9+/=\s]+$/.test(data)) return { as: 'image', source: `data:${type};base64,${data}`, title }
  const size = record(fields.dimensions) ?? fields
  const [width, height] = [number(size.width), number(size.height)]
  if (width === null || height === null) return null
  const bytes = number(fields.size) ?? number(fields.bytes) ?? 0
  return { as: 'picture_file', path: title, media_type: type, width, height, bytes, file_id: string(fields.file_id) }
}

function text(fields: Fields): Shown | null {
  const body = string(fields.content) ?? string(fields.markdown) ?? string(fields.body) ?? string(fields.snapshot) ?? string(fields.text)
  if (body === null) return null
  const title = string(fields.path) ?? string(fields.title) ?? string(fields.url) ?? ''
  const notes = Array.isArray(fields.notes) ? fields.notes.filter((note) => typeof note === 'string') : []
  return { as: 'text', title, text: body, notes }
}

function entryOf(one: Fields): FileEntry[] {
  const { path, type, size } = one
  return typeof path === 'string' ? [{ path, type: string(type) ?? 'file', size: number(size) }] : []
}

function record(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(record).filter((one) => one !== null) : []
}

function string(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
