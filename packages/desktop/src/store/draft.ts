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
