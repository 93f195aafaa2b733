// What a merge leaves out of the work of a member, and why. What a member writes is untrusted.
import { posix } from 'node:path'
import { visibleText } from '@tandem/contract/text'
import { type EntryFacts, isGitName } from '../copy/folder-facts.ts'

const longestPath = 4_000

/** Control characters, characters that change the direction of text, and what is not valid. The approval has a warning about other ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this finds control characters.
const misleading = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/

/** Null if it can be merged. `now`: what the member has there; null if it deleted it. */
export function whyNotMerged(path: string, now: EntryFacts | null): string | null {
  const name = visibleText(path.length > 200 ? `${path.slice(0, 200)}…` : path)
  const parts = path.split('/')
  if (path.length > longestPath) return `${name} is not merged: its path is too long.`
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\\')))
    return `${name} is not merged: it is not the path of a file in the folder.`
  if (misleading.test(path)) return `${name} is not merged: its name contains characters that cannot be shown.`
  if (parts.some(isGitName)) return `${name} is not merged: it is part of a repository.`
  return now?.kind === 'link' ? whyNotLinked(path, name, now.target) : null
}

function whyNotLinked(path: string, name: string, target: string): string | null {
  const shown = visibleText(target.length > 200 ? `${target.slice(0, 200)}…` : target)
  if (posix.isAbsolute(target) || target.includes('\\')) return `${name} is not merged: it is a link to ${shown}, outside the folder.`
  const way = posix.join(posix.dirname(path), target)
  if (way === '..' || way.startsWith('../')) return `${name} is not merged: it is a link to ${shown}, outside the folder.`
  if (way.split('/').some(isGitName)) return `${name} is not merged: it is a link into a repository.`
  return misleading.test(target) ? `${name} is not merged: it is a link to a name with characters that cannot be shown.` : null
}
