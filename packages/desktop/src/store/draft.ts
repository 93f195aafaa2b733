// Unsent text by conversation, and unsaved text by workflow. It survives switching away, a lost connection and a reload.

import type { Attachment } from '@tandem/contract/command'

const prefix = 'tandem.draft.'

export function readDraft(place: string): string {
  try {
    return sessionStorage.getItem(prefix + place) ?? ''
  } catch (error) {
    console.warn('drafts cannot be read', error)
    return ''
  }
}

export function keepDraft(place: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(prefix + place)
    else sessionStorage.setItem(prefix + place, text)
  } catch (error) {
    console.warn('drafts cannot be saved', error)
  }
}

/** The drafts whose place begins with this, by the rest of the place. */
export function draftsOf(places: string): ReadonlyMap<string, string> {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix + places))
    return new Map(keys.map((key) => [key.slice(prefix.length + places.length), sessionStorage.getItem(key) ?? '']))
  } catch (error) {
    console.warn('drafts cannot be read', error)
    return new Map()
  }
}

/** What was written since `sent` was: all of it, unless it only continues what was sent. */
export function restOf(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text
}

const filesPrefix = 'tandem.attached.'

/** Only references: the runtime stores the files. */
export function readAttachments(place: string): readonly Attachment[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(filesPrefix + place) ?? '[]')
    return Array.isArray(kept) ? (kept as Attachment[]) : []
  } catch (error) {
    console.warn('attachments of the draft cannot be read', error)
    return []
  }
}

export function keepAttachments(place: string, attachments: readonly Attachment[]): void {
  try {
    if (attachments.length === 0) sessionStorage.removeItem(filesPrefix + place)
    else sessionStorage.setItem(filesPrefix + place, JSON.stringify(attachments))
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
