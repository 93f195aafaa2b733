// Unsent text by conversation, and unsaved text by workflow. It survives switching away, a lost connection, a reload and closing the window.
// Windows share it: what was typed last is kept.

import type { Attachment } from '@tandem/contract/command'
import { draftLimits, formatDraft, outdated, parseDraft, type StoredDraft } from './draft-entry.ts'

const prefix = 'tandem.draft.'
const filesPrefix = 'tandem.attached.'

function readEntry(key: string, age_ms: number): string {
  const entry = parseDraft(localStorage.getItem(key))
  return entry !== null && Date.now() - entry.at <= age_ms ? entry.text : ''
}

/** What did not change keeps its time: only what is typed is newer than what another window has. */
function keepEntry(key: string, text: string): void {
  const before = parseDraft(localStorage.getItem(key))
  if ((before?.text ?? '') === text) return
  if (text === '') localStorage.removeItem(key)
  else {
    makeRoom(key, text.length)
    localStorage.setItem(key, formatDraft({ at: Date.now(), text }))
  }
}

const checked = new Set<string>()

/** Reads all drafts, so only before the first change of one, and for long texts. */
function makeRoom(key: string, size: number): void {
  if (checked.has(key) && size < 100_000) return
  checked.add(key)
  const stored = Object.keys(localStorage).flatMap((name): readonly StoredDraft[] => {
    if (name === key || !(name.startsWith(prefix) || name.startsWith(filesPrefix))) return []
    const entry = parseDraft(localStorage.getItem(name))
    return [{ key: name, at: entry?.at ?? 0, size: entry?.text.length ?? 0 }]
  })
  const { age_ms, characters } = draftLimits
  for (const name of outdated(stored, Date.now(), { age_ms, characters: characters - size })) localStorage.removeItem(name)
}

export function readDraft(place: string): string {
  try {
    return readEntry(prefix + place, draftLimits.age_ms)
  } catch (error) {
    console.warn('drafts cannot be read', error)
    return ''
  }
}

export function keepDraft(place: string, text: string): void {
  try {
    keepEntry(prefix + place, text)
  } catch (error) {
    console.warn('drafts cannot be saved', error)
  }
}

/** The drafts whose place begins with this, by the rest of the place. */
export function draftsOf(places: string): ReadonlyMap<string, string> {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix + places))
    const drafts = keys.map((key) => [key.slice(prefix.length + places.length), readEntry(key, draftLimits.age_ms)] as const)
    return new Map(drafts.filter(([, text]) => text !== ''))
  } catch (error) {
    console.warn('drafts cannot be read', error)
    return new Map()
  }
}

const choicePrefix = 'tandem.chosen.'

/** What is chosen for the next conversation ends with the window: later, another choice may be better. */
export function readChoice(place: string): string {
  try {
    return sessionStorage.getItem(choicePrefix + place) ?? ''
  } catch (error) {
    console.warn('choices cannot be read', error)
    return ''
  }
}

export function keepChoice(place: string, chosen: string): void {
  try {
    if (chosen === '') sessionStorage.removeItem(choicePrefix + place)
    else sessionStorage.setItem(choicePrefix + place, chosen)
  } catch (error) {
    console.warn('choices cannot be saved', error)
  }
}

/** What was written since `sent` was: all of it, unless it only continues what was sent. */
export function restOf(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text
}

/** Only references: the runtime stores the files. */
export function readAttachments(place: string): readonly Attachment[] {
  try {
    const kept: unknown = JSON.parse(readEntry(filesPrefix + place, draftLimits.attachments_age_ms) || '[]')
    return Array.isArray(kept) ? (kept as Attachment[]) : []
  } catch (error) {
    console.warn('attachments of the draft cannot be read', error)
    return []
  }
}

export function keepAttachments(place: string, attachments: readonly Attachment[]): void {
  try {
    keepEntry(filesPrefix + place, attachments.length === 0 ? '' : JSON.stringify(attachments))
  } catch (error) {
    console.warn('attachments of the draft cannot be saved', error)
  }
}

/** What was written and attached since `sent` was, when a message starts a conversation. */
export function moveDraft(
  from: string,
  to: string,
  { text, attachments = [] }: { readonly text: string; readonly attachments?: readonly Attachment[] },
): void {
  keepDraft(to, restOf(readDraft(from), text))
  keepDraft(from, '')
  keepAttachments(to, withoutSent(readAttachments(from), attachments))
  keepAttachments(from, [])
}

export function withoutSent(all: readonly Attachment[], sent: readonly Attachment[]): readonly Attachment[] {
  return all.filter(({ file_id }) => !sent.some((one) => one.file_id === file_id))
}
