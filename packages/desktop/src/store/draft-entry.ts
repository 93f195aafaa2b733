// What is stored of a draft, and for how long. Pure.

export interface DraftEntry {
  readonly at: number
  readonly text: string
}

export interface StoredDraft {
  readonly key: string
  readonly at: number
  readonly size: number
}

const day_ms = 24 * 60 * 60 * 1_000

/** Browsers store about five million characters for a page. */
export const draftLimits = {
  age_ms: 30 * day_ms,
  /** The runtime deletes files that were never sent after a week. */
  attachments_age_ms: 6 * day_ms,
  characters: 2_000_000,
} as const

/** Null for anything else. */
export function parseDraft(stored: string | null): DraftEntry | null {
  const [, at, text] = /^(\d{1,15})\n(.*)$/s.exec(stored ?? '') ?? []
  return text === undefined ? null : { at: Number(at), text }
}

export function formatDraft({ at, text }: DraftEntry): string {
  return `${at}\n${text}`
}

/** The drafts to delete: those that are too old, and then the oldest ones until the others fit. */
export function outdated(
  all: readonly StoredDraft[],
  now: number,
  { age_ms, characters }: { age_ms: number; characters: number },
): readonly string[] {
  let left = characters
  return all
    .toSorted((one, other) => other.at - one.at)
    .filter(({ at, size }) => {
      if (now - at > age_ms) return true
      left -= size
      return left < 0
    })
    .map(({ key }) => key)
}
